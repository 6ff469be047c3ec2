import { combineLatest, firstValueFrom } from 'rxjs';

import { oldestSeriesDays, plannedNoteLimit } from '#shared/api/planned-orders.ts';
import { notFound } from '#shared/api/problem.ts';
import { serialLimit, serialsLimit } from '#shared/api/work-log.ts';
import type { NamedRelease } from '#shared/model/release-facts.ts';
import { isBeyondKiosk } from '#shared/rules/kiosk.ts';
import { plansFor } from '#shared/rules/planned-orders.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { previousRevision } from '#shared/sync/wire.ts';

import type { Assignee, OrderPlan, PlannedOrderView } from '../api/planned-records.ts';
import {
  type ActionContext,
  bodyId,
  impossible,
  laneOf,
  newTemporaryId,
  openCallsOf,
} from '../features/action-context.ts';
import { leadOf } from '../features/records/lead.ts';
import { type LocalPlanned, localPlanned } from '../features/records/overlay/planned.ts';
import { teamidsOf } from '../features/records/teams.ts';
import { type EntryStart, startEntry } from '../features/start-entry.ts';
import type { PlannedContext, PlannedFields } from '../outbox/kinds/planned-orders.ts';
import type { NewCall } from '../platform/ports.ts';

/** Planning and starting. Each promise resolves when the change is journalled; the outbox sends it. */
export function plannedActions(context: ActionContext) {
  return {
    /** Plans orders, all or none. Throws `Problem` when this person may not, as far as this device knows. */
    planOrders: (plans: readonly OrderPlan[]) => planAll(context, plans),
    /** Changes a planned order. `seen`: as it was when the planner began. */
    changePlannedOrder: (seen: PlannedOrderView, plan: OrderPlan) => change(context, seen, plan),
    /** Withdraws a planned order. `following`: its series ends, and the orders that follow are withdrawn, too. */
    withdrawPlannedOrder: (seen: PlannedOrderView, following = false) => withdraw(context, seen, following),
    /** Starts a planned order. Returns the temporary entryid. */
    startPlannedOrder: (planned_orderid: string) => startPlanned(context, planned_orderid),
  };
}

async function planAll(context: ActionContext, plans: readonly OrderPlan[]): Promise<void> {
  const calls: NewCall[] = [];
  for (const plan of plans) {
    const fields = await fieldsOfPlan(context, plan);
    mustBeginLately(context, fields);
    const { key, id } = newTemporaryId(context);
    calls.push({
      id: key,
      kind: 'planned-create',
      lane: `planned:${key}`,
      method: 'POST',
      path: '/work_orders',
      body: bodyOf(fields),
      target: { collection: 'plannedOrders', id },
      subject: fields.workorderid,
      context: fields satisfies PlannedContext,
    });
  }
  await context.sources.core.outbox.add(calls);
}

/** Throws `Problem` for a series that the server would refuse, because it begins too long ago. */
function mustBeginLately({ sources }: ActionContext, { rrule, due }: PlannedFields): void {
  const oldest = sources.core.clock.serverNow() / 1000 - oldestSeriesDays * 24 * 3600;
  if (rrule !== null && due !== null && due < oldest)
    throw impossible(`An order that repeats is first due at most ${oldestSeriesDays} days ago`);
}

async function change(context: ActionContext, seen: PlannedOrderView, plan: OrderPlan): Promise<void> {
  const local = await mustBeOpen(context, seen.planned_orderid);
  const after = await fieldsOfPlan(context, plan);
  const before = toFields(context, seen);
  const names = Object.keys(after) as (keyof PlannedFields)[];
  const changed = names.filter((name) => !sameValue(after[name], before[name]));
  if (changed.length === 0) return;
  const fields: Partial<PlannedFields> = Object.fromEntries(changed.map((name) => [name, after[name]]));
  const about = callAbout(context, seen);
  await context.sources.core.outbox.add([
    {
      ...about,
      kind: 'planned-edit',
      method: 'PATCH',
      path: `/work_orders/${context.resolve(seen.planned_orderid)}`,
      body: bodyOf(fields),
      subject: after.workorderid,
      context: { ...fields, ...baseOf(about, local) } satisfies PlannedContext,
    },
  ]);
}

async function withdraw(context: ActionContext, seen: PlannedOrderView, following: boolean): Promise<void> {
  const local = await mustBeOpen(context, seen.planned_orderid);
  const about = callAbout(context, seen);
  await context.sources.core.outbox.add([
    {
      ...about,
      kind: 'planned-withdraw',
      method: 'POST',
      path: `/work_orders/${context.resolve(seen.planned_orderid)}/withdraw`,
      body: following ? { following } : {},
      subject: seen.workorderid,
      context: baseOf(about, local) satisfies PlannedContext,
    },
  ]);
}

async function startPlanned(context: ActionContext, planned_orderid: string): Promise<string> {
  const { guideid, workorderid, series, release, serials } = await mustBeOpen(context, planned_orderid);
  const occurrence = series && { seriesid: series.seriesid, occurrence: series.occurrence };
  const text = release === null ? {} : await textOf(context, release);
  return startEntry(context, { guideid, workorderid, planned_orderid, occurrence, serials, ...text });
}

