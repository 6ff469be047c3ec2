import { administers, takesQuizzes } from './roles.ts';
import type { Principal } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db } from '#server/storage/tables.ts';

/** The caller. `userid` 0: anonymous. */
export interface Viewer {
  userid: number;
  username: string;
  privileges: string[];
  teams: number[];
  /** Ids of the teams that the viewer owns: their leads see the work of the team. */
  leads: number[];
  isAdmin: boolean;
  /** The principals of the viewer: a record is visible if its audience contains one of them. */
  principals: Principal[];
  tokenHash: string | null;
  /** The administrator who acts as this person. */
  impersonator?: number;
  /** The station whose token the call has. If `for` is set, the viewer is that person, with what the station may do. */
  station?: StationCaller;
}

/** A station that calls. */
export interface StationCaller {
  stationid: number;
  name: string;
  /** In whose name. */
  for?: Recording;
}

/** In whose name a station calls. `recordedMs`: when the person did it, as the station says, UNIX milliseconds. */
export interface Recording {
  accountid: string;
  recordedMs: number;
}

/**
 * The account whose device sent a call: of the station for what it sends in the name of a person, else of the viewer.
 * Idempotency-Keys, temporary ids and uploads belong to it.
 */
export function senderOf({ userid, station }: Pick<Viewer, 'userid' | 'station'>): number {
  return station?.stationid ?? userid;
}

/** The viewer of a request without credentials. */
export const nobody: Viewer = {
  userid: 0,
  username: '',
  privileges: [],
  teams: [],
  leads: [],
  isAdmin: false,
  principals: ['public'],
  tokenHash: null,
};

/** The teams of a person, and those of them that the person owns. `people`: those of a station. */
export interface Memberships {
  teams: number[];
  leads: number[];
  people: number[];
}

/** A viewer with the principals that follow from privileges and teams. */
export function viewerOf(
  userid: number,
  username: string,
  privileges: string[],
  memberships: Memberships,
): Viewer {
  const isAdmin = administers(privileges);
  const { teams, leads } = memberships;
  return {
    userid,
    username,
    privileges,
    teams,
    leads,
    isAdmin,
    principals: principalsOf(userid, privileges, memberships),
    tokenHash: null,
  };
}

/** The principals of a person. */
export function principalsOf(
  userid: number,
  privileges: string[],
  { teams, leads, people }: Memberships,
): Principal[] {
  const admin: Principal[] = administers(privileges) ? ['admin'] : [];
  const isPerson = takesQuizzes(privileges);
  const learners: Principal[] = isPerson ? ['learners'] : [];
  const crews = isPerson ? teams : [];
  return [
    'public',
    'members',
    `user:${userid}`,
    ...teams.map((teamid): Principal => `team:${teamid}`),
    ...leads.map((teamid): Principal => `lead:${teamid}`),
    ...crews.map((teamid): Principal => `crew:${teamid}`),
    ...people.map((one): Principal => `stations:${one}`),
    ...learners,
    ...admin,
  ];
}

/** Ids of the teams a person belongs to. */
export async function teamsOf(db: Db, userid: number): Promise<number[]> {
  return (await teamRows(db, { userid })).map(({ teamid }) => teamid).toSorted((a, b) => a - b);
}

/**
 * The teams a person belongs to and owns, and the people of a station. Statements without a join, because SQLite would plan
 * a join again for each person.
 */
export async function membershipsOf(db: Db, userid: number): Promise<Memberships> {
  const [teams, people] = await Promise.all([teamsOf(db, userid), peopleRows(db, { stationid: userid })]);
  const owned = teams.length === 0 ? [] : await ownedRows(db, { owner: userid });
  return {
    teams,
    leads: owned
      .map(({ teamid }) => teamid)
      .filter((teamid) => teams.includes(teamid))
      .toSorted((a, b) => a - b),
    people: people.map((row) => row.userid),
  };
}

const peopleRows = prepared<{ stationid: number }, { userid: number }>((db, value) =>
  db
    .selectFrom('station_members')
    .select('userid')
    .where('stationid', '=', value('stationid'))
    .where('until', 'is', null),
);

const teamRows = prepared<{ userid: number }, { teamid: number }>((db, value) =>
  db.selectFrom('team_members').select('teamid').where('userid', '=', value('userid')),
);

const ownedRows = prepared<{ owner: number }, { teamid: number }>((db, value) =>
  db.selectFrom('teams').select('teamid').where('owner', '=', value('owner')),
);
