import { forbidden, invalid, notFound } from '#shared/api/problem.ts';
import type { PlannedOrderFacts } from '#shared/model/planned-orders.ts';
import { wasAssigned } from '#shared/rules/planned-orders.ts';
import type { Context } from '#server/core/context.ts';
import { teamsOf } from '#server/core/viewer.ts';
import { findPresent } from '#server/storage/feed.ts';

import { mustSeeDeviation } from '../deviations/policy.ts';
import { findPerson } from '../users/store.ts';
import { can } from './access.ts';

/** The planned order, if the viewer may see it. */
export async function findPlanned(
  ctx: Context,
  planned_orderid: number,
): Promise<PlannedOrderFacts | undefined> {
  const [facts] = await findPresent(ctx, 'plannedOrders', [planned_orderid]);
  return facts !== undefined && can(ctx.viewer, 'planned.see', facts) ? facts : undefined;
}

/**
 * The planned order that a start names, if the viewer may see it, or was to do it before it was given to others.
 * `occurrence`: which order of a series it is. After a
 * restore the series has another one for that time (PLANNED-8).
 */
export async function findNamed(
  ctx: Context,
  planned_orderid: number | undefined,
  occurrence: { seriesid: number; occurrence: number } | undefined,
): Promise<PlannedOrderFacts | undefined> {
  const planned = planned_orderid === undefined ? undefined : await findOwn(ctx, planned_orderid);
  if (planned !== undefined || occurrence === undefined) return planned;
  const row = await ctx.db
    .selectFrom('planned_orders')
    .select('planned_orderid')
    .where('seriesid', '=', occurrence.seriesid)
    .where('occurrence', '=', occurrence.occurrence)
    .executeTakeFirst();
  return row === undefined ? undefined : findOwn(ctx, row.planned_orderid);
}

async function findOwn(ctx: Context, planned_orderid: number): Promise<PlannedOrderFacts | undefined> {
  const [facts] = await findPresent(ctx, 'plannedOrders', [planned_orderid]);
  if (facts === undefined) return undefined;
  return can(ctx.viewer, 'planned.see', facts) || wasAssigned(facts, ctx.viewer) ? facts : undefined;
}

/** The planned order; throws the same 404 if it does not exist or may not be seen. */
export async function mustSeePlanned(ctx: Context, planned_orderid: number): Promise<PlannedOrderFacts> {
  const facts = await findPlanned(ctx, planned_orderid);
  if (facts === undefined) throw notFound('Planned order');
  return facts;
}

/** The planned order; throws 404 as above, 403 unless the caller plans for those who are to do it. */
export async function mustChangePlanned(ctx: Context, planned_orderid: number): Promise<PlannedOrderFacts> {
  const facts = await mustSeePlanned(ctx, planned_orderid);
  mustPlanFor(ctx, facts);
  return facts;
}

/** Throws 404 unless the caller sees the deviation, 403 unless they plan for anybody (FOLLOW-UP-1). */
export async function mustPlanFollowUp(ctx: Context, deviationid: number): Promise<void> {
  await mustSeeDeviation(ctx, deviationid);
  mustPlanFor(ctx, { teamids: ctx.viewer.leads });
}

/** Throws 403 unless the caller plans for these teams. */
export function mustPlanFor(ctx: Context, to: Pick<PlannedOrderFacts, 'teamids'>): void {
  if (!can(ctx.viewer, 'planned.plan', to))
    throw forbidden('Only a lead plans orders for the members of a team', ['Admin']);
}

/** Who is to do a planned order, with the teams whose leads see it. */
export type Assignee = Pick<PlannedOrderFacts, 'userid' | 'teamid' | 'teamids'>;

/** The person or team that a body names. Throws 422 unless it names one that exists. */
export async function readAssignee(
  ctx: Context,
  { userid, teamid }: { userid?: number | undefined; teamid?: number | undefined },
): Promise<Assignee> {
  if ((userid === undefined) === (teamid === undefined))
    throw invalid('userid', 'Name either a person or a team');
  if (userid !== undefined) {
    if ((await findPerson(ctx.db, userid)) === undefined) throw invalid('userid', 'There is no such person');
    return { userid, teamid: null, teamids: await teamsOf(ctx.db, userid) };
  }
  const team = await ctx.db
    .selectFrom('teams')
    .select('teamid')
    .where('teamid', '=', teamid ?? 0)
    .executeTakeFirst();
  if (team === undefined) throw invalid('teamid', 'There is no such team');
  return { userid: null, teamid: team.teamid, teamids: [team.teamid] };
}