/** The text of a release, by which an order is started. Throws `Problem` when it is not on this device. */
async function textOf(
  { sources }: ActionContext,
  release: NamedRelease,
): Promise<Pick<EntryStart, 'seen' | 'version' | 'release'>> {
  const { mirror } = sources.core;
  const id = String(release.releaseid);
  const [released, text] = [await mirror.get('releases', id), await mirror.get('releaseTexts', id)];
  if (released === null || text === null)
    throw impossible(
      `The text of ${release.title} is not on this device yet. Connect to the server, then start.`,
    );
  const { guide, forms } = text.facts;
  return { release, seen: released.facts.revision, version: { guide, forms } };
}

/** The lane, revision and target of a call about a planned order. */
function callAbout(
  context: ActionContext,
  seen: PlannedOrderView,
): Pick<NewCall, 'lane' | 'query' | 'target'> {
  const id = context.resolve(seen.planned_orderid);
  const isBehind = openCallsOf(context, 'plannedOrders', id).some(({ state }) => state !== 'parked');
  return {
    lane: laneOf(context, 'planned', 'plannedOrders', id),
    query: { revisionid: isBehind ? previousRevision : String(seen.revisionid) },
    target: { collection: 'plannedOrders', id },
  };
}

/** The order on which a call is made, if the call names its revision. */
function baseOf({ query }: Pick<NewCall, 'query'>, local: LocalPlanned): Pick<PlannedContext, 'base'> {
  if (query?.['revisionid'] !== String(local.revisionid) || local.isPending) return {};
  const { uid, guideid, release, workorderid, userid, teamid, due, priority, serials, note, rrule } = local;
  const fields = { guideid, release, workorderid, userid, teamid, due, priority, serials, note, rrule };
  return { base: { ...(uid === undefined ? {} : { uid }), fields } };
}

/** The planned order as this device shows it. Throws `Problem` if it is missing or not open. */
async function mustBeOpen(
  { sources, resolve }: ActionContext,
  planned_orderid: string,
): Promise<LocalPlanned> {
  const { mirror } = sources.core;
  const [records, calls] = await firstValueFrom(combineLatest([mirror.all('plannedOrders'), sources.calls]));
  const id = resolve(planned_orderid);
  const planned = localPlanned(records, calls, sources.resolve).find((one) => one.id === id);
  if (planned === undefined) throw notFound('Planned order');
  if (planned.status !== 'open') throw impossible('Somebody has started or withdrawn this planned order');
  return planned;
}

/** The plan as it is sent. Throws `Problem` for what the server would refuse, so that it stays in its form. */
export async function fieldsOfPlan(context: ActionContext, plan: OrderPlan): Promise<PlannedFields> {
  const { me, people } = context.sources;
  const [own, { teams }] = await firstValueFrom(combineLatest([me, people]));
  const fields = toFields(context, plan);
  if (fields.workorderid === '') throw impossible('Enter a work order number');
  if (fields.rrule !== null && fields.due === null)
    throw impossible('An order that repeats needs a due time');
  if (fields.note.length > plannedNoteLimit) throw impossible(`Write at most ${plannedNoteLimit} characters`);
  if (fields.serials.length > serialsLimit || fields.serials.some((one) => one.length > serialLimit))
    throw impossible(`Enter at most ${serialsLimit} numbers with at most ${serialLimit} characters each`);
  if (isBeyondKiosk(own, 'planned.plan') || !plansFor(leadOf(own, teams), teamidsOf(fields, teams)))
    throw impossible('Only a lead plans orders for the members of a team');
  return fields;
}

function toFields({ sources, resolve }: ActionContext, plan: OrderPlan): PlannedFields {
  const { due, assignee } = plan;
  return {
    guideid: resolve(plan.guideid),
    release: plan.release,
    workorderid: plan.workorderid.trim(),
    ...assigneeFields(assignee),
    due: due === null ? null : Math.floor((due + sources.core.clock.offset()) / 1000),
    priority: plan.priority,
    serials: plan.serials.map((one) => one.trim()).filter((one) => one !== ''),
    note: plan.note.trim(),
    rrule: plan.rrule,
  };
}

function assigneeFields({ kind, id }: Assignee): Pick<PlannedFields, 'userid' | 'teamid'> {
  return kind === 'person' ? { userid: id, teamid: null } : { userid: null, teamid: id };
}

/**
 * The body of a call, without `userid`, `teamid` and `rrule` where they are null. A guide is named with its release, which
 * may be none.
 */
export function bodyOf({ guideid, release, userid, teamid, rrule, ...fields }: PlannedContext): object {
  const releaseid = release?.releaseid ?? null;
  return {
    ...fields,
    ...(guideid === undefined ? {} : { guideid: bodyId(guideid) }),
    ...(guideid === undefined && release === undefined ? {} : { releaseid }),
    ...(userid == null ? {} : { userid }),
    ...(teamid == null ? {} : { teamid }),
    ...(rrule == null ? {} : { rrule }),
  };
}
