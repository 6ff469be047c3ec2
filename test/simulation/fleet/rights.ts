/** The people and the members of teams. */
export interface Rights {
  users: { userid: number; username: string; privileges: string[] }[];
  members: { teamid: number; userid: number }[];
  teams: { teamid: number; owner: number | null }[];
  /** The stations, each with who is and was of it. */
  stations: { stationid: number; members: { userid: number; until: number | null }[] }[];
}

/** The people of a station now; null: the account is none. */
function peopleOf({ stations }: Rights, userid: number): number[] | null {
  const station = stations.find(({ stationid }) => stationid === userid);
  if (station === undefined) return null;
  return station.members.flatMap((one) => (one.until === null ? [one.userid] : []));
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

/** The parts of a work order that decide who may see it. `teamids`: teams of its holders, when each began. */
export interface OrderRights {
  events: { type: string; userid: number; stationid?: number }[];
  teamids?: number[];
}

/** The parts of a planned order that decide who may see it. */
export interface PlannedRights {
  status: string;
  userid: number | null;
  teamid: number | null;
  teamids: number[];
  holders: number[];
  others: { userid: number }[];
}

/** Whether a person may see a planned order: those who are to do it or did, the leads of their teams, administrators. */
export function maySeePlanned(rights: Rights, person: string, planned: PlannedRights): boolean {
  const user = rights.users.find(({ username }) => username === person);
  if (user === undefined) return false;
  const { userid } = user;
  if (user.privileges.includes('Admin') || leads(rights, person, planned)) return true;
  const isMember = rights.members.some((one) => one.userid === userid && one.teamid === planned.teamid);
  const people = [planned.userid, ...planned.holders, ...planned.others.map((one) => one.userid)];
  const isOver = planned.status === 'done' || planned.status === 'withdrawn';
  const station = isOver ? [] : (peopleOf(rights, userid) ?? []);
  return isMember || [userid, ...station].some((one) => people.includes(one));
}

/** The people who held a work order. */
export function holdersOf({ events }: OrderRights): number[] {
  return events.flatMap(({ type, userid }) => (['start', 'assume'].includes(type) ? [userid] : []));
}

/** Whether a person owns a team that did the work. */
export function leads(
  { users, teams }: Rights,
  person: string,
  { teamids = [] }: Pick<OrderRights, 'teamids'>,
): boolean {
  const user = users.find(({ username }) => username === person);
  return (
    user !== undefined && teams.some(({ teamid, owner }) => owner === user.userid && teamids.includes(teamid))
  );
}

/**
 * Whether a person decides about deviations of a work order: administrators, and leads of its teams who never held it.
 */
export function mayDecide(rights: Rights, person: string, order: OrderRights): boolean {
  const user = rights.users.find(({ username }) => username === person);
  if (user === undefined) return false;
  if (user.privileges.includes('Admin')) return true;
  return leads(rights, person, order) && !holdersOf(order).includes(user.userid);
}

/**
 * Whether a person may see a work order: every holder, the leads of their teams, and once it was suspended everyone who
 * may see its guide. A station: open ones that its people hold, and those recorded at it.
 */
export function maySeeOrder(
  rights: Rights,
  person: string,
  order: OrderRights,
  guide: GuideRights | undefined,
): boolean {
  const user = rights.users.find(({ username }) => username === person);
  if (user === undefined) return false;
  if (user.privileges.includes('Admin')) return true;
  if (holdersOf(order).includes(user.userid) || leads(rights, person, order)) return true;
  const people = peopleOf(rights, user.userid);
  if (people !== null && isReadAt(user.userid, people, order)) return true;
  const wasOffered = order.events.some(({ type }) => type === 'suspend');
  return wasOffered && guide !== undefined && maySee(rights, person, guide);
}

/** Whether an order is recorded at a station, or is open and held by one of its people. */
function isReadAt(stationid: number, people: readonly number[], { events }: OrderRights): boolean {
  const isOver = events.some(({ type }) => type === 'finish' || type === 'cancel');
  const holder = events.findLast(({ type }) => type === 'start' || type === 'assume')?.userid;
  const isHeld = !isOver && holder !== undefined && people.includes(holder);
  return isHeld || events.some((event) => event.stationid === stationid);
}
