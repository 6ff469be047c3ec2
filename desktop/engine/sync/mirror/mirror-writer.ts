import { collectionNames, type FeedRow, type SyncedCollection } from '#shared/sync/wire.ts';

import { Unreachable } from '../connection-errors.ts';
import type { Environment } from '#desktop/engine/platform/ports.ts';
import type { RecordsByKind } from '#desktop/engine/storage/mirror-collections.ts';
import {
  counterId,
  counterOf,
  toStored,
  type MirrorRecord,
  type StoredData,
  type StoredRecord,
} from '#desktop/engine/storage/mirror-records.ts';

/** How often each kind was written since the load `loadId` began. */
export interface Writes {
  loadId: string;
  counts: Partial<Record<SyncedCollection, number>>;
}

export interface WriterDeps {
  environment: Pick<Environment, 'setTimer'>;
  records: RecordsByKind;
  /** Aborted when the engine closes: a write that hangs is then not awaited. */
  closing: AbortSignal;
}

/** A write that takes longer than this counts as failed, since IndexedDB hangs on a full disk, ms. */
const longestWrite = 30_000;

/**
 * Writes records of the mirror. Every write also increments the counter of its kind, in the same transaction. To
 * IndexedDB each collection is a separate database, which can lose its last writes, or all. A mark with higher counts than
 * the records have is not trusted (MIRROR-20).
 */
export class MirrorWriter {
  readonly #deps: WriterDeps;
  readonly #loadId: string;
  readonly #counts: Writes['counts'];

  /** `writes`: the writes that are stored. */
  constructor(deps: WriterDeps, { loadId, counts }: Writes) {
    this.#deps = deps;
    this.#loadId = loadId;
    this.#counts = { ...counts };
  }

  /** The writes that are stored. */
  get writes(): Writes {
    return { loadId: this.#loadId, counts: { ...this.#counts } };
  }

  /** Removes the counters of earlier loads; to be called before this load writes records. */
  async begin(): Promise<void> {
    for (const c of collectionNames) {
      const counters: MirrorRecord[] = [];
      for await (const record of this.#deps.records[c].counters()) counters.push(removal(c, record));
      await this.replace(c, counters);
    }
  }

  /** Stores records that are not stored yet, not even as tombstones. */
  async insert(c: SyncedCollection, records: readonly StoredRecord[]): Promise<void> {
    await this.#write(c, records.map(present), await this.#known(c, []));
  }

  /** Stores records, whatever is stored under their ids. */
  async replace(c: SyncedCollection, records: readonly MirrorRecord[]): Promise<void> {
    await this.#write(c, records, await this.#known(c, records));
  }

  /** Stores the rows that are newer than what is stored, each record once, at its highest seq (MIRROR-4). */
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
    // All writes must have ended before the next attempt begins.
    for (const result of await Promise.allSettled(storing))
      if (result.status === 'rejected') throw result.reason;
  }

  /**
   * What is stored of `records`, tombstones included, and of the counter. The stored count is adopted: a record that is
   * then skipped because it is stored may come from a write that no mark has counted yet.
   */
  async #known(c: SyncedCollection, records: readonly { id: string }[]): Promise<Map<string, StoredData>> {
    const known = await this.#deps.records[c].find([counterId(this.#loadId), ...records.map(({ id }) => id)]);
    const count = known.get(counterId(this.#loadId))?.seq ?? 0;
    if (count < (this.#counts[c] ?? 0)) throw new Error(`The mirror's ${c} has lost records`);
    if (count > 0) this.#counts[c] = count;
    return known;
  }

  async #write(
    c: SyncedCollection,
    records: readonly MirrorRecord[],
    known: ReadonlyMap<string, StoredData>,
  ): Promise<void> {
    if (records.length === 0) return;
    const count = (this.#counts[c] ?? 0) + 1;
    const counter = present(counterOf(c, this.#loadId, count));
    await this.#inTime(c, this.#deps.records[c].write([...records, counter], known));
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

/** Whether everything that `writes` counts is stored. */
export async function haveAll(records: RecordsByKind, { loadId, counts }: Writes): Promise<boolean> {
  const id = counterId(loadId);
  const found = await Promise.all(
    Object.entries(counts).map(async ([c, count]) => {
      const counter = (await records[c as SyncedCollection].find([id])).get(id);
      return (counter === undefined || counter._deleted ? 0 : counter.seq) >= count;
    }),
  );
  return found.every(Boolean);
}

/** The tombstone of a record. */
export function removal(c: SyncedCollection, { id, seq }: { id: string; seq: number }): MirrorRecord {
  return { ...toStored({ c, id, seq }), _deleted: true };
}

export function present(record: StoredRecord): MirrorRecord {
  return { ...record, _deleted: false };
}
