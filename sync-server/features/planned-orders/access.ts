import type { PlannedOrderFacts } from '#shared/model/planned-orders.ts';
import { plansFor } from '#shared/rules/planned-orders.ts';
import { deciding } from '#server/core/deciding.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { Principal } from '#server/storage/feed.ts';

import { isAmong } from '../audiences.ts';

/**
 * Who sees a planned order: whoever is to do it, the leads of their teams, everybody who worked on it, administrators, and
 * until it is over the stations of these people (STATION-10).
 */
export function plannedAudience(facts: PlannedOrderFacts): Principal[] {
  const { userid, teamid, teamids, holders, others, status } = facts;
  const isOver = status === 'done' || status === 'withdrawn';
  const people = [...(userid === null ? [] : [userid]), ...holders, ...others.map((one) => one.userid)];
  return [
    'admin',
    ...teamids.map((one): Principal => `lead:${one}`),
    ...(teamid === null ? [] : [`team:${teamid}` as const]),
    ...people.map((one): Principal => `user:${one}`),
    ...(isOver ? [] : people.map((one): Principal => `stations:${one}`)),
  ];
}

const plannedRules = {
  'planned.see': (viewer: Viewer, facts: PlannedOrderFacts): boolean =>
    isAmong(viewer, plannedAudience(facts)),
  /** Planning for these teams, or for a person who is in them, and changing or withdrawing such an order. */
  'planned.plan': (viewer: Viewer, { teamids }: Pick<PlannedOrderFacts, 'teamids'>): boolean =>
    plansFor(viewer, teamids),
};

export const can = deciding(plannedRules);
