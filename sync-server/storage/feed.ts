import { sql, type Selectable } from 'kysely';

import type { GuideFacts } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import type { SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

import { audienceOf, type Principal } from './audiences.ts';
import { StoredDocuments } from './documents.ts';
import { storeSummary } from './guide-summaries.ts';
import { prepared } from './prepared.ts';
import { noteForSearch } from './search-entries.ts';
import type { Db, Tables, Tx } from './tables.ts';

export { visibleAudiences, type Principal } from './audiences.ts';
export { findDocument, findDocuments } from './documents.ts';

interface Change {
  collection: SyncedCollection;
  id: string;
  /** undefined: the record is gone. */
  body: string | undefined;
  document: unknown;
  principals: Principal[];
  /** Nothing is written if the record is stored like this already. */
  onlyIfNew: boolean;
}

interface AccessChange {
  userid: number;
  before: Principal[];
  after: Principal[];
}

/** The changes of one write transaction. Their feed rows are written as its last statements. */
export class Changes {
  readonly #records = new Map<string, Change>();
  readonly #access = new Map<number, AccessChange>();
  /** What the call read, without these changes. */
  readonly stored = new StoredDocuments();

  /**
   * Sets the new state of a record. The last call for a record in a transaction counts. `body`: the document as JSON.
   */
  put<C extends SyncedCollection>(
    collection: C,
    id: string | number,
    document: SyncedDocument<C>,
    principals: Principal[],
    body: string = JSON.stringify(document),
  ): void {
    this.#set({ collection, id: String(id), body, document, principals, onlyIfNew: false });
  }

  /**
   * As `put`, for a record that is made from others: if it is stored like this already, for the same people, nothing is
   * written, and no device gets it again.
   */
  putIfNew<C extends SyncedCollection>(
    collection: C,
    id: string | number,
    document: SyncedDocument<C>,
    principals: Principal[],
  ): void {
    const body = JSON.stringify(document);
    this.#set({ collection, id: String(id), body, document, principals, onlyIfNew: true });
  }

  /** Removes a record for everybody. */
  remove(collection: SyncedCollection, id: string | number): void {
    const gone = { body: undefined, document: undefined, principals: [], onlyIfNew: false };
    this.#set({ collection, id: String(id), ...gone });
  }

  #set(change: Change): void {
    this.#records.set(`${change.collection}/${change.id}`, change);
  }

  /**
   * Records a change of a person's principals, such as a role or team. Several changes in one transaction become one,
   * from the first `before` to the last `after`.
   */
  access(userid: number, before: Principal[], after: Principal[]): void {
    this.#access.set(userid, { userid, before: this.#access.get(userid)?.before ?? before, after });
  }

  /** The changed records in their new state; without `body`: removed. */
  get records(): Iterable<Readonly<Change>> {
    return this.#records.values();
  }

  /** The record's new state in this transaction; null: removed; undefined: not changed. */
  current<C extends SyncedCollection>(
    collection: C,
    id: string | number,
  ): SyncedDocument<C> | null | undefined {
    const change = this.#records.get(`${collection}/${id}`);
    if (change === undefined) return undefined;
    return change.body === undefined ? null : (JSON.parse(change.body) as SyncedDocument<C>);
  }

  /** Writes documents and feed rows. Call it at the end of the transaction. */
  async flush(
    tx: Tx,
    author: { key: string | null; userid: number | null },
    nonce: () => string,
  ): Promise<void> {
    for (const change of this.#records.values()) {
      const { collection, id } = change;
      const [[previous], after] = await Promise.all([
        audienceOfDocument(tx, { collection, id }),
        change.body === undefined ? 0 : audienceOf(tx, change.principals),
      ]);
      if (previous === undefined && change.body === undefined) continue;
      if (change.onlyIfNew && previous?.audience === after && (await isStored(tx, change))) continue;
      const uid = nonce();
      const [row] = await appendToFeed(tx, {
        nonce: uid,
        collection,
        id,
        key: author.key,
        userid: author.userid,
        audience_before: previous?.audience ?? 0,
        audience_after: after,
      });
      const { seq } = must(row, 'the row of the feed');
      if (change.body === undefined) await deleteDocument(tx, { collection, id });
      else if (previous?.audience === after)
        await replaceBody(tx, { collection, id, seq, body: change.body });
      else await storeDocument(tx, { collection, id, seq, audience: after, body: change.body, uid });
      if (collection === 'guides' && change.body !== undefined)
        await storeSummary(tx, change.document as GuideFacts, after);
      await noteForSearch(tx, { collection, id }, { before: previous?.audience ?? 0, after });
    }
    for (const change of this.#access.values()) {
      await tx
        .insertInto('feed')
        .values({
          nonce: nonce(),
          collection: '$access',
          id: String(change.userid),
          key: null,
          userid: change.userid,
          audience_before: 0,
          audience_after: 0,
          detail: JSON.stringify({ before: change.before, after: change.after }),
        })
        .execute();
    }
    this.#records.clear();
    this.#access.clear();
    this.stored.clear();
  }
}

const audienceOfDocument = prepared<{ collection: string; id: string }, { audience: number }>((db, value) =>
  db
    .selectFrom('documents')
    .select('audience')
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id')),
);

