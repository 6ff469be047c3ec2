import { hash } from 'node:crypto';

import type { Selectable } from 'kysely';

import { Problem } from '#shared/api/problem.ts';
import { administers } from './roles.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db, Tables, Tx } from '#server/storage/tables.ts';

import type { Services } from './services.ts';
import { recordingViewer, refuseEndedStation, stationOfToken } from './stations.ts';
import { nobody, membershipsOf, viewerOf, type Memberships, type Viewer } from './viewer.ts';

/** Tokens expire 90 days after their last use (not in the specification). */
export const tokenLifetimeSeconds = 90 * 24 * 3600;
/** A token for acting as another person expires an hour after it was made. */
export const impersonationSeconds = 3600;
/** `used_date` is updated at most this often, seconds, so that few reads cause a write. */
const touchAfterSeconds = 3600;

/** The hash under which a token is stored. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/**
 * The viewer of an `Authorization` header; anonymous if there is none. `version`: a version of the database that the
 * caller has just read; default: the current one.
 *
 * - HTTP-7 The token is sent with the scheme `api` or `Bearer`, and no other.
 * @throws Problem 401
 */
export async function authenticate(
  header: string | undefined,
  services: Services,
  version = services.storage.version(),
): Promise<Viewer> {
  return (await sessionOf(header, services, version)).viewer;
}

/** The session of an `Authorization` header, as `authenticate`. @throws Problem 401 */
export async function sessionOf(
  header: string | undefined,
  services: Services,
  version = services.storage.version(),
): Promise<Session> {
  const known = recallSession(header, services, version);
  if (known !== undefined) return known;
  const token = tokenOf(header);
  if (token === undefined) throw new Problem('unauthorized', 'Invalid login');
  const tokenHash = hashToken(token);
  const seconds = Math.floor(services.now() / 1000);
  const session = await readViewer(tokenHash, seconds, services);
  services.sessions.set(tokenHash, version, session);
  return session;
}

/**
 * Whether the rights of a viewer are still those with which something was read since `version`. Between two reads another
 * node may have taken rights and then written what the viewer may not see.
 * @throws Problem 401 if the session has ended
 */
export async function haveRightsHeld(
  header: string | undefined,
  services: Services,
  { viewer, version }: { viewer: Viewer; version: number },
): Promise<boolean> {
  await services.storage.refresh?.();
  if (services.storage.version() === version) return true;
  const { principals } = await authenticate(header, services);
  const before = new Set(viewer.principals);
  return principals.length === before.size && principals.every((one) => before.has(one));
}

const anonymous: Session = { viewer: nobody, until: Infinity };

/**
 * The viewer of an `Authorization` header, if known without reading the database: an anonymous caller, or one whose
 * token was valid at the same version of the database. `version`: the current one.
 */
export function recallViewer(
  header: string | undefined,
  services: Services,
  version: number,
): Viewer | undefined {
  return recallSession(header, services, version)?.viewer;
}

function recallSession(header: string | undefined, services: Services, version: number): Session | undefined {
  if (header === undefined) return anonymous;
  const token = tokenOf(header);
  if (token === undefined) return undefined;
  const known = services.sessions.get(hashToken(token), version);
  const holds = known !== undefined && Math.floor(services.now() / 1000) <= known.until;
  return holds ? known : undefined;
}

function tokenOf(header = ''): string | undefined {
  return /^(?:api|bearer) +(\S+)$/i.exec(header.trim())?.[1];
}

/** The viewer of a token. `until`: UNIX seconds until which this is valid if nothing is written. */
export interface Session {
  viewer: Viewer;
  until: number;
}

