import type { PlannedOrderFacts } from '#shared/model/planned-orders.ts';

import type { Lead } from './deviations.ts';

/**
 * Whether a person plans for these teams, or for somebody who is in them (PLANNED-2). Leads do for their teams.
 * Administrators do for everybody, also for people without a team.
 */
export function plansFor(
  { isAdmin, leads }: Pick<Lead, 'isAdmin' | 'leads'>,
  teamids: readonly number[],
): boolean {
  return isAdmin || teamids.some((teamid) => leads.includes(teamid));
}

/** A person with the teams to which they belong. */
interface Member {
  userid: number;
  teams: readonly number[];
}

/** Whether a person is the one who is to do a planned order, or belongs to the team that is. */
export function isAssigned(
  { userid, teamid }: Pick<PlannedOrderFacts, 'userid' | 'teamid'>,
  person: Member,
): boolean {
  return userid === person.userid || (teamid !== null && person.teams.includes(teamid));
}

/** Whether a person was to do a planned order that was given to others since. */
export function wasAssigned(
  planned: Pick<PlannedOrderFacts, 'userid' | 'teamid' | 'formerly'>,
  person: Member,
): boolean {
  const { formerly = [] } = planned;
  return !isAssigned(planned, person) && formerly.some((one) => isAssigned(one, person));
}

/** Whether a planned order is past its due time and not done. `due` and `now` in the same unit. */
export function isLate({ due, status }: Pick<PlannedOrderFacts, 'due' | 'status'>, now: number): boolean {
  return due !== null && due < now && (status === 'open' || status === 'started');
}

/** Whether a board shows a planned order as waiting: it is late, or nobody has started it. */
export function isAwaited(planned: Pick<PlannedOrderFacts, 'due' | 'status'>, now: number): boolean {
  return planned.status === 'open' || isLate(planned, now);
}
