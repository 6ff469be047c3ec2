import type { NewPlannedOrder, PlannedOrderEdit, PlannedOrderFilter } from '#shared/api/planned-orders.ts';
import { conflict, invalid } from '#shared/api/problem.ts';
import type { PlannedOrder, PlannedOrderFacts } from '#shared/model/planned-orders.ts';
import { must } from '#shared/must.ts';
import { mustUserid, type Context, type Remembered } from '#server/core/context.ts';
import { findDocuments, visibleAudiences } from '#server/storage/feed.ts';
import { readPage } from '#server/storage/read-page.ts';

import { mustSeeGuide } from '../guides/policy.ts';
import { insertPlanned, type Planned } from './insert.ts';
import { mustPlanFor, mustSeePlanned, readAssignee, type Assignee } from './policy.ts';
import { storeAgain } from './publish.ts';
import { readRelease } from './release-texts.ts';
import { endSeries, planSeries } from './series.ts';

/** An audience without members, so that the list in the query is never empty. */
const nobody = 0;

function recordOf({ uid: _uid, key: _key, formerly: _formerly, ...facts }: PlannedOrderFacts): PlannedOrder {
  return facts;
}

/** A planned order as a record; throws 404 if the viewer may not see it. */
export async function representPlanned(ctx: Context, planned_orderid: number): Promise<PlannedOrder> {
  return recordOf(await mustSeePlanned(ctx, planned_orderid));
}

/** The answer to a call that changed a planned order. */
export function answered(ctx: Context, facts: PlannedOrderFacts): Promise<Remembered<PlannedOrder>> {
  return ctx.respondWithRecord('plannedOrder', facts.planned_orderid, recordOf(facts));
}

/** A page of the planned orders that the viewer may see, ordered by planned_orderid. */
export async function listPlanned(ctx: Context, filter: PlannedOrderFilter): Promise<PlannedOrder[]> {
  const visible = [nobody, ...(await visibleAudiences(ctx.db, ctx.viewer.principals))];
  let select = ctx.db
    .selectFrom('planned_orders')
    .crossJoin('documents')
    .where('documents.collection', '=', 'plannedOrders')
    .where((eb) => eb('documents.id', '=', eb.cast<string>('planned_orderid', 'text')))
    .where('documents.audience', 'in', visible)
    .select('planned_orderid');
  if (filter.guideid !== undefined) select = select.where('guideid', '=', filter.guideid);
  if (filter.userid !== undefined) select = select.where('userid', '=', filter.userid);
  if (filter.teamid !== undefined) select = select.where('teamid', '=', filter.teamid);
  if (filter.workorderid !== undefined) select = select.where('workorderid', '=', filter.workorderid);
  if (filter.status !== undefined) select = select.where('status', '=', filter.status);
  if (filter.deviationid !== undefined) select = select.where('deviationid', '=', filter.deviationid);
  const rows = await readPage(
    ctx,
    select.orderBy('planned_orderid', filter.order === 'ASC' ? 'asc' : 'desc'),
    filter,
  );
  const ids = rows.map(({ planned_orderid }) => planned_orderid);
  return (await findDocuments(ctx.db, 'plannedOrders', ids)).map(recordOf);
}

/**
 * Plans an order.
 *
 * - PLANNED-1 A planned order says who is to work by which guide, under which number, until when, how urgent it is, on
 *   which serial or lot numbers, and who planned it.
 * - PLANNED-2 Leads plan for their teams and for the members of those, stations included; administrators plan for
 *   everybody. Whoever is to do the work sees it, and so do their leads. Nobody else does.
 */
export async function planOrder(ctx: Context, body: NewPlannedOrder): Promise<Remembered<PlannedOrder>> {
  const { guideid, workorderid, due = null, priority = 'normal', serials = [], note = '' } = body;
  const { releaseid, rrule } = body;
  const assignee = await readAssignee(ctx, body);
  mustPlanFor(ctx, assignee);
  await mustSeeGuide(ctx, guideid);
  const planned: Planned = {
    guideid,
    ...(releaseid == null ? {} : { release: await readRelease(ctx, guideid, releaseid) }),
    workorderid,
    ...assignee,
    due,
    priority,
    serials,
    note,
    planned_by: mustUserid(ctx),
  };
  const facts =
    rrule === undefined
      ? await insertPlanned(ctx, planned, undefined, ctx.key)
      : await planSeries(ctx, planned, rrule);
  return answered(ctx, must(facts, 'the planned order'));
}

/** The planned order, to be changed. Throws 409 if it changed since `revisionid`, 422 if it is not open. */
async function mustBeOpen(
  ctx: Context,
  planned_orderid: number,
  revisionid: number,
): Promise<PlannedOrderFacts> {
  const facts = await mustSeePlanned(ctx, planned_orderid);
  if (facts.revisionid !== revisionid) throw conflict(recordOf(facts));
  if (facts.status !== 'open') throw invalid('status', `This planned order is ${facts.status}`);
  return facts;
}

/**
 * Changes a planned order.
 *
 * - PLANNED-6 A planned order is changed and withdrawn while nobody has started it. The call names the revision that the
 *   planner saw: 409 if somebody changed or started it meanwhile.
 */
export async function editPlanned(
  ctx: Context,
  planned_orderid: number,
  { userid, teamid, releaseid, ...edit }: PlannedOrderEdit,
  revisionid: number,
): Promise<Remembered<PlannedOrder>> {
  const facts = await mustBeOpen(ctx, planned_orderid, revisionid);
  const isReassigned = userid !== undefined || teamid !== undefined;
  const assignee = isReassigned ? await reassigned(ctx, facts, { userid, teamid }) : {};
  const { guideid = facts.guideid } = edit;
  if (guideid !== facts.guideid) await mustSeeGuide(ctx, guideid);
  const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined));
  const { release: before, ...rest } = facts;
  const kept = releaseid === undefined && guideid === facts.guideid ? before : undefined;
  const release = releaseid == null ? kept : await readRelease(ctx, guideid, releaseid);
  const named = release === undefined ? {} : { release };
  return answered(ctx, await storeAgain(ctx, { ...rest, ...given, ...assignee, ...named }));
}

/** Who is to do an order from now on, and who was to do it before. */
async function reassigned(
  ctx: Context,
  { userid, teamid, formerly = [] }: PlannedOrderFacts,
  named: { userid: number | undefined; teamid: number | undefined },
): Promise<Assignee & Pick<PlannedOrderFacts, 'formerly'>> {
  const assignee = await readAssignee(ctx, named);
  mustPlanFor(ctx, assignee);
  const isNew = (one: Pick<Assignee, 'userid' | 'teamid'>): boolean =>
    one.userid !== assignee.userid || one.teamid !== assignee.teamid;
  const former = [...formerly, { userid, teamid }].filter(isNew);
  const unique = new Map(former.map((one) => [`${one.userid} ${one.teamid}`, one]));
  return { ...assignee, formerly: [...unique.values()] };
}

/** Withdraws a planned order (PLANNED-6). It stays as a record. `following`: its series ends, too. */
export async function withdrawPlanned(
  ctx: Context,
  planned_orderid: number,
  following: boolean,
  revisionid: number,
): Promise<Remembered<PlannedOrder>> {
  const facts = await mustBeOpen(ctx, planned_orderid, revisionid);
  if (following) await endSeries(ctx, facts);
  return answered(ctx, await storeAgain(ctx, { ...facts, status: 'withdrawn' }));
}
