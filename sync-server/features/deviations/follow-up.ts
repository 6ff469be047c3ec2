import type { PlannedOrderFacts } from '#shared/model/planned-orders.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import type { Context } from '#server/core/context.ts';
import { findPresent } from '#server/storage/feed.ts';

import { audienceOfEntry } from '../work-log/policy.ts';

/**
 * Publishes the state of a planned order in the deviation that it follows up, if it follows one.
 *
 * - FOLLOW-UP-3 A deviation names its follow-up order and the state of that to everyone who sees the deviation. The order
 *   names the deviation to everyone who sees the order, and so do the records of both work orders.
 */
export async function tellDeviation(
  ctx: Context,
  { planned_orderid, workorderid, status, follows }: PlannedOrderFacts,
): Promise<void> {
  if (follows === undefined) return;
  const { deviationid, entryid } = follows;
  const [facts] = await findPresent(ctx, 'deviations', [deviationid]);
  const [entry] = await findPresent(ctx, 'workLog', [entryid]);
  if (facts === undefined || entry === undefined) return;
  const isReplaced = status === 'withdrawn' && facts.follow_up?.planned_orderid !== planned_orderid;
  const follow_up = { planned_orderid, workorderid, status };
  if (isReplaced || sameValue(facts.follow_up, follow_up)) return;
  ctx.changes.put('deviations', deviationid, { ...facts, follow_up }, await audienceOfEntry(ctx, entry));
}
