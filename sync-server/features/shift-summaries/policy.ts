import { forbidden, invalid, notFound } from '#shared/api/problem.ts';
import type { ShiftSummaryFacts } from '#shared/model/shift-summaries.ts';
import type { Context } from '#server/core/context.ts';
import { findPresent } from '#server/storage/feed.ts';

import { can } from './access.ts';

/** The summary; throws the same 404 if it does not exist or may not be seen. */
export async function mustSeeSummary(ctx: Context, shift_summaryid: number): Promise<ShiftSummaryFacts> {
  const [facts] = await findPresent(ctx, 'shiftSummaries', [shift_summaryid]);
  if (facts === undefined || !can(ctx.viewer, 'shift.see', facts)) throw notFound('Record', 'Shift summary');
  return facts;
}

/** Throws 403 unless the caller makes summaries of one of these teams. */
export function mustMakeFor(ctx: Context, teamids: readonly number[]): void {
  if (!can(ctx.viewer, 'shift.make', { teamids }))
    throw forbidden('Only a lead makes summaries of a team', ['Admin']);
}

/** The name of a team; throws 422 if there is none. */
export async function mustFindTeam(ctx: Context, teamid: number): Promise<string> {
  const team = await ctx.db
    .selectFrom('teams')
    .select('name')
    .where('teamid', '=', teamid)
    .executeTakeFirst();
  if (team === undefined) throw invalid('teamid', 'There is no such team');
  return team.name;
}
