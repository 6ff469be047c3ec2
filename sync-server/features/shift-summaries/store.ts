import { createHash } from 'node:crypto';

import type { NewShiftSummary, ShiftSummaryFilter } from '#shared/api/shift-summaries.ts';
import { invalid } from '#shared/api/problem.ts';
import type {
  ShiftSummaryFacts,
  ShiftSummaryHead,
  ShiftSummaryRecord,
} from '#shared/model/shift-summaries.ts';
import { canonicalJson } from '#shared/rules/canonical-json.ts';
import { spanRefusal } from '#shared/rules/shift-span.ts';
import { mustUserid, type Context, type Remembered } from '#server/core/context.ts';
import { findDocuments, visibleAudiences } from '#server/storage/feed.ts';
import { readPage } from '#server/storage/read-page.ts';

import { summaryAudience } from './access.ts';
import { gatherWork } from './gather.ts';
import { mustFindTeam, mustMakeFor, mustSeeSummary } from './policy.ts';
import { shiftSummaryOf } from './summary.ts';

/** An audience without members, so that the list in the query is never empty. */
const nobody = 0;

function recordOf({ uid: _uid, key: _key, ...facts }: ShiftSummaryFacts): ShiftSummaryRecord {
  return facts;
}

function headOf({ shift_summaryid, teamid, sha256, summary }: ShiftSummaryFacts): ShiftSummaryHead {
  const { from, to, computed, made_by, note } = summary;
  const seconds = (time: string): number => Math.floor(Date.parse(time) / 1000);
  return {
    shift_summaryid,
    teamid,
    from: seconds(from),
    to: seconds(to),
    computed: seconds(computed),
    userid: made_by.userid,
    note,
    sha256,
  };
}

/** A summary as a record; throws 404 if the viewer may not see it. */
export async function representSummary(ctx: Context, shift_summaryid: number): Promise<ShiftSummaryRecord> {
  return recordOf(await mustSeeSummary(ctx, shift_summaryid));
}

/** A page of the summaries that the viewer may see, ordered by shift_summaryid. */
export async function listSummaries(ctx: Context, filter: ShiftSummaryFilter): Promise<ShiftSummaryHead[]> {
  const visible = [nobody, ...(await visibleAudiences(ctx.db, ctx.viewer.principals))];
  let select = ctx.db
    .selectFrom('shift_summaries')
    .crossJoin('documents')
    .where('documents.collection', '=', 'shiftSummaries')
    .where((eb) => eb('documents.id', '=', eb.cast<string>('shift_summaryid', 'text')))
    .where('documents.audience', 'in', visible)
    .select('shift_summaryid');
  if (filter.teamid !== undefined) select = select.where('teamid', '=', filter.teamid);
  const rows = await readPage(
    ctx,
    select.orderBy('shift_summaryid', filter.order === 'ASC' ? 'asc' : 'desc'),
    filter,
  );
  const ids = rows.map(({ shift_summaryid }) => shift_summaryid);
  return (await findDocuments(ctx.db, 'shiftSummaries', ids)).map(headOf);
}

/**
 * Makes a summary. Throws 422 for a team that does not exist and for a span that is empty or longer than a week.
 *
 * - SHIFT-1 A lead makes a summary of what their team did in a span of time, with a note for the next shift; administrators
 *   make one of any team. The server computes it when the call arrives, and says when that was.
 * - SHIFT-2 A summary never changes. The server stores its SHA-256, which readers can compute again; the database refuses to
 *   change that.
 */
export async function makeSummary(
  ctx: Context,
  { teamid, from, to, note = '' }: NewShiftSummary,
): Promise<Remembered<ShiftSummaryRecord>> {
  const team = { teamid, name: await mustFindTeam(ctx, teamid) };
  mustMakeFor(ctx, [teamid]);
  const refusal = spanRefusal({ from, to });
  if (refusal !== null) throw invalid('to', refusal);
  const work = await gatherWork(ctx, { teamid, from });
  const made = { team, from, to, note, computed: ctx.services.now(), userid: mustUserid(ctx) };
  const summary = await shiftSummaryOf(ctx, made, work);
  const sha256 = createHash('sha256').update(canonicalJson(summary), 'utf8').digest('hex');
  const { shift_summaryid } = await ctx.db
    .insertInto('shift_summaries')
    .values({ teamid, from_date: from, to_date: to, sha256 })
    .returning('shift_summaryid')
    .executeTakeFirstOrThrow();
  const facts: ShiftSummaryFacts = {
    shift_summaryid,
    ...(ctx.key === null ? {} : { key: ctx.key }),
    teamid,
    sha256,
    summary,
  };
  ctx.changes.put('shiftSummaries', shift_summaryid, facts, summaryAudience(teamid));
  if (ctx.key !== null) ctx.created(ctx.key, shift_summaryid);
  return ctx.respondWithRecord('shiftSummary', shift_summaryid, recordOf(facts));
}
