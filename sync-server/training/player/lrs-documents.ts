import { createHash } from 'node:crypto';

import { Problem } from '#shared/api/problem.ts';
import type { Services } from '#server/http/context.ts';

import { isObject, type Json } from './json.ts';
import { playing, type PlaySession } from './sessions.ts';

/** Documents that one person may keep in one module. */
const mostDocuments = 500;

/** Where a document of the LRS is kept (xAPI part 3, 2.2 to 2.7). `activity` is '' for what belongs to the agent. */
export interface DocumentPlace {
  resource: 'state' | 'activity' | 'agent';
  activity: string;
  documentid: string;
}

/** A document as it was stored. */
export interface LrsDocument {
  type: string;
  body: Buffer;
}

export function etagOf({ body }: LrsDocument): string {
  return `"${createHash('sha1').update(body).digest('hex')}"`;
}

export async function readDocument(
  { storage }: Services,
  { registrationid }: PlaySession,
  { resource, activity, documentid }: DocumentPlace,
): Promise<LrsDocument | undefined> {
  return storage.reader
    .selectFrom('training_documents')
    .select(['type', 'body'])
    .where('registrationid', '=', registrationid)
    .where('resource', '=', resource)
    .where('activity', '=', activity)
    .where('documentid', '=', documentid)
    .executeTakeFirst();
}

/** Ids of the documents of a kind, by id. */
export async function listDocuments(
  { storage }: Services,
  { registrationid }: PlaySession,
  { resource, activity }: Omit<DocumentPlace, 'documentid'>,
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

/** Stores a document, replacing the one that was there. */
export async function putDocument(
  services: Services,
  session: PlaySession,
  place: DocumentPlace,
  type: string,
  body: Buffer,
): Promise<void> {
  const { registrationid } = session;
  const modified_date = Math.floor(services.now() / 1000);
  await services.storage.write(playing(services, session, 'keep a document'), async (tx) => {
    const { count } = await tx
      .selectFrom('training_documents')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('registrationid', '=', registrationid)
      .executeTakeFirstOrThrow();
    if (count >= mostDocuments) throw new Problem('forbidden', 'There are too many documents');
    await tx
      .insertInto('training_documents')
      .values({ registrationid, ...place, type, body, modified_date })
      .onConflict((conflict) =>
        conflict
          .columns(['registrationid', 'resource', 'activity', 'documentid'])
          .doUpdateSet({ type, body, modified_date }),
      )
      .execute();
  });
}

/** Puts the fields of a JSON object into the document that is there (xAPI part 3, 2.2). */
export async function mergeDocument(
  services: Services,
  session: PlaySession,
  place: DocumentPlace,
  type: string,
  body: Buffer,
): Promise<void> {
  const known = await readDocument(services, session, place);
  if (known === undefined) return putDocument(services, session, place, type, body);
  const [before, more] = [known, { type, body }].map(objectOf);
  if (before === undefined || more === undefined)
    throw new Problem('invalid', 'Only JSON objects can be put together');
  await putDocument(
    services,
    session,
    place,
    'application/json',
    Buffer.from(JSON.stringify({ ...before, ...more })),
  );
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

/** Removes a document, or (without `documentid`) all of its kind. */
export async function removeDocuments(
  services: Services,
  session: PlaySession,
  { resource, activity, documentid }: Omit<DocumentPlace, 'documentid'> & { documentid: string | null },
): Promise<void> {
  await services.storage.write(playing(services, session, 'remove documents'), (tx) =>
    tx
      .deleteFrom('training_documents')
      .where('registrationid', '=', session.registrationid)
      .where('resource', '=', resource)
      .where('activity', '=', activity)
      .$if(documentid !== null, (remove) => remove.where('documentid', '=', documentid ?? ''))
      .execute(),
  );
}
