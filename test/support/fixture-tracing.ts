import type { TracedOrder, TraceKey, TracingActions } from '#desktop/engine/api/tracing.ts';
import type { Live } from '#desktop/engine/engine.ts';
import { Problem } from '#shared/api/problem.ts';
import type { WorkRecord } from '#shared/model/work-record.ts';
import { isPartOf, numberKey } from '#shared/rules/tracing.ts';

import { demoDeviations } from './fixture-deviations.ts';
import type { World } from './fixture-world.ts';

const at = (day: number, hour: number): string => new Date(Date.UTC(2026, 10, day, hour)).toISOString();

const field = (
  field_revisionid: number,
  label: string,
  value: string,
  more: Partial<WorkRecord['values'][number]> = {},
): WorkRecord['values'][number] => ({
  field_revisionid,
  field_guid: `field-${field_revisionid}`,
  field_type: 'Text Input',
  label,
  stepid: 90_004,
  value,
  userid: 9101,
  at: at(12, 9),
  ...more,
});

const number = { field_type: 'Numeric Input', limits: { min: 3, max: 4 }, out_of_limits: false } as const;

/** The orders of a unit with a battery of another maker, and one of the unit's rework. */
export function demoTraced(): TracedOrder[] {
  const record: WorkRecord = {
    format: 'benchbook-work-record',
    version: 1,
    entryid: 504,
    workorderid: 'WO-1017',
    guideid: 9001,
    guide_title: 'Bench Grinder Drive Belt Replacement',
    serials: ['BG-2041'],
    status: 'complete',
    started: at(12, 8),
    ended: at(12, 10),
    duration: 7200,
    active_duration: 7000,
    pause_duration: 200,
    time_adjusted: false,
    people: [
      { userid: 9101, name: 'Ana Ruiz' },
      { userid: 9102, name: 'Ben Okafor' },
    ],
    revisions: [
      {
        decision: 'start',
        guide_revisionid: 410,
        form_revisionid: 12,
        counted: { number: 7, date: Date.UTC(2026, 10, 3) / 1000 },
        approval: 'approved',
        userid: 9101,
        at: at(12, 8),
      },
    ],
    history: [
      { type: 'start', userid: 9101, at: at(12, 8) },
      { type: 'suspend', userid: 9101, at: at(12, 9), note: 'The tension is left to do.' },
      { type: 'assume', userid: 9102, at: at(12, 9) },
      { type: 'finish', userid: 9102, at: at(12, 10) },
    ],
    step_times: [],
    values: [
      field(1, 'Drive belt', 'LOT 77'),
      field(2, 'Battery', '[)> 06 B-9'),
      field(3, 'Belt deflection', '9.9', { ...number, unit: 'mm', out_of_limits: true }),
      field(4, 'Deflection at the front', '3.4', { ...number, unit: 'mm' }),
      field(5, 'Deflection at the rear', '3.6', { ...number, unit: 'mm' }),
      field(6, 'Cover undamaged', 'Pass', { field_type: 'Radios' }),
      field(7, 'Photo of the seated belt', '33', { field_type: 'Image', files: ['BeltStep08Image1'] }),
      field(8, 'Plug locked', '1', { field_type: 'Checkbox' }),
    ],
    missing: [
      { label: 'Torque of the guard', stepid: 90_005, field_guid: 'torque', reason: 'No wrench here' },
    ],
  };
  const deviations = demoDeviations({ isLead: false }).filter(({ entryid }) => entryid === '504');
  const other: WorkRecord = {
    ...record,
    entryid: 503,
    workorderid: 'WO-1031',
    guideid: 9002,
    guide_title: 'Line set-up',
    serials: ['LINE-4', 'LINE-5'],
    status: 'started',
    started: at(20, 7),
    ended: null,
    history: [{ type: 'start', userid: 9102, at: at(20, 7) }],
    values: [
      field(11, 'Grinder of the line', 'bg-2041', { userid: 9102, at: at(20, 7) }),
      field(12, 'Lamp', 'L-1', { userid: 9102, at: at(20, 7) }),
    ],
    missing: [],
  };
  return [
    { entryid: '503', record: other, deviations: [], pending: false },
    { entryid: '504', record, deviations, pending: false },
  ];
}

function belongsTo({ record }: TracedOrder, key: TraceKey): boolean {
  if ('number' in key)
    return (
      isPartOf(record, numberKey(key.number)) ||
      (record.serials ?? []).some((serial) => numberKey(serial) === numberKey(key.number))
    );
  const isWorked = record.revisions.some(({ counted }) => counted?.number === key.revision);
  return String(record.guideid) === key.guideid && isWorked;
}

function numbersOf(orders: readonly TracedOrder[], prefix: string): string[] {
  const all = orders.flatMap(({ record: { serials = [], values } }) => [
    ...serials,
    ...values.flatMap(({ field_type, value }) => (field_type === 'Text Input' ? [value] : [])),
  ]);
  const found = all.filter((one) => prefix.trim() !== '' && numberKey(one).startsWith(numberKey(prefix)));
  return [...new Map(found.map((one) => [numberKey(one), one])).values()].toSorted();
}

/** The engine's views of orders by number, in the fixture's world. */
export function tracingViews(live: <T>(pick: (now: World) => T) => Live<T>) {
  return {
    tracedHere: (key: TraceKey) => live(({ traced }) => traced.here.filter((order) => belongsTo(order, key))),
    numbersHere: (prefix: string) => live(({ traced }) => numbersOf(traced.here, prefix)),
    namesSerials: (guideid: string) =>
      live(({ orders }) => (orders.find((order) => order.guideid === guideid)?.serials.length ?? 0) > 0),
  };
}

/** The engine's questions to the server, in the fixture's world. */
export function tracingActions(world: () => World): TracingActions {
  return {
    async trace(key, offset) {
      const { server, pageSize, isRefused } = world().traced;
      if (isRefused) throw new Problem('unavailable', 'This needs the server, which cannot be reached now');
      const found = server.filter((order) => belongsTo(order, key));
      return { orders: found.slice(offset, offset + pageSize), total: found.length };
    },
    async suggestNumbers(prefix) {
      return numbersOf(world().traced.server, prefix);
    },
  };
}
