import type { World } from './world.ts';
import type { Ids, Role } from './roles.ts';

/**
 * The owner of the record named in a request. `any`: none is named. `own`: the caller's. `team`: another person's
 * private guide, shared with the team that `owner` owns and `user` belongs to; for team endpoints, that team.
 * `public`, `private`: another person's. `lost`: a work log entry that the caller held, whose guide has become
 * private since.
 */
export type Ownership = 'any' | 'own' | 'team' | 'public' | 'private' | 'lost';

/** A cell of the table during its test. */
export interface Cell {
  world: World;
  role: Role;
  ownership: Ownership;
  ids: Ids;
}

/**
 * The responses of an endpoint. Statuses are in the order of the roles: anonymous, user, author, moderator,
 * administrator, team owner, kiosk, approver. An approver is a user whom stages of approvals name; the status is
 * listed only if it differs from the user's. `-`: the case does not exist. 422 and 409 mean that the caller passed
 * the permission checks and was stopped by the odd body or stale revision that rows send where a success would change
 * the records of later cells.
 */
export interface Row {
  expect: Partial<Record<Ownership, string>>;
  query?: string;
  /** Default: a field that no endpoint has. */
  body?: unknown;
  /** Replaces ids that the world gives for the cell. */
  ids?: (cell: Cell) => Ids;
  /** Creates the record that a successful cell destroys. */
  fresh?: (cell: Cell) => Promise<{ ids?: Ids; token?: string }>;
}

/** All callers, signed in or not. */
export function everybody(status: number): string {
  return Array<number>(7).fill(status).join(' ');
}

/** All signed-in callers. */
export function signedIn(status: number): string {
  return `401 ${Array<number>(6).fill(status).join(' ')}`;
}

export function administrators(status: number): string {
  return `401 403 403 403 ${status} 403 403`;
}

/** 403 for all but administrators, before the odd request is refused. */
export const oddForAdministrators = administrators(422);

/** For authors of the site, moderators and administrators. */
export function authors(status: number): string {
  return `401 403 ${status} ${status} ${status} 403 403`;
}

export function moderators(status: number): string {
  return `401 403 403 ${status} ${status} 403 403`;
}

/** The caller's own record, for roles that may have one; a kiosk gets `kiosk`. */
export function own(status: number, kiosk = status): string {
  return `- ${Array<number>(5).fill(status).join(' ')} ${kiosk}`;
}

const strangers = '404 404 404';

/** Reading records of a guide. */
export function guideRead(status: number): Row['expect'] {
  return {
    own: own(status),
    team: `404 ${status} 404 404 ${status} ${status} 404`,
    public: everybody(status),
    private: `404 ${strangers} ${status} 404 404`,
  };
}

/** Reading, marking, commenting and working, for signed-in people who see the guide. */
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

/** Decisions of the author of a guide and of moderators who see it. */
export function guideGovern(status: number): Row['expect'] {
  return { ...guideEdit(status), public: moderators(status) };
}

/** Changing another person's record, allowed to that person and administrators only. */
export function ofOthers(status: number): Row['expect'] {
  return {
    public: administrators(status),
    team: `401 403 404 404 ${status} 403 404`,
    private: `401 ${strangers} ${status} 404 404`,
  };
}
