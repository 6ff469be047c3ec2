import type { SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

import { documentsOf, keeperOf } from './document-cache.ts';
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

const placeOf = prepared<{ collection: string; id: string }, Omit<Read, 'body'>>((db, value) =>
  db
    .selectFrom('documents')
    .select(['id', 'seq'])
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id')),
);

const placesOf = preparedList<{ collection: string }, string, Omit<Read, 'body'>>((db, ids, value) =>
  db
    .selectFrom('documents')
    .select(['id', 'seq'])
    .where('collection', '=', value('collection'))
    .where('id', 'in', ids),
);

/** The current document of a record as JSON, whoever may see it. */
export async function findBody(
  db: Db,
  collection: SyncedCollection,
  id: string,
): Promise<string | undefined> {
  const [row] = await readOne(db, { collection, id });
  return row?.body;
}

/** The current document of a record, whoever may see it. */
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
  const found = await findKept(db, collection, wanted);
  const kept = documentsOf(db);
  const missing = wanted.filter((id) => !found.has(id));
  for (const row of await readRows(db, collection, missing))
    found.set(row.id, kept?.keep(`${collection}/${row.id}`, row) ?? JSON.parse(row.body));
  return ids.flatMap((id) => (found.get(String(id)) as SyncedDocument<C> | undefined) ?? []);
}

/** Those that are kept as they are now. A transaction has its reader keep what is committed; what it wrote is not kept. */
async function findKept(
  db: Db,
  collection: SyncedCollection,
  wanted: readonly string[],
): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  const keeper = keeperOf(db);
  const kept = documentsOf(keeper);
  if (kept === undefined) return found;
  const isKept = (id: string): boolean => kept.find(`${collection}/${id}`) !== undefined;
  if (keeper !== db)
    await findDocuments(
      keeper,
      collection,
      wanted.filter((id) => !isKept(id)),
    );
  for (const { id, seq } of await readPlaces(db, collection, wanted.filter(isKept))) {
    const before = kept.find(`${collection}/${id}`);
    if (before?.seq === seq) found.set(id, before.document);
  }
  return found;
}

async function readPlaces(db: Db, collection: string, ids: string[]): Promise<Omit<Read, 'body'>[]> {
  const [only] = ids;
  return ids.length === 1 && only !== undefined
    ? placeOf(db, { collection, id: only })
    : placesOf(db, ids, { collection });
}

async function readRows(db: Db, collection: string, ids: string[]): Promise<Read[]> {
  const [only] = ids;
  return ids.length === 1 && only !== undefined
    ? readOne(db, { collection, id: only })
    : readList(db, ids, { collection });
}
