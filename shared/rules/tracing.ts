import type { EntryFacts, WorkDataValue } from '#shared/model/work-log.ts';
import type { WorkRecord } from '#shared/model/work-record.ts';

/** Maximum length of a text that counts as a number, in characters. Longer texts are remarks. */
export const tracedLimit = 255;

/**
 * The form in which serial and lot numbers are compared.
 *
 * - TRACE-3 Case and surrounding spaces do not matter. Inner spaces count, because scanned codes contain them.
 */
export function numberKey(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

/**
 * A number of an order. `unit`: what was worked on; `part`: it was recorded at a step. `text`: as it was entered, without
 * surrounding spaces.
 */
export type TracedNumber = { kind: 'unit' | 'part'; text: string };

/**
 * The numbers of an order, each once for each kind.
 *
 * - TRACE-2 A number is found in the orders about it, and in the orders in which it was recorded in a one-line text field,
 *   scanned or typed. The name of a second person is none. The last value of a field counts: a replaced or removed one is not found.
 */
export function tracedNumbers(facts: Pick<EntryFacts, 'serials' | 'events'>): TracedNumber[] {
  const last = new Map<string, WorkDataValue>();
  for (const { data = [] } of facts.events) for (const value of data) last.set(value.field_guid, value);
  return distinct([
    ...(facts.serials ?? []).map((text) => ({ kind: 'unit' as const, text: text.trim() })),
    ...[...last.values()]
      .filter(holdsNumber)
      .map(({ value }) => ({ kind: 'part' as const, text: value.trim() })),
  ]);
}

function distinct(numbers: readonly TracedNumber[]): TracedNumber[] {
  const known = new Map<string, TracedNumber>();
  for (const one of numbers) {
    const key = `${one.kind} ${numberKey(one.text)}`;
    if (!known.has(key)) known.set(key, one);
  }
  return [...known.values()];
}

/** Whether a value can be traced: a text of one line that is not too long for a number, and no name of a second person. */
export function holdsNumber({
  field_type,
  value,
  second_person,
}: Pick<WorkDataValue, 'field_type' | 'value' | 'second_person'>): boolean {
  const { length } = value.trim();
  return field_type === 'Text Input' && second_person === undefined && length > 0 && length <= tracedLimit;
}

/**
 * The numbers of the revisions of the guide by which an order was worked, as people count them.
 *
 * - TRACE-6 A revision of a guide leads to the orders that were started by it or changed to it. Orders that stayed with the
 *   revision before it are not among them.
 */
export function workedRevisionNumbers({ revisions = [] }: Pick<EntryFacts, 'revisions'>): number[] {
  const numbers = revisions.flatMap(({ decision, counted }) =>
    decision === 'keep' || counted === undefined ? [] : [counted.number],
  );
  return [...new Set(numbers)];
}

/** Whether the record of an order has the number (`numberKey`) in a field of a step. */
export function isPartOf({ values }: Pick<WorkRecord, 'values'>, key: string): boolean {
  return values.some((value) => holdsNumber(value) && numberKey(value.value) === key);
}
