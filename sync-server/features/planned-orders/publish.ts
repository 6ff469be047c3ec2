import type { EarlierRevision, PlannedOrderFacts } from '#shared/model/planned-orders.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import { wasAssigned } from '#shared/rules/planned-orders.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { foldEntry } from '#shared/rules/work-log.ts';
import type { Context } from '#server/core/context.ts';
import { teamsOf } from '#server/core/viewer.ts';
import { findPresent, nextNumber } from '#server/storage/feed.ts';

import { tellDeviation } from '../deviations/follow-up.ts';
import { can, plannedAudience } from './access.ts';
import { followOrder } from './release-texts.ts';

/** Stores a planned order that changed, as its next revision. */
export async function storeAgain(ctx: Context, changed: PlannedOrderFacts): Promise<PlannedOrderFacts> {
  const { planned_orderid, guideid, release, workorderid, userid, teamid, status, entryid } = changed;
  const [before] = await findPresent(ctx, 'plannedOrders', [planned_orderid]);
  await ctx.db
    .updateTable('planned_orders')
    .set({ guideid, workorderid, userid, teamid, status, entryid, releaseid: release?.releaseid ?? null })
    .where('planned_orderid', '=', planned_orderid)
    .execute();
  const facts = { ...changed, revisionid: await nextNumber(ctx.db, 'revision') };
  ctx.changes.put('plannedOrders', planned_orderid, facts, plannedAudience(facts));
  await tellDeviation(ctx, facts);
  await followOrder(ctx, before, facts);
  return facts;
}

/**
 * Settles whether a new entry fulfils the planned order that its start named.
 *
 * - PLANNED-4 The first start that arrives fulfils a planned order. An entry whose start arrives later, or after the
 *   planned order was withdrawn, given to somebody else or changed to another guide, is one of its own, and the planned
 *   order names it, so that both people and the lead are told. Nothing that was recorded is lost.
 */
export async function settleStart(
  ctx: Context,
  planned: PlannedOrderFacts,
  entry: EntryFacts,
  earlier?: EarlierRevision,
): Promise<void> {
  const { entryid, guideid } = entry;
  const { userid } = foldEntry(entry);
  const isOfOthers = wasAssigned(planned, ctx.viewer) && !can(ctx.viewer, 'planned.plan', planned);
  const isOtherWork = guideid !== planned.guideid;
  const other = {
    entryid,
    userid,
    ...(isOfOthers ? { reassigned: true as const } : {}),
    ...(isOtherWork ? { other_guide: true as const } : {}),
  };
  const behind = earlier === undefined ? {} : { earlier_revision: earlier };
  await storeAgain(
    ctx,
    planned.status === 'open' && !isOfOthers && !isOtherWork
      ? { ...planned, status: 'started', entryid, holders: [userid], ...behind }
      : { ...planned, others: [...planned.others, other] },
  );
}

/**
 * Changes the planned order that an entry fulfils as the entry moves.
 *
 * - PLANNED-5 The planned order is done when its entry is finished, and open again when its entry is cancelled or
 *   deleted. A hand-over keeps the link, and shows the planned order to the next person.
 */
export async function followFulfilment(ctx: Context, entry: EntryFacts): Promise<void> {
  const planned = await plannedOf(ctx, entry);
  if (planned?.entryid !== entry.entryid) return;
  const { status, participants } = foldEntry(entry);
  if (status === 'cancelled') await storeAgain(ctx, reopened(planned));
  else {
    const hasSwitched = entry.revisions?.some(({ decision }) => decision === 'switch') === true;
    const next: PlannedOrderFacts = {
      ...(hasSwitched ? withoutEarlier(planned) : planned),
      status: status === 'complete' ? 'done' : 'started',
      holders: participants,
    };
    if (!sameValue(next, planned)) await storeAgain(ctx, next);
  }
}

/** Unlinks an entry that is about to be deleted from its planned order (PLANNED-5). */
export async function releasePlanned(ctx: Context, entry: EntryFacts): Promise<void> {
  const planned = await plannedOf(ctx, entry);
  if (planned === undefined) return;
  const { entryid } = entry;
  const others = planned.others.filter((one) => one.entryid !== entryid);
  await storeAgain(ctx, planned.entryid === entryid ? reopened(planned) : { ...planned, others });
}

function reopened(planned: PlannedOrderFacts): PlannedOrderFacts {
  return { ...withoutEarlier(planned), status: 'open', entryid: null, holders: [] };
}

function withoutEarlier({ earlier_revision: _earlier, ...planned }: PlannedOrderFacts): PlannedOrderFacts {
  return planned;
}

async function plannedOf(
  ctx: Context,
  { planned_orderid }: EntryFacts,
): Promise<PlannedOrderFacts | undefined> {
  if (planned_orderid === undefined) return undefined;
  const [planned] = await findPresent(ctx, 'plannedOrders', [planned_orderid]);
  return planned;
}

/**
 * Gives the planned orders of a person the teams of the person.
 *
 * - PLANNED-3 When a person joins or leaves a team, its lead gains or loses what is planned for the person. What is
 *   over stays with the leads of that time.
 */
export async function followMembership(ctx: Context, userid: number): Promise<void> {
  const rows = await ctx.db
    .selectFrom('planned_orders')
    .select('planned_orderid')
    .where('userid', '=', userid)
    .where('status', 'in', ['open', 'started'])
    .execute();
  if (rows.length === 0) return;
  const teamids = await teamsOf(ctx.db, userid);
  const ids = rows.map(({ planned_orderid }) => planned_orderid);
  for (const facts of await findPresent(ctx, 'plannedOrders', ids)) {
    const changed = { ...facts, teamids };
    ctx.changes.put('plannedOrders', facts.planned_orderid, changed, plannedAudience(changed));
  }
}
