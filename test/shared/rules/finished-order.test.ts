import { expect, test } from 'vitest';

import type { EntryEvent, EntryFacts, WorkDataValue } from '#shared/model/work-log.ts';
import { finishedOrder } from '#shared/rules/finished-order.ts';

const minute = 60_000;

function event(type: EntryEvent['type'], at: number, more: Partial<EntryEvent> = {}): EntryEvent {
  return { type, userid: 1, at: at * minute, ...more };
}

function order(...events: EntryEvent[]): EntryFacts {
  return {
    entryid: 5,
    uid: 'u5',
    guideid: 61,
    workorderid: 'WO-5',
    guide_revisionid: 1,
    max_form_revisionid: 1,
    handoffid: null,
    events,
    images: [],
  };
}

function number(field_revisionid: number, value: string, more: Partial<WorkDataValue> = {}): WorkDataValue {
  const field_type = 'Numeric Input';
  return { field_revisionid, field_guid: 'torque', field_type, label: 'Torque', stepid: 7, value, ...more };
}

test('REPORT-1 an order counts for the person who finished it, without pauses, with the last value of each number', () => {
  const limits = { min: 2, max: null };
  const facts = order(
    event('start', 0, { stepid: 7 }),
    event('data', 1, {
      data: [number(1, '3'), number(9, 'L7', { field_guid: 'lot', field_type: 'Text Input' })],
    }),
    event('pause', 2),
    event('resume', 10, { stepid: 8 }),
    event('suspend', 13),
    event('assume', 20, { userid: 2, stepid: 7 }),
    event('data', 21, { userid: 2, data: [number(2, '4.5', { unit: 'Nm', limits })] }),
    event('finish', 24, {
      userid: 2,
      gaps: [{ field_revisionid: 4, field_guid: 'photo', label: 'Photo', stepid: 8, reason: null }],
    }),
  );
  expect(finishedOrder(facts)).toEqual({
    userid: 2,
    ended: 24 * 60,
    active: 9 * 60,
    steps: [
      { stepid: 7, seconds: 6 * 60 },
      { stepid: 8, seconds: 3 * 60 },
    ],
    missing: [{ stepid: 8, field_guid: 'photo', label: 'Photo' }],
    numbers: [
      {
        field_guid: 'torque',
        stepid: 7,
        label: 'Torque',
        unit: 'Nm',
        value: 4.5,
        min: 2,
        max: null,
        userid: 2,
        at: 21 * 60,
      },
    ],
  });
});

test('REPORT-1 open and cancelled orders, and removed numbers, are not counted', () => {
  expect(finishedOrder(order(event('start', 0), event('pause', 1)))).toBeNull();
  expect(finishedOrder(order(event('start', 0), event('cancel', 1)))).toBeNull();
  const removed = order(
    event('start', 0),
    event('data', 1, { data: [number(1, '3')] }),
    event('data', 2, { data: [number(1, '')] }),
    event('finish', 3),
  );
  expect(finishedOrder(removed)?.numbers).toEqual([]);
});
