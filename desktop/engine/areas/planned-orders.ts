import { type Observable, combineLatest, firstValueFrom, map } from 'rxjs';

import { plannedNoteLimit } from '#shared/api/planned-orders.ts';
import { notFound } from '#shared/api/problem.ts';
import type { DeviationFacts } from '#shared/model/deviations.ts';
import { serialLimit, serialsLimit } from '#shared/api/work-log.ts';
import type { TeamFacts } from '#shared/model/user.ts';
import type { Lead } from '#shared/rules/deviations.ts';
import { isBeyondKiosk } from '#shared/rules/kiosk.ts';
import { isAssigned, plansFor } from '#shared/rules/planned-orders.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { previousRevision } from '#shared/sync/wire.ts';

import type {
  Assignee,
  FollowedDeviationView,
  OrderPlan,
  PlannedOrderView,
  PlanningFor,
} from '../api/planned-records.ts';
import {
  type ActionContext,
  bodyId,
  impossible,
  laneOf,
  newTemporaryId,
  openCallsOf,
} from '../features/action-context.ts';
import { toLive } from '../features/live.ts';
import { leadOf } from '../features/records/lead.ts';
import { type LocalPlanned, localPlanned } from '../features/records/overlay/planned.ts';
import type { Sources } from '../features/records/sources.ts';
import type { Services } from '../features/services.ts';
import { startEntry } from '../features/start-entry.ts';
import type { PlannedContext, PlannedFields } from '../outbox/kinds/planned-orders.ts';
import type { NewCall } from '../platform/ports.ts';

