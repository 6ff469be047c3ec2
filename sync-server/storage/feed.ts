import { sql, type Selectable } from 'kysely';

import { must } from '#shared/must.ts';
import type { SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

import { indexDocument } from './search.ts';
import { chunks } from './chunks.ts';
import { prepared } from './prepared.ts';
import type { Db, Tables, Tx } from './tables.ts';

/**
 * Who may see a record: a set of principals. `public` is everybody who may read the site, `members` everybody
 * signed in, `learners` everybody signed in who is no kiosk, `admin` every administrator, then single people and teams.
 */
export type Principal = 'public' | 'members' | 'learners' | 'admin' | `user:${number}` | `team:${number}`;

interface Change {
  collection: SyncedCollection;
  id: string;
  /** undefined: the record is gone. */
  body: string | undefined;
  document: unknown;
  principals: Principal[];
}

interface AccessChange {
  userid: number;
  before: Principal[];
  after: Principal[];
}

/** What one write transaction changed; its feed rows are written as the last statements of the transaction. */
export class Changes {
  readonly #records = new Map<string, Change>();
  readonly #access: AccessChange[] = [];

  /** The record as it now is. The last word about a record in one transaction counts. */
  put<C extends SyncedCollection>(
    collection: C,
    id: string | number,
    document: SyncedDocument<C>,
    principals: Principal[],
  ): void {
    this.#records.set(`${collection}/${id}`, {
      collection,
      id: String(id),
      body: JSON.stringify(document),
      document,
      principals,
    });
  }

  /** The record is gone for everybody. */
  remove(collection: SyncedCollection, id: string | number): void {
    this.#records.set(`${collection}/${id}`, {
      collection,
      id: String(id),
      body: undefined,
      document: undefined,
      principals: [],
    });
  }

  /** What a person may see changed as a whole: role, team, allow-list. */
  access(userid: number, before: Principal[], after: Principal[]): void {
    this.#access.push({ userid, before, after });
  }

  /** The records that changed, as they will be; without a body: gone. */
  get records(): Iterable<Readonly<Change>> {
    return this.#records.values();
  }

  /** The record as this transaction leaves it; null: gone; undefined: untouched. */
  current<C extends SyncedCollection>(
    collection: C,
    id: string | number,
  ): SyncedDocument<C> | null | undefined {
    const change = this.#records.get(`${collection}/${id}`);
    if (change === undefined) return undefined;
    return change.body === undefined ? null : (JSON.parse(change.body) as SyncedDocument<C>);
  }

  /** Writes documents and feed rows. Call last inside the transaction. */
  async flush(
    tx: Tx,
    author: { key: string | null; userid: number | null },
    nonce: () => string,
  ): Promise<void> {
    for (const change of this.#records.values()) {
      const { collection, id } = change;
      const [previous] = await audienceOfDocument(tx, { collection, id });
      if (previous === undefined && change.body === undefined) continue;
      const after = change.body === undefined ? 0 : await audienceOf(tx, change.principals);
      const [row] = await appendToFeed(tx, {
        nonce: nonce(),
        collection,
        id,
        key: author.key,
        userid: author.userid,
        audience_before: previous?.audience ?? 0,
        audience_after: after,
      });
      const { seq } = must(row, 'the row of the feed');
      if (change.body === undefined) await deleteDocument(tx, { collection, id });
      else await storeDocument(tx, { collection, id, seq, audience: after, body: change.body });
      await indexDocument(tx, change.collection, change.id, change.document);
    }
    for (const change of this.#access) {
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
    this.#access.length = 0;
  }
}

