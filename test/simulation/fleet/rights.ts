/** The people and the members of teams. */
export interface Rights {
  users: { userid: number; username: string; privileges: string[] }[];
  members: { teamid: number; userid: number }[];
}

/** The parts of a guide that decide who may see it. */
export interface GuideRights {
  userid: number;
  public: boolean;
  allowed_users?: number[];
  allowed_teams?: number[];
}

/** Whether a person may see a guide, by the list of grants. */
export function maySee({ users, members }: Rights, person: string, guide: GuideRights): boolean {
  if (guide.public) return true;
  const user = users.find(({ username }) => username === person);
  if (user === undefined) return false;
  if (user.privileges.includes('Admin') || guide.userid === user.userid) return true;
  if (guide.allowed_users?.includes(user.userid) === true) return true;
  const teams = members.filter(({ userid }) => userid === user.userid).map(({ teamid }) => teamid);
  return (guide.allowed_teams ?? []).some((teamid) => teams.includes(teamid));
}

/** Whether a person may see a work order: every holder, and once it was suspended everyone who may see its guide. */
export function maySeeOrder(
  rights: Rights,
  person: string,
  { events }: { events: { type: string; userid: number }[] },
  guide: GuideRights | undefined,
): boolean {
  const user = rights.users.find(({ username }) => username === person);
  if (user === undefined) return false;
  if (user.privileges.includes('Admin')) return true;
  if (events.some(({ type, userid }) => userid === user.userid && ['start', 'assume'].includes(type)))
    return true;
  const wasOffered = events.some(({ type }) => type === 'suspend');
  return wasOffered && guide !== undefined && maySee(rights, person, guide);
}
