import { Problem } from '#shared/api/problem.ts';
import { can } from '#server/features/can.ts';
import { ownOrigin, type Origin } from '#server/storage/audit/origin.ts';
import { hashToken } from '#server/core/sessions.ts';
import { membershipsOf, viewerOf, type Viewer } from '#server/core/viewer.ts';
import type { Services } from '#server/core/services.ts';
import { isAssignedDocument } from '#server/features/courses/progress.ts';
import type { Db, Tx } from '#server/storage/tables.ts';
import { newUuid } from '#server/platform/random.ts';

import { trainingPackage, type TrainingPackage } from '../package.ts';

/** Lifetime of a link that opens the player once, seconds. */
const linkSeconds = 5 * 60;
/** Lifetime of an open player, seconds. */
const sessionSeconds = 4 * 3600;
/** Time in which a cmi5 unit can fetch its credentials once, seconds. */
const fetchSeconds = 5 * 60;

/** The person and the version of a module that is played. */
interface Play {
  importid: number;
  userid: number;
  preview: boolean;
  /**
   * Hash of the token of the session in which the person opened the player, and with which it ends; null if unknown.
   */
  session: string | null;
}

/** An open player of a person and a version of a module. */
export interface PlaySession extends Play {
  token: string;
  moduleid: number;
  registrationid: number;
  /** Id of the registration for content. */
  uuid: string;
  viewer: Viewer;
  /** The language of the person. */
  langid: string;
  package: TrainingPackage;
}

/** The origin of writes by a player, for the audit log. */
export function playing(
  services: Services,
  { userid, viewer, importid }: PlaySession,
  action: string,
): Origin {
  const object = { kind: 'training_import', id: String(importid) };
  return { ...ownOrigin(services, action), userid, name: viewer.username, object };
}

async function whoPlays(tx: Tx, userid: number): Promise<{ userid: number; name: string }> {
  const { username } = await tx
    .selectFrom('users')
    .select('username')
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow();
  return { userid, name: username };
}

/** Creates a link that opens the player once. `expires`: UNIX seconds. */
export async function issueLink(services: Services, play: Play): Promise<{ token: string; expires: number }> {
  const expires = Math.floor(services.now() / 1000) + linkSeconds;
  const token = await services.storage.write(
    ownOrigin(services, 'make a link to the player'),
    async (tx, note) => {
      note.by = await whoPlays(tx, play.userid);
      return addToken(tx, services, 'link', play, null, expires);
    },
  );
  return { token, expires };
}

async function addToken(
  tx: Tx,
  services: Services,
  kind: 'link' | 'session' | 'fetch',
  { importid, userid, preview, session }: Play,
  registrationid: number | null,
  expires_date: number,
): Promise<string> {
  const seconds = Math.floor(services.now() / 1000);
  await tx.deleteFrom('training_sessions').where('expires_date', '<', seconds).execute();
  if (session !== null) await mustNotHaveEnded(tx, session);
  const token = Buffer.from(services.randomBytes(32)).toString('base64url');
  await tx
    .insertInto('training_sessions')
    .values({
      token_hash: hashToken(token),
      kind,
      importid,
      userid,
      preview: preview ? 1 : 0,
      registrationid,
      expires_date,
      session_token: session,
    })
    .execute();
  return token;
}

/** Throws 401 if the session in which the player was opened has ended. */
async function mustNotHaveEnded(tx: Tx, session: string): Promise<void> {
  const row = await tx
    .selectFrom('tokens')
    .select('userid')
    .where('token_hash', '=', session)
    .executeTakeFirst();
  if (row === undefined) throw over();
}

/** Uses up a single-use token; undefined if it is invalid or expired. */
async function takeToken(tx: Tx, services: Services, kind: 'link' | 'fetch', token: string) {
  const row = await tx
    .deleteFrom('training_sessions')
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .returningAll()
    .executeTakeFirst();
  return row === undefined || row.expires_date < Math.floor(services.now() / 1000) ? undefined : row;
}

/** Opens the player with a link and returns the token of its session. Throws 404 if the link was used or is too old. */
export async function openSession(services: Services, link: string): Promise<string> {
  return services.storage.write(ownOrigin(services, 'open the player'), async (tx, note) => {
    const row = await takeToken(tx, services, 'link', link);
    if (row === undefined) throw new Problem('not-found', 'This link was used already, or is too old');
    const { importid, userid, preview, session_token: session } = row;
    const play = { importid, userid, preview: preview === 1, session };
    note.by = await whoPlays(tx, play.userid);
    const seconds = Math.floor(services.now() / 1000);
    const registrationid = await registrationOf(tx, services, play);
    return addToken(tx, services, 'session', play, registrationid, seconds + sessionSeconds);
  });
}

