import type { SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

import { documentsOf } from './kept-documents.ts';
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
  const kept = documentsOf(db);
  const found = new Map<string, unknown>();
  const wanted = new Set(ids.map(String));
  const known =
    kept === undefined ? [] : [...wanted].filter((id) => kept.find(`${collection}/${id}`) !== undefined);
  for (const { id, seq } of await placesOf(db, known, { collection })) {
    const before = kept?.find(`${collection}/${id}`);
    if (before?.seq === seq) found.set(id, before.document);
  }
  const rows = await readRows(
    db,
    collection,
    [...wanted].filter((id) => !found.has(id)),
  );
  for (const row of rows)
    found.set(row.id, kept === undefined ? JSON.parse(row.body) : kept.keep(`${collection}/${row.id}`, row));
  return ids.flatMap((id) => (found.get(String(id)) as SyncedDocument<C> | undefined) ?? []);
}

async function readRows(db: Db, collection: string, ids: string[]): Promise<Read[]> {
  const [only] = ids;
  return ids.length === 1 && only !== undefined
    ? readOne(db, { collection, id: only })
    : readList(db, ids, { collection });
}
