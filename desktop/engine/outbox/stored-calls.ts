import {
  type BulkWriteRow,
  normalizeMangoQuery,
  prepareQuery,
  type PreparedQuery,
  type RxCollection,
  type RxDocumentData,
} from 'rxdb';
import { z } from 'zod';

import { isOwn, type OutboxRow } from '../storage/database.ts';
import type { OutboxCall } from '../platform/ports.ts';
import { jsonIn } from '../sync/recognise.ts';
import { callVersion, isUnreadable, readOrPark, textOf } from './at-rest.ts';

/** A second home of the calls. */
export interface CallStore {
  /** The calls that are stored, without those that `isKnown` says are known as the text that they are stored as. */
  read: (isKnown: (id: string, text: string) => boolean) => Promise<OutboxCall[]>;
  /** How many calls are stored. */
  count: () => Promise<number>;
  /** The texts of these calls by id, as far as they are stored. */
  texts: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  write: (put: readonly OutboxCall[], drop: readonly string[]) => Promise<void>;
  watchOthers: (changed: (removed: OutboxCall[]) => void) => () => void;
}

/** The copies of the calls in the database. */
export class StoredCalls implements CallStore {
  readonly #collection: RxCollection<OutboxRow>;

  constructor(collection: RxCollection<OutboxRow>) {
    this.#collection = collection;
  }

  /** What is stored now, whichever tab stored it: past every cache of this tab. */
  async read(isKnown: (id: string, text: string) => boolean): Promise<OutboxCall[]> {
    const { documents } = await this.#collection.storageInstance.query(this.#all());
    return documents.flatMap(({ id, body }) => (isKnown(id, body) ? [] : [toCall(id, body)]));
  }

  async count(): Promise<number> {
    return (await this.#collection.storageInstance.count(this.#all())).count;
  }

  async texts(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.#collection.storageInstance.findDocumentsById([...ids], false);
    return new Map(found.map(({ id, body }) => [id, body]));
  }

  async write(put: readonly OutboxCall[], drop: readonly string[]): Promise<void> {
    const { storageInstance } = this.#collection;
    // What stands for a record that cannot be read has no copy.
    const rows = put.flatMap((call) =>
      isUnreadable(call) ? [] : [{ id: call.id, body: textOf(call, callVersion) }],
    );
    const found = await storageInstance.findDocumentsById([...rows.map(({ id }) => id), ...drop], true);
    const known = new Map(found.map((row) => [row.id, row]));
    const gone = drop.flatMap((id) => known.get(id) ?? []).filter(({ _deleted }) => !_deleted);
    // Past the collection: its cache would hold every row, before and after, until memory is short.
    let writes: BulkWriteRow<OutboxRow>[] = [
      ...rows.map((row) => rowOver(known.get(row.id), { ...row, ...freshRow })),
      ...gone.map((row) => rowOver(row, { ...row, _deleted: true })),
    ];
    while (writes.length > 0) {
      const { error } = await storageInstance.bulkWrite(writes, 'outbox');
      // What another tab changed meanwhile is written all the same.
      writes = error.map((one) => {
        if (one.status !== 409) throw new Error('The outbox could not be stored', { cause: one });
        return rowOver(one.documentInDb, one.writeRow.document);
      });
    }
  }

  #all(): PreparedQuery<OutboxRow> {
    const { schema } = this.#collection;
    const query = normalizeMangoQuery<RxDocumentData<OutboxRow>>(schema.jsonSchema, {
      selector: { _deleted: { $eq: false } },
      index: ['_deleted', 'id'],
      sort: [{ id: 'asc' }],
    });
    return prepareQuery(schema.jsonSchema, query);
  }

  /** Calls `changed` when another tab stored or removed calls; with the removed ones as they were last. */
  watchOthers(changed: (removed: OutboxCall[]) => void): () => void {
    const subscription = this.#collection.eventBulks$.subscribe(({ events }) => {
      const others = events.filter(({ documentData }) => !isOwn(this.#collection, documentData));
      const removed = others.filter(({ operation }) => operation === 'DELETE');
      if (others.length > 0)
        changed(removed.map(({ documentData }) => toCall(documentData.id, documentData.body)));
    });
    return () => subscription.unsubscribe();
  }
}

/** What the storage fills in. */
const freshRow = { _deleted: false, _attachments: {}, _meta: { lwt: 0 }, _rev: '' };

function rowOver(
  previous: RxDocumentData<OutboxRow> | undefined,
  document: RxDocumentData<OutboxRow>,
): BulkWriteRow<OutboxRow> {
  return previous === undefined ? { document } : { previous, document };
}

/** The version of a row stands among the properties of its call. */
const row = z.looseObject({ version: z.unknown().optional() });

function toCall(id: string, body: string): OutboxCall {
  const value = jsonIn(body);
  const { version, ...call } = row.safeParse(value).data ?? { version: undefined };
  return readOrPark(id, { call: Object.keys(call).length === 0 ? body : call, version }, 0);
}
