import type { PlannedOrderFacts } from '#shared/model/planned-orders.ts';
import type { Context } from '#server/core/context.ts';
import { nextNumber } from '#server/storage/feed.ts';

import { tellDeviation } from '../deviations/follow-up.ts';
import { plannedAudience } from './access.ts';
import { followOrder } from './release-texts.ts';

/** What a planner decides about an order. */
export type Planned = Pick<
  PlannedOrderFacts,
  | 'guideid'
  | 'release'
  | 'workorderid'
  | 'userid'
  | 'teamid'
  | 'teamids'
  | 'due'
  | 'priority'
  | 'serials'
  | 'note'
  | 'planned_by'
  | 'follows'
>;

/**
 * Stores a new planned order and publishes it. `key`: of the call that creates it. Returns undefined if the series has an
 * order for this occurrence already, or the deviation a follow-up order that is not withdrawn.
 */
export async function insertPlanned(
  ctx: Context,
  planned: Planned,
  series: PlannedOrderFacts['series'],
  key: string | null,
): Promise<PlannedOrderFacts | undefined> {
  const { guideid, release, workorderid, userid, teamid } = planned;
  const { seriesid = null, occurrence = null } = series ?? {};
  const { deviationid = null } = planned.follows ?? {};
  const row = await ctx.db
    .insertInto('planned_orders')
    .values({
      guideid,
      workorderid,
      userid,
      teamid,
      status: 'open',
      entryid: null,
      seriesid,
      occurrence,
      deviationid,
      releaseid: release?.releaseid ?? null,
    })
    .onConflict((is) => is.doNothing())
    .returning('planned_orderid')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { planned_orderid } = row;
  const facts: PlannedOrderFacts = {
    planned_orderid,
    ...(key === null ? {} : { key }),
    revisionid: await nextNumber(ctx.db, 'revision'),
    ...planned,
    status: 'open',
    planned_date: ctx.seconds,
    entryid: null,
    holders: [],
    others: [],
    ...(series === undefined ? {} : { series }),
  };
  ctx.changes.put('plannedOrders', planned_orderid, facts, plannedAudience(facts));
  await tellDeviation(ctx, facts);
  await followOrder(ctx, undefined, facts);
  if (key !== null) ctx.created(key, planned_orderid);
  return facts;
}
