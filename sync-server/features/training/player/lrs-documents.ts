import { createHash } from 'node:crypto';

import { Problem } from '#shared/api/problem.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import type { Db } from '#server/storage/tables.ts';

import { isObject, type Json, type JsonObject } from './json.ts';
import { playing, type PlaySession } from './sessions.ts';

/** Most documents of a person in a module. */
const mostDocuments = 500;

/** The key of a document of the LRS (xAPI part 3, 2.2 to 2.7). `activity` is '' for agent profiles. */
export interface DocumentKey {
  resource: 'state' | 'activity' | 'agent';
  activity: string;
  documentid: string;
}

/** A stored document. */
export interface LrsDocument {
  type: string;
  body: Buffer;
}

export function etagOf({ body }: LrsDocument): string {
  return `"${createHash('sha1').update(body).digest('hex')}"`;
}

/** The condition of a change: the ETag of the document, or that it does not exist (`*`). */
export interface DocumentCondition {
  ifMatch?: string | undefined;
  ifNoneMatch?: string | undefined;
}

type Sent = LrsDocument & DocumentCondition;

/** 412: the document was changed by another writer (xAPI part 3, 3.1). */
class ConditionFailed extends Problem {
  override get status(): number {
    return 412;
  }
}

export async function readDocument(
  { storage }: Services,
  session: PlaySession,
  place: DocumentKey,
): Promise<LrsDocument | undefined> {
  return find(storage.reader, session, place);
}

function find(
  db: Db,
  { registrationid }: PlaySession,
  { resource, activity, documentid }: DocumentKey,
): Promise<LrsDocument | undefined> {
  return db
    .selectFrom('training_documents')
    .select(['type', 'body'])
    .where('registrationid', '=', registrationid)
    .where('resource', '=', resource)
    .where('activity', '=', activity)
    .where('documentid', '=', documentid)
    .executeTakeFirst();
}

/** Ids of the documents of a kind, sorted. */
export async function listDocuments(
  { storage }: Services,
  { registrationid }: PlaySession,
  { resource, activity }: Omit<DocumentKey, 'documentid'>,
): Promise<string[]> {
  const rows = await storage.reader
    .selectFrom('training_documents')
    .select('documentid')
    .where('registrationid', '=', registrationid)
    .where('resource', '=', resource)
    .where('activity', '=', activity)
    .orderBy('documentid')
    .execute();
  return rows.map((row) => row.documentid);
}

/**
 * Stores or replaces a document. Throws 412 if a condition fails, and 409 for replacing a profile without a condition.
 */
export async function putDocument(
  services: Services,
  session: PlaySession,
  place: DocumentKey,
  sent: Sent,
): Promise<void> {
  mustBeOwn(session, place);
  await services.storage.write(playing(services, session, 'keep a document'), async (tx) => {
    const known = await find(tx, session, place);
    mustHold(sent, known);
    const isBlind = sent.ifMatch === undefined && sent.ifNoneMatch === undefined;
    if (place.resource !== 'state' && isBlind && known !== undefined)
      throw new Problem('conflict', 'There is a document: send its ETag as If-Match to replace it');
    await store(tx, services, session, place, sent);
  });
}

/** Stores the launch data of a unit, which the unit cannot change (cmi5 10). */
export async function putLaunchData(
  ctx: Pick<Context, 'db' | 'services'>,
  session: PlaySession,
  activity: string,
  data: JsonObject,
): Promise<void> {
  const body = Buffer.from(JSON.stringify(data));
  const place = { resource: 'state', activity, documentid: launchDataId } as const;
  await store(ctx.db, ctx.services, session, place, { type: 'application/json', body });
}

const launchDataId = 'LMS.LaunchData';

function mustBeOwn(session: PlaySession, { resource, documentid }: DocumentKey): void {
  if (session.package.standard === 'cmi5' && resource === 'state' && documentid === launchDataId)
    throw new Problem('forbidden', `A unit does not change ${launchDataId}`);
}

function mustHold({ ifMatch, ifNoneMatch }: DocumentCondition, known: LrsDocument | undefined): void {
  const etag = known === undefined ? undefined : etagOf(known);
  if (ifMatch !== undefined && (ifMatch === '*' ? etag === undefined : ifMatch !== etag))
    throw new ConditionFailed('conflict', 'The document has changed');
  if (ifNoneMatch !== undefined && etag !== undefined && (ifNoneMatch === '*' || ifNoneMatch === etag))
    throw new ConditionFailed('conflict', 'There is a document');
}

async function store(
  db: Db,
  services: Services,
  { registrationid }: PlaySession,
  place: DocumentKey,
  { type, body }: LrsDocument,
): Promise<void> {
  const modified_date = Math.floor(services.now() / 1000);
  await db
    .insertInto('training_documents')
    .values({ registrationid, ...place, type, body, modified_date })
    .onConflict((conflict) =>
      conflict
        .columns(['registrationid', 'resource', 'activity', 'documentid'])
        .doUpdateSet({ type, body, modified_date }),
    )
    .execute();
  const { count } = await db
    .selectFrom('training_documents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('registrationid', '=', registrationid)
    .executeTakeFirstOrThrow();
  if (count > mostDocuments) throw new Problem('forbidden', 'There are too many documents');
}

/** Merges the fields of a JSON object into the existing document (xAPI part 3, 2.2). Throws 412 as `putDocument`. */
export async function mergeDocument(
  services: Services,
  session: PlaySession,
  place: DocumentKey,
  sent: Sent,
): Promise<void> {
  mustBeOwn(session, place);
  await services.storage.write(playing(services, session, 'keep a document'), async (tx) => {
    const known = await find(tx, session, place);
    mustHold(sent, known);
    if (known === undefined) return store(tx, services, session, place, sent);
    const [before, more] = [known, sent].map(objectOf);
    if (before === undefined || more === undefined)
      throw new Problem('invalid', 'Only JSON objects can be put together');
    const body = Buffer.from(JSON.stringify({ ...before, ...more }));
    return store(tx, services, session, place, { type: 'application/json', body });
  });
}

function objectOf({ type, body }: LrsDocument): { [name: string]: Json } | undefined {
  if (!/json/i.test(type)) return undefined;
  try {
    const value = JSON.parse(body.toString('utf8')) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Removes a document, or without `documentid` all of its kind. Throws 412 if a condition fails. */
export async function removeDocuments(
  services: Services,
  session: PlaySession,
  place: Omit<DocumentKey, 'documentid'> & { documentid: string | null },
  condition: DocumentCondition,
): Promise<void> {
  const { resource, activity, documentid } = place;
  if (documentid !== null) mustBeOwn(session, { ...place, documentid });
  await services.storage.write(playing(services, session, 'remove documents'), async (tx) => {
    if (documentid !== null) mustHold(condition, await find(tx, session, { ...place, documentid }));
    const all = tx
      .deleteFrom('training_documents')
      .where('registrationid', '=', session.registrationid)
      .where('resource', '=', resource)
      .where('activity', '=', activity);
    if (documentid !== null) await all.where('documentid', '=', documentid).execute();
    else if (session.package.standard === 'cmi5') await all.where('documentid', '!=', launchDataId).execute();
    else await all.execute();
  });
}
