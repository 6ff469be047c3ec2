import { type Observable, combineLatest, firstValueFrom, map } from 'rxjs';

import { notFound } from '#shared/api/problem.ts';
import type { DeviationFacts } from '#shared/model/deviations.ts';
import { isBeyondKiosk } from '#shared/rules/kiosk.ts';
import { plansFor } from '#shared/rules/planned-orders.ts';

import type { FollowUpView, FollowUpsView, OrderPlan } from '../api/planned-records.ts';
import { type ActionContext, impossible, newTemporaryId } from '../features/action-context.ts';
import { toLive } from '../features/live.ts';
import { leadOf } from '../features/records/lead.ts';
import { isOpen } from '../features/records/overlay/applies.ts';
import { type LocalPlanned, localPlanned } from '../features/records/overlay/planned.ts';
import type { Sources } from '../features/records/sources.ts';
import type { Services } from '../features/services.ts';
import { isSecondFollowUp } from '../outbox/kinds/planned-orders.ts';
import { bodyOf, fieldsOfPlan } from './planned-orders.ts';
import { assigneeNameOf } from './planned-views.ts';

/** Live reads of follow-up orders, from what is on this device. */
export function followUpViews({ sources }: Services) {
  return {
    /** The follow-up orders of the deviations that this person sees. */
    followUps: () => toLive(followUps(sources)),
  };
}

function followUps(sources: Sources): Observable<FollowUpsView> {
  const { mirror } = sources.core;
  const { calls, me, people, names, resolve } = sources;
  return combineLatest([
    mirror.all('deviations'),
    mirror.all('plannedOrders'),
    calls,
    me,
    people,
    names,
  ]).pipe(
    map(([deviations, records, waiting, own, { teams }, named]) => {
      const planned = localPlanned(records, waiting, resolve);
      const lead = leadOf(own, teams);
      return {
        plans: !isBeyondKiosk(own, 'planned.plan') && plansFor(lead, lead.leads),
        of: Object.fromEntries(
          deviations.flatMap(({ id, facts }) => {
            const found = followUpOf(id, facts, planned);
            if (found === null) return [];
            const { local, ...view } = found;
            const assigneeName = local === undefined ? '' : assigneeNameOf(local, { teams, names: named });
            const entryid = local?.entryid == null ? null : resolve(local.entryid);
            return [[id, { ...view, assigneeName, entryid } satisfies FollowUpView]];
          }),
        ),
      };
    }),
  );
}

type FoundFollowUp = Omit<FollowUpView, 'assigneeName' | 'entryid'> & { local: LocalPlanned | undefined };

/**
 * The follow-up order of a deviation: the one that this device knows, unless it was withdrawn and the server says another;
 * null: none.
 */
function followUpOf(
  id: string,
  { follow_up }: Pick<DeviationFacts, 'follow_up'>,
  planned: readonly LocalPlanned[],
): FoundFollowUp | null {
  const named = follow_up === undefined ? undefined : String(follow_up.planned_orderid);
  const own = planned.filter(({ deviationid }) => deviationid === id);
  const local = own.find(({ status }) => status !== 'withdrawn') ?? own.find((one) => one.id === named);
  if (local !== undefined) {
    const { workorderid, status, isPending } = local;
    return { planned_orderid: local.id, workorderid, status, pending: isPending, local };
  }
  if (follow_up === undefined) return null;
  const { workorderid, status } = follow_up;
  return { planned_orderid: String(follow_up.planned_orderid), workorderid, status, pending: false, local };
}

/** Planning follow-up orders. Each promise resolves when the change is journalled; the outbox sends it. */
export function followUpActions(context: ActionContext) {
  return {
    /**
     * Plans a follow-up order of a deviation, which has none that is not withdrawn. Returns the temporary planned_orderid.
     * Throws `Problem` when this person may not, as far as this device knows.
     */
    planFollowUp: (deviationid: string, plan: OrderPlan) => planFollowUp(context, deviationid, plan),
    /** Plans an order of its own from a follow-up order that arrived second. Returns the temporary planned_orderid. */
    planAsOwnOrder: (callid: string) => planAsOwnOrder(context, callid),
  };
}

async function planFollowUp(context: ActionContext, deviationid: string, plan: OrderPlan): Promise<string> {
  const { mirror, outbox } = context.sources.core;
  const about = context.resolve(deviationid);
  const record = about.startsWith('tmp:') ? null : await mirror.get('deviations', about);
  if (record === null) throw notFound('Deviation');
  const planned = localPlanned(
    await firstValueFrom(mirror.all('plannedOrders')),
    context.calls(),
    context.resolve,
  );
  const present = followUpOf(about, record.facts, planned);
  if (present !== null && present.status !== 'withdrawn')
    throw impossible(`This deviation has a follow-up order: ${present.workorderid}`);
  const fields = await fieldsOfPlan(context, { ...plan, rrule: null });
  const { key, id } = newTemporaryId(context);
  await outbox.add([
    {
      id: key,
      kind: 'planned-follow-up',
      lane: laneAfter(context, present) ?? `planned:${key}`,
      method: 'POST',
      path: `/deviations/${about}/follow_up`,
      body: bodyOf(fields),
      target: { collection: 'plannedOrders', id },
      subject: fields.workorderid,
      context: fields,
    },
  ]);
  return id;
}

/** The lane of the withdrawal of the earlier follow-up order, if that waits. */
function laneAfter(context: ActionContext, earlier: FoundFollowUp | null): string | undefined {
  if (earlier === null) return undefined;
  const about = context.sources.core.outbox.about('plannedOrders', earlier.planned_orderid);
  return about.filter(isOpen).at(-1)?.lane;
}

async function planAsOwnOrder(context: ActionContext, callid: string): Promise<string> {
  const { outbox } = context.sources.core;
  const call = outbox.get(callid);
  if (call === undefined || !isSecondFollowUp(call))
    throw impossible('Only a follow-up order that arrived second becomes an order of its own');
  const { body, subject, context: fields } = call;
  const { key, id } = newTemporaryId(context);
  await outbox.add([
    {
      id: key,
      kind: 'planned-create',
      lane: `planned:${key}`,
      method: 'POST',
      path: '/work_orders',
      body,
      target: { collection: 'plannedOrders', id },
      subject,
      context: fields,
    },
  ]);
  await outbox.remove(callid);
  return id;
}