async function readViewer(tokenHash: string, seconds: number, services: Services): Promise<Session> {
  const db = services.storage.reader;
  const { row, viewer } = await tokenHolder(db, tokenHash, seconds);
  // A session that acts as another person is not extended.
  if (row.impersonator === null && row.used_date < seconds - touchAfterSeconds) {
    await services.storage.write(ownOrigin(services, 'use of a session'), (tx) =>
      tx
        .updateTable('tokens')
        .set({ used_date: seconds, expires_date: seconds + tokenLifetimeSeconds })
        .where('token_hash', '=', tokenHash)
        .execute(),
    );
  }
  const touchDue =
    row.impersonator === null
      ? Math.max(row.used_date, seconds - touchAfterSeconds) + touchAfterSeconds
      : Infinity;
  return { viewer, until: Math.min(row.expires_date, touchDue) };
}

/** The current viewer of a token. @throws Problem 401 if the token is not valid */
async function tokenHolder(
  db: Db,
  tokenHash: string,
  seconds: number,
): Promise<{ row: TokenRow; viewer: Viewer }> {
  const found = await tokenRow(db, tokenHash);
  if (found === undefined || found.row.expires_date < seconds || found.row.enabled === 0) {
    await refuseEndedStation(db, tokenHash);
    throw new Problem('unauthorized', 'Invalid login');
  }
  const { row, memberships } = found;
  const privileges = JSON.parse(row.privileges) as string[];
  if (row.impersonator !== null && !(await mayStillAct(db, row.impersonator, privileges)))
    throw new Problem('unauthorized', 'Invalid login');
  const impersonator = row.impersonator === null ? {} : { impersonator: row.impersonator };
  const station = privileges.includes('Kiosk')
    ? await stationOfToken(db, tokenHash, row.username)
    : undefined;
  const viewer = {
    ...viewerOf(row.userid, row.username, privileges, memberships),
    tokenHash,
    ...impersonator,
    ...(station === undefined ? {} : { station }),
  };
  return { row, viewer };
}

/** Whether the impersonator is still an administrator, and the person with these `privileges` is not one. */
async function mayStillAct(db: Db, impersonator: number, privileges: string[]): Promise<boolean> {
  const [administrator] = await personOf(db, { userid: impersonator });
  if (administrator?.enabled !== 1 || administers(privileges)) return false;
  return administers(JSON.parse(administrator.privileges) as string[]);
}

/**
 * The caller of a write, read again inside its transaction: a role, team or session that was removed while the write
 * was waiting no longer counts. The same applies to the person in whose name a station calls.
 */
export async function viewerInside(tx: Tx, viewer: Viewer, seconds: number): Promise<Viewer> {
  if (viewer.tokenHash === null) return viewer;
  const now = (await tokenHolder(tx, viewer.tokenHash, seconds)).viewer;
  const recording = viewer.station?.for;
  return recording === undefined ? now : recordingViewer(tx, now, recording, seconds);
}

type TokenRow = Pick<
  Selectable<Tables['users'] & Tables['tokens']>,
  'userid' | 'username' | 'privileges' | 'enabled' | 'used_date' | 'expires_date' | 'impersonator'
>;

/** Several statements, because SQLite would plan a join again for each token. */
async function tokenRow(
  db: Db,
  tokenHash: string,
): Promise<{ row: TokenRow; memberships: Memberships } | undefined> {
  const [session] = await sessionRow(db, { tokenHash });
  if (session === undefined) return undefined;
  const [[person], memberships] = await Promise.all([
    personOf(db, { userid: session.userid }),
    membershipsOf(db, session.userid),
  ]);
  return person === undefined ? undefined : { row: { ...session, ...person }, memberships };
}

const sessionRow = prepared<
  { tokenHash: string },
  Pick<TokenRow, 'userid' | 'used_date' | 'expires_date' | 'impersonator'>
>((db, value) =>
  db
    .selectFrom('tokens')
    .select(['userid', 'used_date', 'expires_date', 'impersonator'])
    .where('token_hash', '=', value('tokenHash')),
);

const personOf = prepared<{ userid: number }, Pick<TokenRow, 'username' | 'privileges' | 'enabled'>>(
  (db, value) =>
    db
      .selectFrom('users')
      .select(['username', 'privileges', 'enabled'])
      .where('userid', '=', value('userid')),
);
