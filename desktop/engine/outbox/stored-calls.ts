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

/** Stores copies of the calls. */
export interface CallStore {
  /** The stored calls, except those whose stored text `isKnown` accepts. */
  read: (isKnown: (id: string, text: string) => boolean) => Promise<OutboxCall[]>;
  /** How many calls are stored. */
  count: () => Promise<number>;
  /** The stored texts of these calls by id. */
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

  /** Reads what all tabs have stored, without the caches of this tab. */
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
    // Calls that represent unreadable records have no copy.
    const rows = put.flatMap((call) =>
      isUnreadable(call) ? [] : [{ id: call.id, body: textOf(call, callVersion) }],
    );
    const found = await storageInstance.findDocumentsById([...rows.map(({ id }) => id), ...drop], true);
    const known = new Map(found.map((row) => [row.id, row]));
    const gone = drop.flatMap((id) => known.get(id) ?? []).filter(({ _deleted }) => !_deleted);
    // Written without the collection, whose cache would hold every version of each row until memory is short.
    let writes: BulkWriteRow<OutboxRow>[] = [
      ...rows.map((row) => rowOver(known.get(row.id), { ...row, ...freshRow })),
      ...gone.map((row) => rowOver(row, { ...row, _deleted: true })),
    ];
    while (writes.length > 0) {
      const { error } = await storageInstance.bulkWrite(writes, 'outbox');
      // Rows that another tab changed meanwhile are overwritten.
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

  /** Calls `changed` when another tab stored or removed calls, with the last version of the removed ones. */
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

/** Properties that the storage fills in. */
const freshRow = { _deleted: false, _attachments: {}, _meta: { lwt: 0 }, _rev: '' };

function rowOver(
  previous: RxDocumentData<OutboxRow> | undefined,
  document: RxDocumentData<OutboxRow>,
): BulkWriteRow<OutboxRow> {
  return previous === undefined ? { document } : { previous, document };
}

/** A row holds the properties of its call and the version. */
const row = z.looseObject({ version: z.unknown().optional() });

function toCall(id: string, body: string): OutboxCall {
  const value = jsonIn(body);
  const { version, ...call } = row.safeParse(value).data ?? { version: undefined };
  return readOrPark(id, { call: Object.keys(call).length === 0 ? body : call, version }, 0);
}
