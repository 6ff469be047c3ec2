import type { Ids, Role, World } from './world.ts';

/**
 * Whose the record is that a request names. `any`: it names none. `own`: the caller's. `team`: somebody's private guide,
 * shared with the team that `owner` owns and `user` belongs to; of teams, that team. `public`, `private`: somebody
 * else's. `lost`: a work log entry that the caller held, whose guide has become private since.
 */
export type Ownership = 'any' | 'own' | 'team' | 'public' | 'private' | 'lost';

/** A cell of the table while it is asked for. */
export interface Cell {
  world: World;
  role: Role;
  ownership: Ownership;
  ids: Ids;
}

/**
 * What an endpoint answers. Statuses stand in the order of the roles: anonymous, user, author, moderator, administrator,
 * team owner, kiosk, and approver, whom stages of approvals name and who else is what a user is: their status stands only
 * where it is another than the user's. `-` where the case does not exist. 422 and 409 mean that the caller is past the gates and was
 * stopped by the odd body or stale revision that rows send where success would change what later cells look at.
 */
export interface Row {
  expect: Partial<Record<Ownership, string>>;
  query?: string;
  /** Default: a field that no endpoint knows. */
  body?: unknown;
  /** Other records than those that the world names for the cell. */
  ids?: (cell: Cell) => Ids;
  /** Makes what a cell that succeeds destroys. */
  fresh?: (cell: Cell) => Promise<{ ids?: Ids; token?: string }>;
}

/** Everybody, signed in or not. */
export function everybody(status: number): string {
  return Array<number>(7).fill(status).join(' ');
}

/** Everybody signed in. */
export function signedIn(status: number): string {
  return `401 ${Array<number>(6).fill(status).join(' ')}`;
}

export function administrators(status: number): string {
  return `401 403 403 403 ${status} 403 403`;
}

/** 403 for all but administrators, before they are told that the request is odd as well. */
export const oddForAdministrators = administrators(422);

/** What authors of the site may, and those who watch over it. */
export function authors(status: number): string {
  return `401 403 ${status} ${status} ${status} 403 403`;
}

export function moderators(status: number): string {
  return `401 403 403 ${status} ${status} 403 403`;
}

/** Their own, for whoever may have one; a kiosk answers `kiosk`. */
export function own(status: number, kiosk = status): string {
  return `- ${Array<number>(5).fill(status).join(' ')} ${kiosk}`;
}

const strangers = '404 404 404';

/** Reading what hangs on a guide. */
export function guideRead(status: number): Row['expect'] {
  return {
    own: own(status),
    team: `404 ${status} 404 404 ${status} ${status} 404`,
    public: everybody(status),
    private: `404 ${strangers} ${status} 404 404`,
  };
}

/** Reading it, for people who are signed in; also marking it, commenting on it and working by it. */
export function guideUse(status: number): Row['expect'] {
  return {
    own: own(status),
    team: `401 ${status} 404 404 ${status} ${status} 404`,
    public: signedIn(status),
    private: `401 ${strangers} ${status} 404 404`,
  };
}

/** Editing a guide: authors of the site edit what they see. */
export function guideEdit(status: number): Row['expect'] {
  return {
    own: own(status, 403),
    team: `401 403 404 404 ${status} 403 404`,
    public: authors(status),
    private: `401 ${strangers} ${status} 404 404`,
  };
}

/** What only the author of a guide and moderators who see it decide. */
export function guideGovern(status: number): Row['expect'] {
  return { ...guideEdit(status), public: moderators(status) };
}

/** Doing to somebody else's record what only they and administrators may. */
export function ofOthers(status: number): Row['expect'] {
  return {
    public: administrators(status),
    team: `401 403 404 404 ${status} 403 404`,
    private: `401 ${strangers} ${status} 404 404`,
  };
}
