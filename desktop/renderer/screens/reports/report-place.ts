import type { ReportWish } from '#desktop/engine/api/reports.ts';
import { dayStart } from '#desktop/renderer/day-start.ts';
import { auditText } from '#desktop/renderer/text/audit.ts';
import { reportText } from '#desktop/renderer/text/en/reports.ts';
import { formatDay } from '#desktop/renderer/text/format.ts';
import {
  deviationGroups,
  durationGroups,
  mostReportDays,
  reportDays,
  type DeviationGroup,
  type DurationGroup,
} from '#shared/api/reports.ts';

export const reportNames = ['durations', 'yield', 'deviations', 'numbers'] as const;
export type ReportName = (typeof reportNames)[number];

/** Numbers of days that are offered. */
export const daysOffered = [7, 30, reportDays, 365] as const;

/**
 * What the address of the screen says. `days`: the last days, unless there is a first day (`from`) or a last one (`to`), which
 * are `2026-11-22` in the time zone of this device, both inclusive. Without a first day, the usual number of days ends with the
 * last one.
 */
export interface ReportPlace {
  report: ReportName;
  days: number;
  from?: string | undefined;
  to?: string | undefined;
  guideid?: number | undefined;
  userid?: number | undefined;
  teamid?: number | undefined;
  durationsBy: DurationGroup;
  deviationsBy: DeviationGroup;
  /** The field_guid of the measured field. */
  field?: string | undefined;
}

const daySeconds = 24 * 3600;
const path = '/reports';
const defaults = {
  report: 'durations',
  days: reportDays,
  durationsBy: 'guide',
  deviationsBy: 'kind',
} satisfies Partial<ReportPlace>;

/**
 * The address of a report.
 *
 * - REPORT-10 The address of a report has its kind, its filters and what it compares, so a copied link shows the same report to
 *   everybody, with the figures that they may see.
 */
export function reportHref(place: Partial<ReportPlace>): string {
  const { report, days, durationsBy, deviationsBy, ...filter } = { ...defaults, ...place };
  const search = new URLSearchParams();
  const add = (name: string, value: string | number | undefined, usual?: string | number): void => {
    if (value !== undefined && value !== usual) search.set(name, String(value));
  };
  add('report', report, defaults.report);
  if (report === 'durations') add('by', durationsBy, defaults.durationsBy);
  if (report === 'deviations') add('by', deviationsBy, defaults.deviationsBy);
  if (filter.from === undefined && filter.to === undefined) add('days', days, defaults.days);
  for (const name of ['from', 'to', 'guideid', 'userid', 'teamid'] as const) add(name, filter[name]);
  if (report === 'numbers') add('field', filter.field);
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

/** Parses an address; parameters that cannot be read are ignored. */
export function placeOf(address: string): ReportPlace {
  const search = new URLSearchParams(address);
  const words = (name: string) => search.get(name)?.trim() || undefined;
  const number = (name: string) =>
    /^[1-9]\d{0,14}$/.test(words(name) ?? '') ? Number(words(name)) : undefined;
  const day = (name: string) => (dayStart(words(name) ?? '') === undefined ? undefined : words(name));
  const by = words('by');
  return {
    report: reportNames.find((one) => one === words('report')) ?? defaults.report,
    days: Math.min(number('days') ?? defaults.days, mostReportDays),
    from: day('from'),
    to: day('to'),
    guideid: number('guideid'),
    userid: number('userid'),
    teamid: number('teamid'),
    durationsBy: durationGroups.find((one) => one === by) ?? defaults.durationsBy,
    deviationsBy: deviationGroups.find((one) => one === by) ?? defaults.deviationsBy,
    field: words('field')?.slice(0, 255),
  };
}

/** Number of active filters besides the days. */
export function filtersOf({ from, to, guideid, userid, teamid }: ReportPlace): number {
  return [from ?? to, guideid, userid, teamid].filter((value) => value !== undefined).length;
}

/** What a place says about time. */
export type PlaceTime = Pick<ReportPlace, 'days' | 'from' | 'to'>;

/** The time that a report covers, UNIX seconds; `until` is excluded. `now`: ms since 1970. */
function spanOf({ days, from, to }: PlaceTime, now: number): { from: number; until: number } {
  const seconds = Math.floor(now / 1000);
  if (from === undefined && to === undefined) return { from: seconds - days * daySeconds, until: seconds };
  return {
    from: dayStart(from ?? '') ?? dayStart(to ?? '', 1 - reportDays) ?? 0,
    until: dayStart(to ?? '', 1) ?? seconds,
  };
}

/** Why the chosen days have no report, and which of them is to change. */
interface TimeFault {
  field: 'from' | 'to';
  words: string;
}

/**
 * Why the chosen days have no report; null: they have one.
 *
 * - REPORT-17 A time of more than two years is refused where the days are chosen, with the reason, and the server is not asked.
 */
export function faultOf(time: PlaceTime, now: number): TimeFault | null {
  const { from, until } = spanOf(time, now);
  if (time.from !== undefined && time.to !== undefined && time.to < time.from)
    return { field: 'to', words: auditText.badDays };
  return until - from > mostReportDays * daySeconds ? { field: 'from', words: reportText.tooLong } : null;
}

/** The days that a report covers, in words. */
export function spanWords(time: PlaceTime, now: number): string {
  const { from, until } = spanOf(time, now);
  const [first, last] = [formatDay(from * 1000), formatDay((until - 1) * 1000)];
  return first === last ? reportText.spanOfDay(first) : reportText.span(first, last);
}

/** The filter for the server. `now`: ms since 1970. */
export function wishOf(
  { guideid, userid, teamid, ...time }: PlaceTime & Pick<ReportPlace, 'guideid' | 'userid' | 'teamid'>,
  now: number,
): ReportWish {
  const { from, until } = spanOf(time, now);
  return { guideid, userid, teamid, from, until: time.to === undefined ? undefined : until };
}
