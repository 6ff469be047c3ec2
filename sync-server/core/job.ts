import { Problem } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import { performWrite } from '#server/core/write.ts';
import { viewerOf, nobody, membershipsOf, type Viewer } from './viewer.ts';
import { respondingWithRecord, type Context } from '#server/core/context.ts';
import type { Services } from './services.ts';
import { Changes } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db } from '#server/storage/tables.ts';

/**
 * Runs work without a request (seed, import, command line) in one write transaction, as a person or (null) as the
 * server itself. `baseUrl` of its context is empty, so its URLs are relative to the site. `writer`: whose permissions
 * decide which pictures and files texts may show; the site itself may show all. `action`: a more precise name for the
 * audit log than that of the job or command.
 */
export async function contextForJob<T>(
  services: Services,
  userid: number | null,
  work: (ctx: Context) => Promise<T>,
  writer: 'site' | 'person' = 'site',
  action?: string,
): Promise<T> {
  return performWrite(services, ownOrigin(services, action), async (tx, note, changes) => {
    const viewer = userid === null ? nobody : await viewerNumbered(tx, userid);
    if (userid !== null) note.by = { userid, name: viewer.username };
    const value = await work({ ...contextOf(services, tx, viewer, changes), note });
    return { value, by: { key: null, userid: viewer.userid, writer: writer === 'person' ? viewer : null } };
  });
}

/**
 * A context for reading without a request or transaction, as a person or (null) as an anonymous reader of a public
 * site. `baseUrl`: the origin of URLs that it makes.
 * @throws Problem 401 for a closed account
 */
export async function readingContext(
  services: Services,
  userid: number | null,
  baseUrl: string,
): Promise<Context> {
  const { reader } = services.storage;
  if (userid !== null) await requireOpenAccount(reader, userid);
  const viewer = userid === null ? nobody : await viewerNumbered(reader, userid);
  return { ...contextOf(services, reader, viewer, new Changes()), baseUrl };
}

/** @throws Problem 401 if the account was closed since it queued a job */
export async function requireOpenAccount(db: Db, userid: number): Promise<void> {
  const [row] = await accountOf(db, { userid });
  if (row?.enabled !== 1) throw new Problem('unauthorized', 'The account is closed');
}

async function viewerNumbered(db: Db, userid: number): Promise<Viewer> {
  const [row] = await accountOf(db, { userid });
  const { username, privileges } = must(row, 'the account');
  return viewerOf(userid, username, JSON.parse(privileges) as string[], await membershipsOf(db, userid));
}

const accountOf = prepared<{ userid: number }, { username: string; privileges: string; enabled: number }>(
  (db, value) =>
    db
      .selectFrom('users')
      .select(['username', 'privileges', 'enabled'])
      .where('userid', '=', value('userid')),
);

function contextOf(services: Services, db: Db, viewer: Viewer, changes: Changes): Context {
  return {
    services,
    db,
    viewer,
    baseUrl: '',
    address: '',
    requestId: null,
    headers: {},
    seconds: Math.floor(services.now() / 1000),
    key: null,
    changes,
    note: {},
    respondWithRecord: respondingWithRecord(() => undefined),
    created: () => undefined,
    total: () => undefined,
    write: () => {
      throw new Error('A job runs in one transaction');
    },
  };
}
