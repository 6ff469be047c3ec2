import { readLine } from '#shared/sync/reading.ts';
import { collectionNames, type SyncedCollection } from '#shared/sync/wire.ts';

import type { Link } from '../link.ts';
import { jsonIn } from '../recognise.ts';
import { answerOf } from './answer.ts';
import { toStored, type MirrorCollections, type StoredRecord } from './collections.ts';
import { learnHead } from './head.ts';

/** Records written at a time. */
const batchSize = 1000;

export interface Load {
  link: Link;
  signal: AbortSignal;
  collections: MirrorCollections;
  /** The mirror is empty: records are inserted without looking whether they are there. */
  isEmpty: boolean;
  progress(received: number, total: number): void;
  /** Called before records that the stream did not name are removed. */
  leaving(): Promise<void>;
}

/**
 * Loads the whole mirror from one stream. Records are written while the next ones arrive, one batch at a time.
 * When the mirror was not empty, records that the stream does not name are removed at the end. Returns where
 * replication goes on. A load that broke off is repeated from the start; until then the mirror is what it was,
 * partly newer (M2).
 */
export async function loadMirror(load: Load): Promise<{ place: string; history: string }> {
  const { link } = load;
  const answering = await answerOf(link, link.request('/sync/1/bootstrap', { signal: load.signal }, 60_000));
  const writer = new BatchWriter(load);
  let history: string | null = null;
  let total = 0;
  let received = 0;
  let last = '';
  for await (const line of link.lines(answering)) {
    if (line === '') continue;
    last = line;
    if (history === null) {
      const head = learnHead(line, link, answering);
      history = head.history;
      total = head.total ?? 0;
      load.progress(0, total);
      continue;
    }
    const value = jsonIn(line);
    const parsed = link.parsed(answering, readLine, line, value);
    if ('checkpoint' in parsed) {
      await writer.finish();
      load.progress(received, received);
      return { place: parsed.checkpoint, history };
    }
    received += 1;
    for (const row of parsed.rows) await writer.add(row.c, toStored(row, bodyText(line, value)));
    if (received % batchSize === 0) load.progress(received, Math.max(total, received));
  }
  throw link.foreign(answering, last);
}

/** The text of `doc` within the line of a plain row, whose last property it is, without writing it out again. */
function bodyText(line: string, row: unknown): string | undefined {
  if (Object.keys(Object(row) as object).join() !== 'c,id,seq,doc' || !line.endsWith('}')) return undefined;
  const mark = '"doc":';
  return line.slice(line.indexOf(mark) + mark.length, -1);
}

/** Writes batches one after the other; `add` waits only while the batch before is still being written. */
class BatchWriter {
  readonly #load: Load;
  readonly #pending = new Map<SyncedCollection, StoredRecord[]>();
  readonly #seen = new Map<SyncedCollection, Set<string>>();
  #writing: Promise<void> = Promise.resolve();

  constructor(load: Load) {
    this.#load = load;
  }

  async add(collection: SyncedCollection, record: StoredRecord): Promise<void> {
    const pending = this.#pending.get(collection) ?? [];
    this.#pending.set(collection, pending);
    pending.push(record);
    if (!this.#load.isEmpty) this.#seenIn(collection).add(record.id);
    if (pending.length >= batchSize) await this.#flush(collection);
  }

  async finish(): Promise<void> {
    for (const collection of this.#pending.keys()) await this.#flush(collection);
    await this.#writing;
    if (!this.#load.isEmpty) await this.#removeUnseen();
  }

  async #flush(collection: SyncedCollection): Promise<void> {
    const records = this.#pending.get(collection) ?? [];
    this.#pending.set(collection, []);
    await this.#writing;
    if (records.length === 0) return;
    this.#writing = this.#write(collection, records);
    // The failure is met at the next flush; until then it must not count as unhandled.
    this.#writing.catch(() => undefined);
  }

  async #write(collection: SyncedCollection, records: StoredRecord[]): Promise<void> {
    const target = this.#load.collections[collection];
    const { error } = this.#load.isEmpty
      ? await target.bulkInsert(records)
      : await target.bulkUpsert(records);
    if (error.length > 0)
      throw new Error(`The mirror's ${collection} could not be stored`, { cause: error[0] });
  }

  async #removeUnseen(): Promise<void> {
    for (const name of collectionNames) {
      const collection = this.#load.collections[name];
      const present = await collection.find().exec();
      const unseen = present.filter(({ id }) => !this.#seenIn(name).has(id));
      if (unseen.length > 0) await this.#load.leaving();
      // Nothing of what may no longer be seen stays behind, not even in what remembers the removal.
      await collection.bulkUpsert(unseen.map(({ id, seq }) => toStored({ c: name, id, seq })));
      await collection.bulkRemove(unseen.map(({ id }) => id));
    }
  }

  #seenIn(collection: SyncedCollection): Set<string> {
    const seen = this.#seen.get(collection) ?? new Set<string>();
    this.#seen.set(collection, seen);
    return seen;
  }
}
