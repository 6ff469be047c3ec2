import type { ShiftTeam, ShiftWish } from '#desktop/engine/api/shift-records.ts';
import { formatDate, formatDay, formatTime } from '#desktop/renderer/text/format.ts';
import { shiftWords } from '#desktop/renderer/text/en/shift-summaries.ts';
import { spanRefusal } from '#shared/rules/shift-span.ts';

import { localMoment, readDue } from '../planned/plan-form.ts';

const hourMs = 60 * 60_000;
/** A last summary that ended longer ago does not begin the next one. */
const sinceMs = 24 * hourMs;

export type Span = keyof typeof shiftWords.spans;

/** What is in the form. `fromDay`: `2026-11-22`, `fromTime`: `14:30`, of the device. */
export interface ShiftForm {
  teamid: number | null;
  span: Span;
  fromDay: string;
  fromTime: string;
  toDay: string;
  toTime: string;
}

/** The form at first: the only team, and the last 8 hours. */
export function blankForm(teams: readonly ShiftTeam[], now: number): ShiftForm {
  const [from, to] = [localMoment(new Date(now - 8 * hourMs)), localMoment(new Date(now))];
  return {
    teamid: teams.length === 1 ? (teams[0]?.teamid ?? null) : null,
    span: 'eight',
    fromDay: from.day,
    fromTime: from.time,
    toDay: to.day,
    toTime: to.time,
  };
}

/** The spans that a form offers. */
export function spansOf(team: ShiftTeam | undefined, now: number): Span[] {
  const isSince = team?.lastEnd != null && team.lastEnd < now && team.lastEnd > now - sinceMs;
  return ['eight', ...(isSince ? (['since'] as const) : []), 'today', 'other'];
}

/** Beginning and end of the span, ms since 1970; null: it is not a span. */
function spanOf(
  form: ShiftForm,
  team: ShiftTeam | undefined,
  now: number,
): Pick<ShiftWish, 'from' | 'to'> | null {
  switch (form.span) {
    case 'eight':
      return { from: now - 8 * hourMs, to: now };
    case 'since':
      return { from: team?.lastEnd ?? now - 8 * hourMs, to: now };
    case 'today':
      return { from: new Date(now).setHours(0, 0, 0, 0), to: now };
    case 'other': {
      const from = readMoment(form.fromDay, form.fromTime);
      const to = readMoment(form.toDay, form.toTime);
      return from === null || to === null ? null : { from, to };
    }
  }
}

/** A span in words; the day is named once if it is the same. */
export function spanWords({ from, to }: Pick<ShiftWish, 'from' | 'to'>): string {
  return `${formatDate(from)} – ${formatDay(from) === formatDay(to) ? formatTime(to) : formatDate(to)}`;
}

function readMoment(day: string, time: string): number | null {
  return day === '' || time.trim() === '' ? null : (readDue(day, time) ?? null);
}

/** What the form asks for, without the note, or what is missing or wrong. */
export function wishOf(
  form: ShiftForm,
  teams: readonly ShiftTeam[],
  now: number,
):
  | { wish: Omit<ShiftWish, 'note'>; faults: null }
  | { wish: null; faults: { teamid?: string; span?: string } } {
  const { teamid } = form;
  const team = teams.find((one) => one.teamid === teamid);
  const span = spanOf(form, team, now);
  const wrong = span === null ? shiftWords.wrongTime : spanRefusal(inSeconds(span));
  if (teamid === null || span === null || wrong !== null)
    return {
      wish: null,
      faults: {
        ...(teamid === null ? { teamid: shiftWords.needTeam } : {}),
        ...(wrong === null ? {} : { span: wrong }),
      },
    };
  return { wish: { teamid, ...span }, faults: null };
}

function inSeconds({ from, to }: Pick<ShiftWish, 'from' | 'to'>): { from: number; to: number } {
  return { from: Math.floor(from / 1000), to: Math.floor(to / 1000) };
}