const audienceOfDocument = prepared<{ collection: string; id: string }, { audience: number }>((db, value) =>
  db
    .selectFrom('documents')
    .select('audience')
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id')),
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

const storeDocument = prepared<Tables['documents'], unknown>((db, value) =>
  db
    .insertInto('documents')
    .values({
      collection: value('collection'),
      id: value('id'),
      seq: value('seq'),
      audience: value('audience'),
      body: value('body'),
    })
    .onConflict((conflict) =>
      conflict.columns(['collection', 'id']).doUpdateSet((eb) => ({
        seq: eb.ref('excluded.seq'),
        audience: eb.ref('excluded.audience'),
        body: eb.ref('excluded.body'),
      })),
    ),
);

const audienceNamed = prepared<{ principals: string }, { audience: number }>((db, value) =>
  db.selectFrom('audiences').select('audience').where('principals', '=', value('principals')),
);

const allAudiences = prepared<Record<never, never>, { audience: number; principals: string }>((db) =>
  db.selectFrom('audiences').selectAll(),
);

const bodyOf = prepared<{ collection: string; id: string }, { body: string }>((db, value) =>
  db
    .selectFrom('documents')
    .select('body')
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

async function audienceOf(tx: Tx, principals: Principal[]): Promise<number> {
  const text = [...new Set(principals)].toSorted().join(' ');
  const [known] = await audienceNamed(tx, { principals: text });
  if (known !== undefined) return known.audience;
  const added = await tx
    .insertInto('audiences')
    .values({ principals: text })
    .returning('audience')
    .executeTakeFirstOrThrow();
  return added.audience;
}

/** The audiences that hold at least one of `principals`. */
export async function visibleAudiences(db: Db, principals: readonly Principal[]): Promise<Set<number>> {
  const mine = new Set<string>(principals);
  const rows = await allAudiences(db, {});
  return new Set(
    rows.filter((row) => row.principals.split(' ').some((one) => mine.has(one))).map((row) => row.audience),
  );
}

/** The current document of a record as JSON, whoever may see it. */
export async function findBody(
  db: Db,
  collection: SyncedCollection,
  id: string,
): Promise<string | undefined> {
  const [row] = await bodyOf(db, { collection, id });
  return row?.body;
}

/** The current document of a record, whoever may see it. */
export async function findDocument<C extends SyncedCollection>(
  db: Db,
  collection: C,
  id: string | number,
): Promise<SyncedDocument<C> | undefined> {
  const body = await findBody(db, collection, String(id));
  return body === undefined ? undefined : (JSON.parse(body) as SyncedDocument<C>);
}

/** The current documents of several records, in the order of `ids`; missing ones are left out. */
export async function findDocuments<C extends SyncedCollection>(
  db: Db,
  collection: C,
  ids: readonly (string | number)[],
): Promise<SyncedDocument<C>[]> {
  const bodies = new Map<string, string>();
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) {
    const document = await findDocument(db, collection, only);
    return document === undefined ? [] : [document];
  }
  for (const some of chunks(ids)) {
    const rows = await db
      .selectFrom('documents')
      .select(['id', 'body'])
      .where('collection', '=', collection)
      .where('id', 'in', some.map(String))
      .execute();
    for (const row of rows) bodies.set(row.id, row.body);
  }
  return ids.flatMap((id) => {
    const body = bodies.get(String(id));
    return body === undefined ? [] : [JSON.parse(body) as SyncedDocument<C>];
  });
}

/** The same as a transaction in progress leaves them: what it changed itself is not among the documents yet. */
export async function findPresent<C extends SyncedCollection>(
  { db, changes }: { db: Db; changes: Changes },
  collection: C,
  ids: readonly (string | number)[],
): Promise<SyncedDocument<C>[]> {
  const touched = ids.map((id) => changes.current(collection, id));
  const untouched = ids.filter((_, index) => touched[index] === undefined);
  const stored = await findDocuments(db, collection, untouched);
  return [...stored, ...touched.flatMap((one) => one ?? [])];
}

/** The next value of a counter that every record of its kind shares (revision numbers). */
export async function nextNumber(
  tx: Db,
  name: 'revision' | 'guide_revision' | 'form_revision' | 'field_revision' | 'handoff',
): Promise<number> {
  const [row] = await countUp(tx, { name });
  return must(row, 'the counter').value;
}

/** Makes sure that numbers given out later lie above `value` (an import that keeps its revision numbers). */
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
