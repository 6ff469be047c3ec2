import type { PlannedOrderFacts } from '#shared/model/planned-orders.ts';
import type { ShiftSummary } from '#shared/model/shift-summaries.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import { isDeviating } from '#shared/rules/field-value.ts';
import { isLate } from '#shared/rules/planned-orders.ts';
import { foldEntry, runningPeriods } from '#shared/rules/work-log.ts';
import type { Context } from '#server/core/context.ts';

import { findPeople } from '../users/store.ts';
import type { TeamWork } from './gather.ts';

/** Maximum number of open deviations of earlier spans, and of planned orders, that a summary names. */
const mostNamed = 200;

/** What a summary is about. `from`, `to`: UNIX seconds; `computed`: ms since 1970; `userid`: of who makes it. */
export interface Made {
  team: ShiftSummary['team'];
  from: number;
  to: number;
  note: string;
  computed: number;
  userid: number;
}

/** A span in ms since 1970: after `from`, until `until`. */
interface Span {
  from: number;
  until: number;
}

/** The summary of what a team did, with the names that people have now. */
export async function shiftSummaryOf(ctx: Context, made: Made, work: TeamWork): Promise<ShiftSummary> {
  const content = contentOf(made, work);
  const ids = peopleIn(made.userid, content);
  const people = await findPeople(ctx.db, ids);
  const named = ids.map((userid) => ({ userid, name: people.get(userid)?.username ?? '' }));
  const made_by = { userid: made.userid, name: people.get(made.userid)?.username ?? '' };
  const { team, note } = made;
  return {
    format: 'benchbook-shift-summary',
    version: 1,
    team,
    from: iso(made.from * 1000),
    to: iso(made.to * 1000),
    computed: iso(made.computed),
    made_by,
    note,
    people: named,
    ...content,
  };
}

type SummaryContent = Pick<ShiftSummary, 'orders' | 'values' | 'deviations' | 'times' | 'planned'>;

/**
 * What a summary says.
 *
 * - SHIFT-4 A summary has the orders that were open in its span, in their state at its end and with the notes of suspended
 *   ones; values out of limits or failed; deviations that were reported, decided, or open at its end; working times by
 *   person; and planned orders that nobody has started or that are late.
 */
function contentOf(
  { from, to, computed }: Omit<Made, 'team' | 'note' | 'userid'>,
  work: TeamWork,
): SummaryContent {
  const span: Span = { from: from * 1000, until: Math.min(to * 1000, computed) };
  const entries = work.entries.flatMap((entry) => entryUntil(entry, span) ?? []);
  return {
    orders: entries
      .map((entry) => orderOf(entry, span, work))
      .toSorted((a, b) => compare(a.started, b.started)),
    values: entries.flatMap((entry) => valuesOf(entry, span)).toSorted((a, b) => compare(a.at, b.at)),
    deviations: deviationsOf(work, span),
    times: timesOf(entries, span),
    planned: plannedOf(work.planned, Math.floor(computed / 1000)),
  };
}

/** An entry as it was at the end of a span; null if it was over before, or not begun. */
function entryUntil(entry: EntryFacts, { from, until }: Span): EntryFacts | null {
  const events = entry.events.filter(({ at }) => at <= until);
  const last = events.at(-1);
  if (last === undefined) return null;
  const isOver = last.type === 'finish' || last.type === 'cancel';
  return isOver && last.at <= from ? null : { ...entry, events };
}

function orderOf(entry: EntryFacts, span: Span, { titles }: TeamWork): ShiftSummary['orders'][number] {
  const { entryid, workorderid, guideid, events } = entry;
  const { status, userid, endtime, handover } = foldEntry(entry, span.until);
  const worked = periodsIn(entry, span).reduce((sum, { ms }) => sum + ms, 0);
  return {
    entryid,
    workorderid,
    guideid,
    guide_title: titles.get(guideid) ?? null,
    status,
    userid,
    started: iso(events[0]?.at ?? 0),
    ended: endtime === null ? null : iso(events.at(-1)?.at ?? 0),
    duration: Math.floor(worked / 1000),
    handover: status === 'suspended' ? (handover?.note ?? null) : null,
  };
}

/** The working time of an entry in a span, by period. */
function periodsIn(entry: EntryFacts, { from, until }: Span): { userid: number; ms: number }[] {
  return runningPeriods(entry, until).map(({ userid, ...period }) => ({
    userid,
    ms: Math.max(0, Math.min(period.to, until) - Math.max(period.from, from)),
  }));
}

