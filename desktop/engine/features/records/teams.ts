import type { TeamFacts } from '#shared/model/user.ts';

/** The team, or the teams of the person. */
export function teamidsOf(
  to: { userid: number | null; teamid: number | null },
  teams: readonly TeamFacts[],
): number[] {
  if (to.teamid !== null) return [to.teamid];
  return teams.flatMap(({ teamid, members }) =>
    to.userid !== null && members.includes(to.userid) ? [teamid] : [],
  );
}