/** Whether the record is stored with the body of the change. */
async function isStored(tx: Tx, { collection, id, body }: Change): Promise<boolean> {
  if (body === undefined) return false;
  const rows = await documentWithBody(tx, { collection, id, body });
  return rows.length > 0;
}

const documentWithBody = prepared<{ collection: string; id: string; body: string }, { seq: number }>(
  (db, value) =>
    db
      .selectFrom('documents')
      .select('seq')
      .where('collection', '=', value('collection'))
      .where('id', '=', value('id'))
      .where('body', '=', value('body')),
);

const appendToFeed = prepared<Omit<Selectable<Tables['feed']>, 'seq' | 'detail'>, { seq: number }>(
  (db, value) =>
    db
      .insertInto('feed')
      .values({
        nonce: value('nonce'),
        collection: value('collection'),
        id: value('id'),
        key: value('key'),
        userid: value('userid'),
        audience_before: value('audience_before'),
        audience_after: value('audience_after'),
        detail: null,
      })
      .returning('seq'),
);

const deleteDocument = prepared<{ collection: string; id: string }, unknown>((db, value) =>
  db.deleteFrom('documents').where('collection', '=', value('collection')).where('id', '=', value('id')),
);

/** Inserts or replaces a document. `uid` is used for a new record only. */
const storeDocument = prepared<Tables['documents'], unknown>((db, value) =>
  db
    .insertInto('documents')
    .values({
      collection: value('collection'),
      id: value('id'),
      seq: value('seq'),
      audience: value('audience'),
      body: value('body'),
      uid: value('uid'),
    })
    .onConflict((conflict) =>
      conflict.columns(['collection', 'id']).doUpdateSet((eb) => ({
        seq: eb.ref('excluded.seq'),
        audience: eb.ref('excluded.audience'),
        body: eb.ref('excluded.body'),
      })),
    ),
);

/**
 * Replaces a document without naming its audience: SQLite would write the index of the column again, even for the same
 * value.
 */
const replaceBody = prepared<Omit<Tables['documents'], 'audience' | 'uid'>, unknown>((db, value) =>
  db
    .updateTable('documents')
    .set({ seq: value('seq'), body: value('body') })
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id')),
);

const countUp = prepared<{ name: string }, { value: number }>((db, value) =>
  db
    .insertInto('counters')
    .values({ name: value('name'), value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql<number>`counters.value + 1` }))
    .returning('value'),
);

/** A call: its database, and its changes if it writes. */
interface Call {
  db: Db;
  changes: Changes;
}

/**
 * `findDocument` of a call, without its own changes. A call that writes reads the document once (STORAGE-35), shares it,
 * and must not change it.
 */
export async function findStored<C extends SyncedCollection>(
  { db, changes }: Call,
  collection: C,
  id: string | number,
): Promise<SyncedDocument<C> | undefined> {
  const [document] = await changes.stored.find(db, collection, [id]);
  return document;
}

/** As `findStored`, of several records, in the order of `ids`; missing ones are left out. */
export function findAllStored<C extends SyncedCollection>(
  { db, changes }: Call,
  collection: C,
  ids: readonly (string | number)[],
): Promise<SyncedDocument<C>[]> {
  return changes.stored.find(db, collection, ids);
}

/** `findAllStored`, including the changes of the call, which are not stored yet. */
export async function findPresent<C extends SyncedCollection>(
  { db, changes }: Call,
  collection: C,
  ids: readonly (string | number)[],
): Promise<SyncedDocument<C>[]> {
  const touched = ids.map((id) => changes.current(collection, id));
  const untouched = ids.filter((_, index) => touched[index] === undefined);
  const stored = await changes.stored.find(db, collection, untouched);
  return [...stored, ...touched.flatMap((one) => one ?? [])];
}

/** The next value of a counter that all records of a kind share (revision numbers). */
export async function nextNumber(
  tx: Db,
  name: 'revision' | 'guide_revision' | 'form_revision' | 'field_revision' | 'handoff',
): Promise<number> {
  const [row] = await countUp(tx, { name });
  return must(row, 'the counter').value;
}

/** Raises a counter so that later numbers are above `value`, for an import that keeps its revision numbers. */
export async function raiseNumber(
  tx: Db,
  name: 'revision' | 'guide_revision' | 'form_revision' | 'field_revision',
  value: number,
): Promise<void> {
  await tx
    .insertInto('counters')
    .values({ name, value })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        value: sql<number>`CASE WHEN counters.value < ${value} THEN ${value} ELSE counters.value END`,
      }),
    )
    .execute();
}

/** Seq and nonce of the newest row of the feed; undefined if it is empty. */
export async function newestFeedRow(db: Db): Promise<{ seq: number; nonce: string } | undefined> {
  const [row] = await newestRow(db, {});
  return row;
}

const newestRow = prepared<Record<never, never>, { seq: number; nonce: string }>((db) =>
  db.selectFrom('feed').select(['seq', 'nonce']).orderBy('seq', 'desc').limit(1),
);

/** The newest place in the feed; 0 if it is empty. */
export async function feedHead(db: Db): Promise<number> {
  const row = await db
    .selectFrom('feed')
    .select(({ fn }) => fn.max('seq').as('head'))
    .executeTakeFirst();
  return Number(row?.head ?? 0);
}
