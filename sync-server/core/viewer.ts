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
  isAdmin: boolean;
  /** The principals of the viewer: a record is visible if its audience contains one of them. */
  principals: Principal[];
  tokenHash: string | null;
  /** The administrator who acts as this person. */
  impersonator?: number;
}

/** The viewer of a request without credentials. */
export const nobody: Viewer = {
  userid: 0,
  username: '',
  privileges: [],
  teams: [],
  isAdmin: false,
  principals: ['public'],
  tokenHash: null,
};

/** A viewer with the principals that follow from privileges and teams. */
export function viewerOf(userid: number, username: string, privileges: string[], teams: number[]): Viewer {
  const isAdmin = administers(privileges);
  return {
    userid,
    username,
    privileges,
    teams,
    isAdmin,
    principals: principalsOf(userid, privileges, teams),
    tokenHash: null,
  };
}

/** The principals of a person. */
export function principalsOf(userid: number, privileges: string[], teams: number[]): Principal[] {
  const admin: Principal[] = administers(privileges) ? ['admin'] : [];
  const learners: Principal[] = takesQuizzes(privileges) ? ['learners'] : [];
  return [
    'public',
    'members',
    `user:${userid}`,
    ...teams.map((teamid): Principal => `team:${teamid}`),
    ...learners,
    ...admin,
  ];
}

/** Ids of the teams a person belongs to. */
export async function teamsOf(db: Db, userid: number): Promise<number[]> {
  return (await membershipsOf(db, { userid })).map((row) => row.teamid).toSorted((a, b) => a - b);
}

const membershipsOf = prepared<{ userid: number }, { teamid: number }>((db, value) =>
  db.selectFrom('team_members').select('teamid').where('userid', '=', value('userid')),
);
