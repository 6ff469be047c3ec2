import type {
  FollowUpsView,
  GuideReleaseView,
  OrderPlan,
  PlannedOrderView,
  PlanningFor,
} from '#desktop/engine/api/planned-records.ts';
import type { AreaActions } from '#desktop/engine/areas/index.ts';
import { must } from '#shared/must.ts';

import { minute, revisionSeven, runningOrder } from './demo-orders.ts';
import type { World } from './fixture-world.ts';

type PlannedActions = Pick<
  AreaActions,
  | 'planOrders'
  | 'changePlannedOrder'
  | 'withdrawPlannedOrder'
  | 'startPlannedOrder'
  | 'planFollowUp'
  | 'planAsOwnOrder'
>;

/** Planned orders: a late one and a later one of the person, and those of others in every state. */
export function demoPlanned({ isLead }: { isLead: boolean }): PlannedOrderView[] {
  const now = Date.now();
  const base: PlannedOrderView = {
    planned_orderid: '71',
    revisionid: 7101,
    workorderid: 'WO-1101',
    guideid: '9001',
    guideTitle: 'Bench Grinder Drive Belt Replacement',
    release: null,
    revision: null,
    assignee: { kind: 'person', id: 9101 },
    assigneeName: 'Ana Ruiz',
    mine: true,
    due: now - 90 * minute,
    priority: 'high',
    serials: ['BG-2041', 'BG-2042'],
    note: 'The customer collects both on Friday.',
    rrule: null,
    status: 'open',
    plannedBy: 'Mira Holm',
    entryid: null,
    startedBy: null,
    others: [],
    earlier: null,
    follows: null,
    leads: isLead,
    plans: isLead,
    starts: true,
    awaitsText: false,
    pending: false,
  };
  const later = { ...base, priority: 'normal', serials: [], note: '' } as const;
  const ofTeam = { assignee: { kind: 'team', id: 3 }, assigneeName: 'Line B' } as const;
  const ofBen = { assignee: { kind: 'person', id: 9102 }, assigneeName: 'Ben Okafor', mine: false } as const;
  return [
    base,
    {
      ...later,
      ...ofTeam,
      release: { releaseid: 32, title: 'v2.0' },
      revision: revisionSeven,
      planned_orderid: '72',
      workorderid: 'WO-1102',
      rrule: 'FREQ=WEEKLY',
      due: now + 26 * 60 * minute,
    },
    {
      ...later,
      ...ofBen,
      planned_orderid: '73',
      workorderid: 'WO-1103',
      due: null,
      priority: 'low',
      follows: { deviationid: '309', entryid: '503', workorderid: 'WO-1037', title: 'Cover undamaged' },
    },
    {
      ...later,
      ...ofBen,
      planned_orderid: '74',
      workorderid: 'WO-1042',
      due: now - 30 * minute,
      status: 'started',
      entryid: '501',
      startedBy: 'Ana Ruiz',
      others: [{ entryid: '503', username: 'Ben Okafor', isReassigned: false, isOtherGuide: false }],
      plans: false,
      starts: false,
    },
    {
      ...later,
      planned_orderid: '75',
      workorderid: 'WO-1099',
      due: now - 3000 * minute,
      status: 'withdrawn',
      plans: false,
      starts: false,
    },
  ];
}

/** The releases of the demo guides: two of the bench grinder. */
export function demoReleases(): GuideReleaseView[] {
  const earlier = { number: 4, date: Date.UTC(2026, 8, 14) / 1000 };
  return [
    { releaseid: 32, title: 'v2.0', guideid: '9001', revision: revisionSeven },
    { releaseid: 31, title: 'v1.0', guideid: '9001', revision: { ...revisionSeven, counted: earlier } },
  ];
}

/** For whom the person of the fixture plans: a lead for their team. */
export function planningFor({ isLead, people }: World): PlanningFor {
  if (!isLead) return { people: [], teams: [] };
  return {
    people: people.map(({ userid, name }) => ({ userid, username: name })),
    teams: [{ teamid: 3, name: 'Line B' }],
  };
}

/** The follow-up orders of the world's deviations. */
export function followUps({ isLead, planned }: World): FollowUpsView {
  return {
    plans: isLead,
    of: Object.fromEntries(
      planned.flatMap(({ follows, ...one }) => (follows === null ? [] : [[follows.deviationid, one]])),
    ),
  };
}

/** The engine's actions on planned orders, in the fixture's world. */
export function plannedActions(
  world: () => World,
  change: (make: (now: World) => Partial<World>) => void,
  newId: () => string,
): PlannedActions {
  const replace = (id: string, some: Partial<PlannedOrderView>) =>
    change(({ planned }) => ({
      planned: planned.map((one) => (one.planned_orderid === id ? { ...one, ...some, pending: true } : one)),
    }));
  const named = (plan: OrderPlan) => ({
    ...plan,
    guideTitle: world().cards.find(({ guideid }) => guideid === plan.guideid)?.title ?? '',
    assigneeName:
      plan.assignee.kind === 'team'
        ? 'Line B'
        : (world().people.find(({ userid }) => userid === plan.assignee.id)?.name ?? ''),
  });
  const added = (plan: OrderPlan, planned_orderid: string) => ({
    ...must(demoPlanned({ isLead: true })[0], 'an example'),
    ...named(plan),
    planned_orderid,
    revisionid: 0,
    mine: false,
    plannedBy: 'Ana Ruiz',
    pending: true,
  });
  return {
    async planOrders(plans) {
      const all = plans.map((plan, index) => added(plan, `${newId()}-${index}`));
      change(({ planned }) => ({ planned: [...planned, ...all] }));
    },
    async planFollowUp(deviationid, plan) {
      const { entryid, workorderid, title } = must(
        world().deviations.find((one) => one.deviationid === deviationid),
        'the deviation',
      );
      const follows = { deviationid, entryid, workorderid, title };
      const one = { ...added(plan, newId()), follows };
      change(({ planned }) => ({ planned: [...planned, one] }));
      return one.planned_orderid;
    },
    async planAsOwnOrder(callid) {
      change(({ activity }) => ({ activity: activity.filter(({ id }) => id !== callid) }));
      return newId();
    },
    async changePlannedOrder(seen, plan) {
      replace(seen.planned_orderid, named(plan));
    },
    async withdrawPlannedOrder(seen) {
      replace(seen.planned_orderid, { status: 'withdrawn', plans: false, starts: false });
    },
    async startPlannedOrder(planned_orderid) {
      const entryid = newId();
      const { workorderid } = must(
        world().planned.find((one) => one.planned_orderid === planned_orderid),
        'the planned order',
      );
      replace(planned_orderid, {
        status: 'started',
        entryid,
        startedBy: 'Ana Ruiz',
        plans: false,
        starts: false,
      });
      change(({ orders }) => ({
        orders: [{ ...runningOrder(), entryid, workorderid, values: {} }, ...orders],
      }));
      return entryid;
    },
  };
}