function valuesOf({ entryid, workorderid, events }: EntryFacts, { from }: Span): ShiftSummary['values'] {
  const recorded = events.flatMap(({ data = [], userid, at }) =>
    data.map((value) => ({ value, userid, at })),
  );
  const last = new Map(recorded.map((one) => [one.value.field_guid, one]));
  return [...last.values()]
    .filter(({ value, at }) => at > from && isDeviating(value))
    .map(({ value: { label, stepid, value, limits, unit, reason }, userid, at }) => ({
      entryid,
      workorderid,
      label,
      stepid,
      value,
      ...(limits === undefined ? {} : { limits }),
      ...(unit === undefined ? {} : { unit }),
      ...(reason === undefined ? {} : { reason }),
      userid,
      at: iso(at),
    }));
}

function deviationsOf({ deviations }: TeamWork, { from, until }: Span): ShiftSummary['deviations'] {
  const isIn = (seconds: number): boolean => seconds * 1000 > from && seconds * 1000 <= until;
  const known = deviations
    .filter(({ date }) => date * 1000 <= until)
    .map((facts) => {
      const decisions = facts.decisions.filter(({ date }) => date * 1000 <= until);
      return {
        facts,
        decision: decisions.at(-1) ?? null,
        isRaised: isIn(facts.date),
        isDecided: decisions.some(({ date }) => isIn(date)),
      };
    });
  const open = known.filter(({ decision }) => decision === null);
  const moved = known.filter(({ isRaised, isDecided }) => isRaised || isDecided);
  const earlier = open.filter(({ isRaised }) => !isRaised).slice(-mostNamed);
  return {
    raised: known.filter(({ isRaised }) => isRaised).length,
    decided: known.filter(({ isDecided }) => isDecided).length,
    open: open.length,
    list: [...earlier, ...moved]
      .map(({ facts, decision }) => ({
        deviationid: facts.deviationid,
        entryid: facts.entryid,
        workorderid: facts.workorderid,
        title: facts.title,
        userid: facts.userid,
        reported: iso(facts.date * 1000),
        decision:
          decision === null
            ? null
            : {
                disposition: decision.disposition,
                reason: decision.reason,
                userid: decision.userid,
                at: iso(decision.date * 1000),
              },
      }))
      .toSorted(
        (a, b) => Number(a.decision !== null) - Number(b.decision !== null) || a.deviationid - b.deviationid,
      ),
  };
}

function timesOf(entries: readonly EntryFacts[], span: Span): ShiftSummary['times'] {
  const worked = entries.flatMap((entry) =>
    periodsIn(entry, span).flatMap(({ userid, ms }) =>
      ms > 0 ? [{ userid, ms, entryid: entry.entryid }] : [],
    ),
  );
  return [...Map.groupBy(worked, ({ userid }) => userid)]
    .map(([userid, periods]) => ({
      userid,
      duration: Math.floor(periods.reduce((sum, { ms }) => sum + ms, 0) / 1000),
      orders: new Set(periods.map(({ entryid }) => entryid)).size,
    }))
    .toSorted((a, b) => a.userid - b.userid);
}

/** `now`: UNIX seconds. */
function plannedOf(planned: readonly PlannedOrderFacts[], now: number): ShiftSummary['planned'] {
  const last = Number.MAX_SAFE_INTEGER;
  const awaited = planned
    .filter((one) => one.status === 'open' || isLate(one, now))
    .toSorted((a, b) => (a.due ?? last) - (b.due ?? last) || a.planned_orderid - b.planned_orderid);
  return {
    open: awaited.filter(({ status }) => status === 'open').length,
    late: awaited.filter((one) => isLate(one, now)).length,
    list: awaited
      .slice(0, mostNamed)
      .map(({ planned_orderid, workorderid, guideid, userid, status, due }) => ({
        planned_orderid,
        workorderid,
        guideid,
        userid,
        status,
        due: due === null ? null : iso(due * 1000),
        late: isLate({ due, status }, now),
      })),
  };
}

/** Everyone who appears in a summary, in the order of their numbers. */
function peopleIn(maker: number, { orders, values, deviations, times, planned }: SummaryContent): number[] {
  const all = [
    maker,
    ...[...orders, ...values, ...times].map(({ userid }) => userid),
    ...deviations.list.flatMap(({ userid, decision }) => [
      userid,
      ...(decision === null ? [] : [decision.userid]),
    ]),
    ...planned.list.flatMap(({ userid }) => userid ?? []),
  ];
  return [...new Set(all)].toSorted((a, b) => a - b);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
