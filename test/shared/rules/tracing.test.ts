import { expect, test } from 'vitest';

import type { EntryFacts, WorkDataValue } from '#shared/model/work-log.ts';
import { numberKey, tracedNumbers, workedRevisionNumbers } from '#shared/rules/tracing.ts';

function value(field_guid: string, text: string, more: Partial<WorkDataValue> = {}): WorkDataValue {
  return {
    field_revisionid: 1,
    field_guid,
    field_type: 'Text Input',
    label: field_guid,
    stepid: 1,
    value: text,
    ...more,
  };
}

/** An order whose events record these values, one event for each list. */
function order(
  serials: string[] | undefined,
  ...data: WorkDataValue[][]
): Pick<EntryFacts, 'serials' | 'events'> {
  const events = data.map((values, at) => ({ type: 'data' as const, userid: 1, at, data: values }));
  return { ...(serials && { serials }), events };
}

test('TRACE-2 the last value of a field counts, also when its form has another revision by then', () => {
  const changed = order(undefined, [value('a', 'P-1')], [value('a', 'P-2', { field_revisionid: 9 })]);
  expect(tracedNumbers(changed)).toEqual([{ kind: 'part', text: 'P-2' }]);
  const another = order(undefined, [value('a', 'P-1')], [value('a', '7', { field_type: 'Numeric Input' })]);
  expect(tracedNumbers(another)).toEqual([]);
});

test('TRACE-2 a number counts once as what was worked on and once as what was recorded, as it was entered first', () => {
  const both = order(['SN-1', 'sn-1 '], [value('a', ' Sn-1'), value('b', 'SN-1')]);
  expect(tracedNumbers(both)).toEqual([
    { kind: 'unit', text: 'SN-1' },
    { kind: 'part', text: 'Sn-1' },
  ]);
});

test('TRACE-2 a text that is too long for a number is a remark', () => {
  const [short, long] = ['x'.repeat(255), 'x'.repeat(256)];
  expect(tracedNumbers(order(undefined, [value('a', short), value('b', long), value('c', '  ')]))).toEqual([
    { kind: 'part', text: short },
  ]);
});

test('TRACE-3 numbers that differ in case, composition or surrounding spaces are the same', () => {
  expect(new Set(['Äb 1', ' äB 1\n', 'A\u0308b 1'].map(numberKey)).size).toBe(1);
  expect(numberKey('a  b')).not.toBe(numberKey('a b'));
});

test('TRACE-6 revisions without a number, and those that a person kept out, lead to no order', () => {
  const by = (decision: 'start' | 'switch' | 'keep', number?: number) => ({
    decision,
    guide_revisionid: 1,
    form_revisionid: 0,
    ...(number === undefined ? {} : { counted: { number, date: 1 } }),
    userid: 1,
    at: 1,
  });
  expect(
    workedRevisionNumbers({ revisions: [by('start', 2), by('keep', 3), by('switch', 4), by('switch', 2)] }),
  ).toEqual([2, 4]);
  expect(workedRevisionNumbers({ revisions: [by('start')] })).toEqual([]);
  expect(workedRevisionNumbers({})).toEqual([]);
});