/** The registration of the person with this version; a preview gets a new one each time. */
async function registrationOf(
  tx: Tx,
  services: Services,
  { importid, userid, preview }: Play,
): Promise<number> {
  const seconds = Math.floor(services.now() / 1000);
  const registrations = { importid, userid, preview: preview ? 1 : 0 };
  if (preview)
    await tx
      .deleteFrom('training_registrations')
      .where('importid', '=', importid)
      .where('userid', '=', userid)
      .where('preview', '=', 1)
      .execute();
  await tx
    .insertInto('training_registrations')
    .values({
      ...registrations,
      uuid: newUuid(services),
      completion: 'not attempted',
      success: 'unknown',
      init_date: seconds,
      modified_date: seconds,
    })
    .onConflict((conflict) => conflict.columns(['importid', 'userid', 'preview']).doNothing())
    .execute();
  const { registrationid } = await tx
    .selectFrom('training_registrations')
    .select('registrationid')
    .where('importid', '=', importid)
    .where('userid', '=', userid)
    .where('preview', '=', registrations.preview)
    .executeTakeFirstOrThrow();
  return registrationid;
}

/** The session of a token. Throws 401 if it has ended, or the person may no longer play the module. */
export async function sessionOf(services: Services, token: string): Promise<PlaySession> {
  const db = services.storage.reader;
  const row = await db
    .selectFrom('training_sessions as session')
    .innerJoin('users', 'users.userid', 'session.userid')
    .innerJoin('training_imports', 'training_imports.importid', 'session.importid')
    .innerJoin(
      'training_registrations as registration',
      'registration.registrationid',
      'session.registrationid',
    )
    .select([
      'session.importid',
      'session.userid',
      'session.preview',
      'session.session_token',
      'registration.registrationid',
      'uuid',
      'moduleid',
      'package',
      'username',
      'langid',
      'privileges',
    ])
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', 'session')
    .where('expires_date', '>=', Math.floor(services.now() / 1000))
    .where('enabled', '=', 1)
    .executeTakeFirst();
  if (row === undefined || row.package === null) throw over();
  const viewer = viewerOf(
    row.userid,
    row.username,
    JSON.parse(row.privileges) as string[],
    await membershipsOf(db, row.userid),
  );
  const preview = row.preview === 1;
  const mayPlay = preview ? can(viewer, 'module.manage', null) : await isPlayer(db, viewer, row.moduleid);
  if (!mayPlay) throw over();
  const { importid, userid, registrationid, uuid, moduleid, langid, session_token: session } = row;
  const found = trainingPackage.parse(JSON.parse(row.package));
  const play = { importid, userid, preview, session };
  return { ...play, token, moduleid, registrationid, uuid, viewer, langid, package: found };
}

/** Ids of modules with open players. */
export async function openModules({ storage, now }: Services): Promise<number[]> {
  const rows = await storage.reader
    .selectFrom('training_sessions as session')
    .innerJoin('training_imports', 'training_imports.importid', 'session.importid')
    .select('moduleid')
    .distinct()
    .where('kind', '=', 'session')
    .where('expires_date', '>=', Math.floor(now() / 1000))
    .execute();
  return rows.map(({ moduleid }) => moduleid);
}

async function isPlayer(db: Db, viewer: Viewer, moduleid: number): Promise<boolean> {
  const isAssigned = await isAssignedDocument(db, viewer.userid, 'external_training_module', moduleid);
  return can(viewer, 'module.play', { isAssigned });
}

function over(): Problem {
  return new Problem('unauthorized', 'The session is over; open the module again');
}

/** Creates a token with which a cmi5 unit fetches its credentials once. */
export async function issueFetch(services: Services, session: PlaySession): Promise<string> {
  const expires = Math.floor(services.now() / 1000) + fetchSeconds;
  return services.storage.write(playing(services, session, 'let a unit fetch its credentials'), (tx) =>
    addToken(tx, services, 'fetch', session, session.registrationid, expires),
  );
}

/** Uses up a fetch token. Returns whether it was an unused token of the session. */
export async function takeFetch(services: Services, session: PlaySession, token: string): Promise<boolean> {
  const row = await services.storage.write(playing(services, session, 'fetch credentials'), (tx) =>
    takeToken(tx, services, 'fetch', token),
  );
  return row?.registrationid === session.registrationid;
}
