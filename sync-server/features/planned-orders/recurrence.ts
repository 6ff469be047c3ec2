import { RRuleTemporal } from 'rrule-temporal';

import { invalid } from '#shared/api/problem.ts';

/** The parts of a rule that are accepted: an order at most once a day. */
const parts = new Set([
  'FREQ',
  'INTERVAL',
  'COUNT',
  'UNTIL',
  'BYDAY',
  'BYMONTHDAY',
  'BYMONTH',
  'BYSETPOS',
  'WKST',
]);
const frequencies = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);

/** Periods that are searched for the first occurrence of a new rule, so that an impossible one is refused soon. */
const searchedPeriods = 1000;

/** A rule with the local time at which it begins, such as `20261201T080000`, in a time zone. */
export interface Recurrence {
  rrule: string;
  start: string;
  time_zone: string;
}

/**
 * A recurrence rule (RFC 5545) in its normal form. Throws 422 for a rule that cannot be read, never occurs, or occurs more
 * than once a day.
 */
export function readRule(text: string, start: string, time_zone: string): string {
  const rrule = text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '');
  const given = new Map(rrule.split(';').map((part) => part.split('=', 2) as [string, string | undefined]));
  const other = [...given.keys()].find((name) => !parts.has(name));
  if (other !== undefined) throw invalid('rrule', `A planned order cannot repeat by ${other}`);
  if (!frequencies.has(given.get('FREQ') ?? ''))
    throw invalid('rrule', 'An order repeats at most once a day');
  if (!/^[A-Z\d=;,+-]+$/.test(rrule) || !occurs({ rrule, start, time_zone }))
    throw invalid(
      'rrule',
      'Give a rule of RFC 5545 that occurs, such as FREQ=WEEKLY;BYDAY=MO. UNTIL is a time in UTC, such as 20261231T230000Z.',
    );
  return rrule;
}

/** Whether a rule can be read, and occurs at all. */
function occurs(recurrence: Recurrence): boolean {
  try {
    return ruleOf(recurrence, searchedPeriods).all((_, index) => index < 1).length > 0;
  } catch {
    return false;
  }
}

/** When a rule occurs after `after` and until `until`, all in UNIX seconds. */
export function occurrencesOf(recurrence: Recurrence, after: number, until: number): number[] {
  return ruleOf(recurrence)
    .between(new Date((after + 1) * 1000), new Date(until * 1000), true)
    .map(({ epochMilliseconds }) => Math.floor(epochMilliseconds / 1000));
}

function ruleOf({ rrule, start, time_zone }: Recurrence, maxIterations?: number) {
  return new RRuleTemporal({
    rruleString: `DTSTART;TZID=${time_zone}:${start}\nRRULE:${rrule}`,
    strict: true,
    ...(maxIterations === undefined ? {} : { maxIterations }),
  });
}

/** The local time in a time zone, such as `20261201T080000`. `seconds`: UNIX seconds. */
export function localTime(seconds: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const named = new Map(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]));
  const read = (...types: Intl.DateTimeFormatPartTypes[]): string =>
    types.map((type) => named.get(type) ?? '').join('');
  return `${read('year', 'month', 'day')}T${read('hour', 'minute', 'second')}`;
}
