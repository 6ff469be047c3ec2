import type { SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

import { documentsOf, cacheOwnerOf } from './document-cache.ts';
import { prepared, preparedList } from './prepared.ts';
import type { Db } from './tables.ts';

interface Read {
  id: string;
  seq: number;
  body: string;
}

const readOne = prepared<{ collection: string; id: string }, Read>((db, value) =>
  db
    .selectFrom('documents')
    .select(['id', 'seq', 'body'])
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id')),
);

const readList = preparedList<{ collection: string }, string, Read>((db, ids, value) =>
  db
    .selectFrom('documents')
    .select(['id', 'seq', 'body'])
    .where('collection', '=', value('collection'))
    .where('id', 'in', ids),
);

const seqOf = prepared<{ collection: string; id: string }, Omit<Read, 'body'>>((db, value) =>
  db
    .selectFrom('documents')
    .select(['id', 'seq'])
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id')),
);

const seqsOf = preparedList<{ collection: string }, string, Omit<Read, 'body'>>((db, ids, value) =>
  db
    .selectFrom('documents')
    .select(['id', 'seq'])
    .where('collection', '=', value('collection'))
    .where('id', 'in', ids),
);

/** The current document of a record as JSON, without a permission check. */
export async function findBody(
  db: Db,
  collection: SyncedCollection,
  id: string,
): Promise<string | undefined> {
  const [row] = await readOne(db, { collection, id });
  return row?.body;
}

/** The current document of a record, without a permission check. */
export async function findDocument<C extends SyncedCollection>(
  db: Db,
  collection: C,
  id: string | number,
): Promise<SyncedDocument<C> | undefined> {
  const [document] = await findDocuments(db, collection, [id]);
  return document;
}

/** The current documents of several records, in the order of `ids`; missing ones are left out. */
export async function findDocuments<C extends SyncedCollection>(
  db: Db,
  collection: C,
  ids: readonly (string | number)[],
): Promise<SyncedDocument<C>[]> {
  const wanted = [...new Set(ids.map(String))];
  const found = await findCached(db, collection, wanted);
  const cache = documentsOf(db);
  const missing = wanted.filter((id) => !found.has(id));
  for (const row of await readRows(db, collection, missing))
    found.set(row.id, cache?.add(`${collection}/${row.id}`, row) ?? JSON.parse(row.body));
  return ids.flatMap((id) => (found.get(String(id)) as SyncedDocument<C> | undefined) ?? []);
}

/**
 * Cached documents that are current, by id. In a transaction, the reader loads committed documents into its cache
 * first.
 */
async function findCached(
  db: Db,
  collection: SyncedCollection,
  wanted: readonly string[],
): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  const owner = cacheOwnerOf(db);
  const cache = documentsOf(owner);
  if (cache === undefined) return found;
  const isCached = (id: string): boolean => cache.find(`${collection}/${id}`) !== undefined;
  if (owner !== db)
    await findDocuments(
      owner,
      collection,
      wanted.filter((id) => !isCached(id)),
    );
  for (const { id, seq } of await readSeqs(db, collection, wanted.filter(isCached))) {
    const before = cache.find(`${collection}/${id}`);
    if (before?.seq === seq) found.set(id, before.document);
  }
  return found;
}

async function readSeqs(db: Db, collection: string, ids: string[]): Promise<Omit<Read, 'body'>[]> {
  const [only] = ids;
  return ids.length === 1 && only !== undefined
    ? seqOf(db, { collection, id: only })
    : seqsOf(db, ids, { collection });
}

async function readRows(db: Db, collection: string, ids: string[]): Promise<Read[]> {
  const [only] = ids;
  return ids.length === 1 && only !== undefined
    ? readOne(db, { collection, id: only })
    : readList(db, ids, { collection });
}