/** Live reads of planned orders, from what is on this device. */
export function plannedViews({ sources }: Services) {
  return {
    /** The planned orders that this person sees, by due time; those without one are last. */
    plannedOrders: () => toLive(plannedOrders(sources)),
    /** For whom this person plans. */
    planningFor: () => toLive(planningFor(sources)),
  };
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function plannedOrders(sources: Sources): Observable<PlannedOrderView[]> {
  const { core, resolve } = sources;
  return combineLatest([
    core.mirror.all('plannedOrders'),
    core.mirror.all('deviations'),
    sources.calls,
    sources.me,
    sources.people,
    sources.names,
    sources.rows,
  ]).pipe(
    map(([records, deviations, calls, me, { teams }, names, rows]) => {
      const around: Around = {
        lead: leadOf(me, teams),
        isKiosk: isBeyondKiosk(me, 'planned.plan'),
        teams,
        names,
        titles: new Map(rows.map(({ id, title }) => [id, title])),
        deviations: new Map(deviations.map(({ id, facts }) => [id, facts])),
      };
      return localPlanned(records, calls, resolve)
        .map((one) => viewOf(one, around, sources))
        .toSorted(byDue);
    }),
  );
}

function byDue(a: PlannedOrderView, b: PlannedOrderView): number {
  return (
    (a.due ?? Number.MAX_SAFE_INTEGER) - (b.due ?? Number.MAX_SAFE_INTEGER) ||
    collator.compare(a.workorderid, b.workorderid)
  );
}

/** What is shown of planned orders besides their facts. */
interface Around {
  lead: Lead;
  isKiosk: boolean;
  teams: readonly TeamFacts[];
  names: ReadonlyMap<number, string>;
  titles: ReadonlyMap<string, string>;
  deviations: ReadonlyMap<string, DeviationFacts>;
}

function viewOf(local: LocalPlanned, around: Around, { core, resolve }: Sources): PlannedOrderView {
  const { userid, teamid } = local;
  const { lead, teams, names, titles } = around;
  const nameOf = (id: number): string => names.get(id) ?? '';
  const guideid = resolve(local.guideid);
  const teamids = local.seq === null ? teamidsOf({ userid, teamid }, teams) : local.teamids;
  const mine = { userid: lead.userid, teams: teamidsOf({ userid: lead.userid, teamid: null }, teams) };
  return {
    planned_orderid: local.id,
    revisionid: local.revisionid,
    guideid,
    guideTitle: titles.get(guideid) ?? '',
    workorderid: local.workorderid,
    assignee: userid === null ? { kind: 'team', id: teamid ?? 0 } : { kind: 'person', id: userid },
    assigneeName: assigneeNameOf(local, around),
    mine: isAssigned(local, mine),
    due: local.due === null ? null : local.due * 1000 - core.clock.offset(),
    priority: local.priority,
    serials: local.serials,
    note: local.note,
    rrule: local.rrule,
    status: local.status,
    plannedBy: nameOf(local.plannedBy),
    entryid: local.entryid === null ? null : resolve(local.entryid),
    startedBy: local.startedBy === null ? null : nameOf(local.startedBy),
    others: local.others.map((one) => ({ entryid: resolve(one.entryid), username: nameOf(one.userid) })),
    follows: followedView(local, around),
    plans: local.status === 'open' && !around.isKiosk && plansFor(lead, teamids),
    starts: local.status === 'open' && titles.has(guideid),
    pending: local.isPending,
  };
}

/** The name of the person or team that is to do a planned order. */
export function assigneeNameOf(
  { userid, teamid }: Pick<PlannedFields, 'userid' | 'teamid'>,
  { teams, names }: Pick<Around, 'teams' | 'names'>,
): string {
  if (userid !== null) return names.get(userid) ?? '';
  return teams.find((team) => team.teamid === teamid)?.name ?? '';
}

/** A waiting follow-up order has the words of its deviation from the mirror, which loses them with the access. */
function followedView(
  { deviationid, follows }: LocalPlanned,
  { deviations }: Around,
): FollowedDeviationView | null {
  const followed = follows ?? deviations.get(deviationid ?? '');
  if (deviationid === null || followed === undefined) return null;
  const { workorderid, title } = followed;
  return { deviationid, entryid: String(followed.entryid), workorderid, title };
}

/** The team, or the teams of the person. */
function teamidsOf(to: Pick<PlannedFields, 'userid' | 'teamid'>, teams: readonly TeamFacts[]): number[] {
  if (to.teamid !== null) return [to.teamid];
  return teams.flatMap(({ teamid, members }) =>
    to.userid !== null && members.includes(to.userid) ? [teamid] : [],
  );
}

function planningFor({ me, people }: Sources): Observable<PlanningFor> {
  return combineLatest([me, people]).pipe(
    map(([own, everybody]) => {
      const lead = leadOf(own, everybody.teams);
      const teams = everybody.teams.filter(({ teamid }) => plansFor(lead, [teamid]));
      const members = new Set(teams.flatMap((team) => team.members));
      const persons = everybody.people.filter(
        ({ userid, enabled }) => enabled && (lead.isAdmin || members.has(userid)),
      );
      return {
        people: persons
          .map(({ userid, username }) => ({ userid, username }))
          .toSorted((a, b) => collator.compare(a.username, b.username)),
        teams: teams
          .map(({ teamid, name }) => ({ teamid, name }))
          .toSorted((a, b) => collator.compare(a.name, b.name)),
      };
    }),
  );
}

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

async function change(context: ActionContext, seen: PlannedOrderView, plan: OrderPlan): Promise<void> {
  await mustBeOpen(context, seen.planned_orderid);
  const after = await fieldsOfPlan(context, plan);
  const before = toFields(context, seen);
  const names = Object.keys(after) as (keyof PlannedFields)[];
  const changed = names.filter((name) => !sameValue(after[name], before[name]));
  if (changed.length === 0) return;
  const fields = Object.fromEntries(changed.map((name) => [name, after[name]])) as PlannedContext;
  await context.sources.core.outbox.add([
    {
      ...callAbout(context, seen),
      kind: 'planned-edit',
      method: 'PATCH',
      path: `/work_orders/${context.resolve(seen.planned_orderid)}`,
      body: bodyOf(fields),
      subject: after.workorderid,
      context: fields,
    },
  ]);
}

async function withdraw(context: ActionContext, seen: PlannedOrderView, following: boolean): Promise<void> {
  await mustBeOpen(context, seen.planned_orderid);
  await context.sources.core.outbox.add([
    {
      ...callAbout(context, seen),
      kind: 'planned-withdraw',
      method: 'POST',
      path: `/work_orders/${context.resolve(seen.planned_orderid)}/withdraw`,
      body: following ? { following } : {},
      subject: seen.workorderid,
      context: {} satisfies PlannedContext,
    },
  ]);
}

async function startPlanned(context: ActionContext, planned_orderid: string): Promise<string> {
  const { guideid, workorderid, series, serials } = await mustBeOpen(context, planned_orderid);
  const occurrence = series && { seriesid: series.seriesid, occurrence: series.occurrence };
  return startEntry(context, { guideid, workorderid, planned_orderid, occurrence, serials });
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

/** The body of a call, without `userid`, `teamid` and `rrule` where they are null. */
export function bodyOf({ guideid, userid, teamid, rrule, ...fields }: PlannedContext): object {
  return {
    ...fields,
    ...(guideid === undefined ? {} : { guideid: bodyId(guideid) }),
    ...(userid == null ? {} : { userid }),
    ...(teamid == null ? {} : { teamid }),
    ...(rrule == null ? {} : { rrule }),
  };
}
