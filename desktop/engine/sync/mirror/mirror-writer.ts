import type { BulkWriteRow, RxDocumentData } from 'rxdb';

import { collectionNames, type FeedRow, type SyncedCollection } from '#shared/sync/wire.ts';

import { Unreachable } from '../connection-errors.ts';
import type { Environment } from '#desktop/engine/platform/ports.ts';
import {
  counterId,
  counterOf,
  counterPrefix,
  toStored,
  type MirrorCollections,
  type StoredRecord,
} from '#desktop/engine/storage/mirror-collections.ts';
import { everything } from './guide-rows.ts';

/** How often each collection was written since the load `loadId` began. */
export interface Writes {
  loadId: string;
  counts: Partial<Record<SyncedCollection, number>>;
}

/** A record to store; one that was removed keeps nothing but its id and seq (MIRROR-5). */
export type MirrorRecord = StoredRecord & { _deleted: boolean };

export interface WriterDeps {
  environment: Pick<Environment, 'setTimer'>;
  collections: MirrorCollections;
  /** The engine closes: a write that does not end is not waited for. */
  closing: AbortSignal;
}

type Stored = RxDocumentData<StoredRecord>;

/** A write that takes longer than this has failed (a full disk makes IndexedDB hang), ms. */
const longestWrite = 30_000;

/**
 * Writes records of the mirror. Every write counts itself in its collection, in the same transaction as its records:
 * each collection is a database of its own to IndexedDB, and any of them can lose its last writes, or all. A mark that
 * names higher counts than the collections have is not believed (MIRROR-20).
 */
export class MirrorWriter {
  readonly #deps: WriterDeps;
  readonly #loadId: string;
  readonly #counts: Writes['counts'];

  /** `writes`: those that are stored. */
  constructor(deps: WriterDeps, { loadId, counts }: Writes) {
    this.#deps = deps;
    this.#loadId = loadId;
    this.#counts = { ...counts };
  }

  /** The writes that are stored. */
  get writes(): Writes {
    return { loadId: this.#loadId, counts: { ...this.#counts } };
  }

  /** Removes the counts of earlier loads, before this load changes what they count. */
  async begin(): Promise<void> {
    for (const c of collectionNames) {
      const counters: MirrorRecord[] = [];
      for await (const record of everything(this.#deps.collections[c], counterPrefix))
        if (!record._deleted) counters.push(removal(c, record));
      await this.replace(c, counters);
    }
  }

  /** Stores records of which the collection has none, not even removed ones. */
  async insert(c: SyncedCollection, records: readonly StoredRecord[]): Promise<void> {
    await this.#write(c, records.map(present), await this.#known(c, []));
  }

  /** Stores records over whatever is there. */
  async replace(c: SyncedCollection, records: readonly MirrorRecord[]): Promise<void> {
    await this.#write(c, records, await this.#known(c, records));
  }

  /** Stores what the collections do not have yet, each record once, at its highest seq (MIRROR-4). */
  async storeNewer(rows: readonly FeedRow[]): Promise<void> {
    const newest = new Map<SyncedCollection, Map<string, FeedRow>>();
    for (const row of rows) {
      if (row.doc === undefined && row.removed !== true) continue;
      const records = newest.get(row.c) ?? new Map<string, FeedRow>();
      newest.set(row.c, records);
      if ((records.get(row.id)?.seq ?? -1) <= row.seq) records.set(row.id, row);
    }
    const storing = [...newest].map(async ([c, records]) => {
      const all = [...records.values()];
      const known = await this.#known(c, all);
      const newer = all.filter(({ id, seq }) => seq > (known.get(id)?.seq ?? -1));
      await this.#write(
        c,
        newer.map((row) => ({ ...toStored(row), _deleted: row.removed === true })),
        known,
      );
    });
    // Nothing is still being written when the next attempt begins.
    for (const result of await Promise.allSettled(storing))
      if (result.status === 'rejected') throw result.reason;
  }

  /**
   * What the collection has of `records`, removed ones too, and its count. That counts as stored from now on: a record
   * that is skipped because it is there may be of a write that no mark has named yet.
   */
  async #known(c: SyncedCollection, records: readonly { id: string }[]): Promise<Map<string, Stored>> {
    const found = await this.#deps.collections[c].storageInstance.findDocumentsById(
      [counterId(this.#loadId), ...records.map(({ id }) => id)],
      true,
    );
    const known = new Map(found.map((record) => [record.id, record]));
    const count = known.get(counterId(this.#loadId))?.seq ?? 0;
    if (count < (this.#counts[c] ?? 0)) throw new Error(`The mirror's ${c} has lost records`);
    if (count > 0) this.#counts[c] = count;
    return known;
  }

  async #write(
    c: SyncedCollection,
    records: readonly MirrorRecord[],
    known: ReadonlyMap<string, Stored>,
  ): Promise<void> {
    if (records.length === 0) return;
    const count = (this.#counts[c] ?? 0) + 1;
    const counter = present(counterOf(c, this.#loadId, count));
    const rows = [...records, counter].map((record) => rowOver(known.get(record.id), record));
    // Not `bulkUpsert`: it inserts and updates in two transactions, and keeps every document in its cache.
    const writing = this.#deps.collections[c].storageInstance.bulkWrite(rows, 'mirror');
    const { error } = await this.#inTime(c, writing);
    if (error.length > 0) throw new Error(`The mirror's ${c} could not be stored`, { cause: error[0] });
    this.#counts[c] = count;
  }

  async #inTime<T>(c: SyncedCollection, writing: Promise<T>): Promise<T> {
    const { environment, closing } = this.#deps;
    const end = Promise.withResolvers<never>();
    const close = (): void => end.reject(new Unreachable('The engine was closed'));
    const cancel = environment.setTimer(
      () => end.reject(new Error(`The mirror's ${c} could not be stored`)),
      longestWrite,
    );
    closing.addEventListener('abort', close);
    try {
      return await Promise.race([writing, end.promise]);
    } finally {
      cancel();
      closing.removeEventListener('abort', close);
    }
  }
}

/** Whether the collections have everything that `writes` counts. */
export async function haveAll(collections: MirrorCollections, { loadId, counts }: Writes): Promise<boolean> {
  const found = await Promise.all(
    Object.entries(counts).map(async ([c, count]) => {
      const { storageInstance } = collections[c as SyncedCollection];
      const [counter] = await storageInstance.findDocumentsById([counterId(loadId)], false);
      return (counter?.seq ?? 0) >= count;
    }),
  );
  return found.every(Boolean);
}

/** What a removed record leaves. */
export function removal(c: SyncedCollection, { id, seq }: { id: string; seq: number }): MirrorRecord {
  return { ...toStored({ c, id, seq }), _deleted: true };
}

export function present(record: StoredRecord): MirrorRecord {
  return { ...record, _deleted: false };
}

/** The storage gives revision and time. */
function rowOver(previous: Stored | undefined, record: MirrorRecord): BulkWriteRow<StoredRecord> {
  const document = { ...record, _attachments: {}, _meta: { lwt: 0 }, _rev: '' };
  return previous === undefined ? { document } : { previous, document };
}
