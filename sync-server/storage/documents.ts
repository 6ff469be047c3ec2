import type { SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

import { prepared, preparedList } from './prepared.ts';
import type { Db, Tx } from './tables.ts';

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
  const rows = await readRows(db, collection, [...new Set(ids.map(String))]);
  const found = new Map(rows.map(({ id, body }) => [id, JSON.parse(body) as SyncedDocument<C>]));
  return ids.flatMap((id) => found.get(String(id)) ?? []);
}

async function readRows(db: Db, collection: string, ids: string[]): Promise<Read[]> {
  const [only] = ids;
  return ids.length === 1 && only !== undefined
    ? readOne(db, { collection, id: only })
    : readList(db, ids, { collection });
}

/** Most documents that are kept for one call: a job may read thousands in a transaction. */
const mostKept = 100;

interface Stored {
  body: string;
  document: unknown;
}

/**
 * The documents that one call has read in its transaction, as they are stored. Only the changes of the call change them:
 * `clear` is called when these are written.
 *
 * - STORAGE-35 A call that writes reads a document once in its transaction, and never takes one that was read before
 *   it. After its changes are written, it reads again. A call that reads more than 100 may read the others again.
 */
export class StoredDocuments {
  /** null: there is none. */
  readonly #known = new Map<string, Stored | null>();

  /** As `findDocuments`. The call shares the documents, and must not change them. */
  async find<C extends SyncedCollection>(
    db: Db,
    collection: C,
    ids: readonly (string | number)[],
  ): Promise<SyncedDocument<C>[]> {
    // Outside of a transaction, others may write between two reads.
    if (!db.isTransaction) return findDocuments(db, collection, ids);
    const found = await this.#read(db, collection, ids);
    return found.map(({ document }) => document as SyncedDocument<C>);
  }

  /** The document as JSON. Only in a transaction. */
  async findBody(tx: Tx, collection: SyncedCollection, id: string): Promise<string | undefined> {
    const [found] = await this.#read(tx, collection, [id]);
    return found?.body;
  }

  clear(): void {
    this.#known.clear();
  }

  async #read(db: Db, collection: string, ids: readonly (string | number)[]): Promise<Stored[]> {
    const found = new Map(ids.map((id) => [String(id), this.#known.get(`${collection}/${id}`)]));
    const missing = [...found.keys()].filter((id) => found.get(id) === undefined);
    for (const { id, body } of await readRows(db, collection, missing))
      found.set(id, { body, document: JSON.parse(body) as unknown });
    for (const id of missing)
      if (this.#known.size < mostKept) this.#known.set(`${collection}/${id}`, found.get(id) ?? null);
    return ids.flatMap((id) => found.get(String(id)) ?? []);
  }
}
