import type { SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

import { prepared, preparedList } from './prepared.ts';
import type { Db } from './tables.ts';

interface Read {
  id: string;
  body: string;
}

const readOne = prepared<{ collection: string; id: string }, Read>((db, value) =>
  db
    .selectFrom('documents')
    .select(['id', 'body'])
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id')),
);

const readList = preparedList<{ collection: string }, string, Read>((db, ids, value) =>
  db
    .selectFrom('documents')
    .select(['id', 'body'])
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
  const rows = await readRows(db, collection, wanted);
  const found = new Map(rows.map(({ id, body }) => [id, JSON.parse(body) as SyncedDocument<C>]));
  return ids.flatMap((id) => found.get(String(id)) ?? []);
}

async function readRows(db: Db, collection: string, ids: string[]): Promise<Read[]> {
  const [only] = ids;
  return ids.length === 1 && only !== undefined
    ? readOne(db, { collection, id: only })
    : readList(db, ids, { collection });
}
