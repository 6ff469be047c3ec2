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

/** The greatest number in a part. The library ignores days and months that no year has. */
const most = new Map([
  ['BYMONTHDAY', 31],
  ['BYMONTH', 12],
]);

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
  const isInRange = [...most].every(([name, limit]) => isWithin(given.get(name), limit));
  if (!/^[A-Z\d=;,+-]+$/.test(rrule) || !isInRange || !occurs({ rrule, start, time_zone }))
    throw invalid(
      'rrule',
      'Give a rule of RFC 5545 that occurs, such as FREQ=WEEKLY;BYDAY=MO. UNTIL is a time in UTC, such as 20261231T230000Z.',
    );
  return rrule;
}

/** Whether each number in a part is from 1 to `limit`, or counts so from the end. */
function isWithin(numbers: string | undefined, limit: number): boolean {
  return (
    numbers?.split(',').every((one) => Math.abs(Number(one)) >= 1 && Math.abs(Number(one)) <= limit) ?? true
  );
}

/** Whether a rule can be read, and occurs at all. */
function occurs(recurrence: Recurrence): boolean {
  try {
    return ruleOf(recurrence, searchedPeriods).all((_, index) => index < 1).length > 0;
  } catch {
    return false;
  }
}

/** The greatest difference between local time and UTC, seconds. */
const greatestOffset = 24 * 3600;

/**
 * When a rule occurs after `after` and until `until`, all in UNIX seconds. A local time that the beginning of summer time
 * skips is an hour later, so that no occurrence is missed; one that there is twice at its end is the first.
 */
export function occurrencesOf(recurrence: Recurrence, after: number, until: number): number[] {
  const from = new Date((after - greatestOffset) * 1000);
  return ruleOf(recurrence)
    .between(from, new Date((until + greatestOffset) * 1000), true)
    .map((local) => local.toPlainDateTime().toZonedDateTime(recurrence.time_zone).epochMilliseconds)
    .map((at) => Math.floor(at / 1000))
    .filter((at) => at > after && at <= until);
}

/** The rule in local time, as if that were UTC. */
function ruleOf({ rrule, start, time_zone }: Recurrence, maxIterations?: number) {
  return new RRuleTemporal({
    rruleString: `DTSTART;TZID=UTC:${start}\nRRULE:${withLocalEnd(rrule, time_zone)}`,
    strict: true,
    ...(maxIterations === undefined ? {} : { maxIterations }),
  });
}

/** The rule with its end, a time in UTC, in local time. */
function withLocalEnd(rrule: string, timeZone: string): string {
  return rrule.replace(/(?<=UNTIL=)(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, (text, ...parts: string[]) => {
    const [year, month, day, hour, minute, second] = parts;
    const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    return Number.isNaN(at) ? text : `${localTime(at / 1000, timeZone)}Z`;
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
