import type { TeamFacts } from '#shared/model/user.ts';
import type { Viewer } from '#server/core/viewer.ts';

import { deciding } from '#server/core/deciding.ts';
import { editors, holds, isSignedIn } from '#server/core/roles.ts';

/** The part of a team that determines who may change it. */
export type TeamAccess = Pick<TeamFacts, 'owner' | 'members'>;

function manages(viewer: Viewer, team: TeamAccess): boolean {
  return viewer.isAdmin || (isSignedIn(viewer) && team.owner === viewer.userid);
}

function isSelf(viewer: Viewer, userid: number): boolean {
  return isSignedIn(viewer) && viewer.userid === userid;
}

/** The owner and administrators manage a team. People join with the join code and leave at any time. */
const teamRules = {
  'team.create': (viewer: Viewer, _team: null): boolean => holds(viewer, editors),
  'team.chooseOwner': (viewer: Viewer, _team: null): boolean => viewer.isAdmin,
  'team.manage': manages,
  'team.seeAssignments': (viewer: Viewer, team: TeamAccess): boolean =>
    manages(viewer, team) || team.members.includes(viewer.userid),
  /** `code`: whether the caller knows the join code. */
  'team.addMember': (viewer: Viewer, { team, userid, code }: Joining): boolean =>
    manages(viewer, team) || (isSelf(viewer, userid) && (code || team.members.includes(userid))),
  'team.addStation': (viewer: Viewer, _team: null): boolean => viewer.isAdmin,
  'team.removeMember': (viewer: Viewer, { team, userid }: { team: TeamAccess; userid: number }): boolean =>
    manages(viewer, team) || isSelf(viewer, userid),
};

export const can = deciding(teamRules);

interface Joining {
  team: TeamAccess;
  userid: number;
  code: boolean;
}
