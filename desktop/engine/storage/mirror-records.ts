import {
  normalizeMangoQuery,
  prepareQuery,
  type BulkWriteRow,
  type MangoQuerySelector,
  type RxCollection,
  type RxDocument,
  type RxDocumentData,
} from 'rxdb';
import { map, type Observable } from 'rxjs';

import type { FeedRow, SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

import { mirrorKinds, type MirrorFields } from './mirror-kinds.ts';

/** A record of the mirror. It is shallow: RxDB clones records, and the clone of a deep one is slow. */
export interface StoredRecord extends MirrorFields {
  id: string;
  seq: number;
  /** The facts as JSON; empty for a removed record. */
  body: string;
  /** In the collection that small kinds share only. There the id is `<kind>/<id>`. */
  kind?: SyncedCollection;
}

/** A record to store; a removed one has only its id and seq (MIRROR-5). */
export type MirrorRecord = StoredRecord & { _deleted: boolean };
/** A record as RxDB stores it, with its revision. */
export type StoredData = RxDocumentData<StoredRecord>;
export type MirrorCollection = RxCollection<StoredRecord>;

/** Ids of the server begin with a digit or a letter. */
const counterPrefix = '~writes-';

/** The id of the record that counts the writes of its kind since a load began (mirror README, MIRROR-20). */
export function counterId(loadId: string): string {
  return `${counterPrefix}${loadId}`;
}

/** The record that counts `count` writes of its kind; its body is empty. */
export function counterOf(c: SyncedCollection, loadId: string, count: number): StoredRecord {
  return toStored({ c, id: counterId(loadId), seq: count });
}

export function isCounter({ id }: { id: string }): boolean {
  return id.startsWith(counterPrefix);
}

/** A feed row as the mirror stores it. `body`: its facts as JSON, where the caller has them. */
export function toStored(
  row: FeedRow,
  body = row.doc === undefined ? '' : JSON.stringify(row.doc),
): StoredRecord {
  // The feed's schema does not check documents: they are what the server wrote for this kind.
  const facts = row.doc as SyncedDocument<SyncedCollection> | undefined;
  return { id: row.id, seq: row.seq, body, ...fieldsOf(row.c, facts) };
}

function fieldsOf<C extends SyncedCollection>(kind: C, facts: SyncedDocument<C> | undefined): MirrorFields {
  return mirrorKinds[kind]?.own?.fieldsOf(facts) ?? {};
}

/** A record that changed. */
export interface RecordChange {
  record: StoredData;
  isRemoved: boolean;
}

/**
 * The records of one kind, in a collection of RxDB that is theirs or that they share with other kinds. Ids are those of
 * the feed either way.
 */
export class MirrorRecords {
  readonly kind: SyncedCollection;
  readonly #collection: MirrorCollection;
  readonly #isShared: boolean;
  /** What precedes the ids of this kind in the collection. */
  readonly #prefix: string;

  constructor(kind: SyncedCollection, collection: MirrorCollection, isShared: boolean) {
    this.kind = kind;
    this.#collection = collection;
    this.#isShared = isShared;
    this.#prefix = isShared ? `${kind}/` : '';
  }

  /** Emits the record's document, or null, now and after each change. */
  observe(id: string): Observable<RxDocument<StoredRecord> | null> {
    return this.#collection.findOne(this.#prefix + id).$;
  }

  get(id: string): Promise<RxDocument<StoredRecord> | null> {
    return this.#collection.findOne(this.#prefix + id).exec();
  }

  /**
   * Emits the documents of the records whose field equals a value (`{ guideid: 61 }`; only fields of the kind's own
   * collection), or of all records, now and after each change. One of them may be the counter.
   */
  observeAll(where: Readonly<Record<string, string | number>> = {}): Observable<RxDocument<StoredRecord>[]> {
    return this.#collection.find({ selector: { ...this.#selector(), ...where } }).$;
  }

  /** The id of a document of this kind, as in the feed. */
  idOf({ id }: { id: string }): string {
    return id.slice(this.#prefix.length);
  }

  /** Emits the changes of each write with that of the counter, those of other tabs included. */
  get changes(): Observable<RecordChange[]> {
    return this.#collection.eventBulks$.pipe(
      map(({ events }) =>
        events
          .filter(({ documentId }) => documentId.startsWith(this.#prefix))
          .map(({ documentData, operation }) => ({
            record: this.#withOwnId(documentData as StoredData),
            isRemoved: operation === 'DELETE',
          })),
      ),
    );
  }

  /** What is stored under these ids, removed records and counters included, by id. Past every cache. */
  async find(ids: readonly string[]): Promise<Map<string, StoredData>> {
    const found = await this.#collection.storageInstance.findDocumentsById(
      ids.map((id) => this.#prefix + id),
      true,
    );
    return new Map(found.map((record) => [this.idOf(record), this.#withOwnId(record)]));
  }

  /**
   * Stores records in one transaction. `known`: what `find` returned for them.
   * Not `bulkUpsert`: it inserts and updates in two transactions, and keeps every document in its cache.
   * @throws Error when one of them could not be stored
   */
  async write(records: readonly MirrorRecord[], known: ReadonlyMap<string, StoredData>): Promise<void> {
    const rows = records.map((record): BulkWriteRow<StoredRecord> => {
      const previous = known.get(record.id);
      // The storage sets revision and time.
      const document = { ...this.#withStoredId(record), _attachments: {}, _meta: { lwt: 0 }, _rev: '' };
      return previous === undefined ? { document } : { previous: this.#withStoredId(previous), document };
    });
    const { error } = await this.#collection.storageInstance.bulkWrite(rows, 'mirror');
    if (error.length > 0)
      throw new Error(`The mirror's ${this.kind} could not be stored`, { cause: error[0] });
  }

  /** All present records, past every cache. */
  async *all(): AsyncGenerator<StoredData> {
    for await (const record of this.everything()) if (!record._deleted && !isCounter(record)) yield record;
  }

  /** Whether nothing of this kind is stored, not even a tombstone. */
  async isBlank(): Promise<boolean> {
    return (await this.everything('', 1).next()).done === true;
  }

  /** The counters of all loads. */
  async *counters(): AsyncGenerator<StoredData> {
    for await (const record of this.everything(counterPrefix)) if (!record._deleted) yield record;
  }

  /** All records with an id after `after` in the order of their ids, removed ones and counters included. */
  async *everything(after = '', pageSize = 1000): AsyncGenerator<StoredData> {
    const { schema, storageInstance } = this.#collection;
    for (let last = this.#prefix + after; ;) {
      const query = normalizeMangoQuery<StoredRecord>(schema.jsonSchema, {
        selector: { ...this.#selector(), id: { $gt: last } },
        sort: [{ id: 'asc' }],
        limit: pageSize,
      });
      const { documents } = await storageInstance.query(prepareQuery(schema.jsonSchema, query));
      for (const document of documents) yield this.#withOwnId(document);
      if (documents.length < pageSize) return;
      last = documents.at(-1)?.id ?? last;
    }
  }

  #selector(): MangoQuerySelector<StoredRecord> {
    return this.#isShared ? { kind: this.kind } : {};
  }

  #withOwnId<T extends { id: string }>(record: T): T {
    return this.#isShared ? { ...record, id: this.idOf(record) } : record;
  }

  #withStoredId<T extends StoredRecord>(record: T): T {
    return this.#isShared ? { ...record, id: this.#prefix + record.id, kind: this.kind } : record;
  }
}
