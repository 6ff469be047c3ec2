import { must } from '#shared/must.ts';
import { readLine } from '#shared/sync/reading.ts';
import { collectionNames, type FeedHead, type SyncedCollection } from '#shared/sync/wire.ts';

import type { ServerConnection } from '../server-connection.ts';
import { jsonIn } from '../recognise.ts';
import { answerOf, linesAfterHead } from './answer.ts';
import { OtherHistory } from '../connection-errors.ts';
import type { RecordsByKind } from '#desktop/engine/storage/mirror-collections.ts';
import {
  isCounter,
  toStored,
  type MirrorRecord,
  type StoredRecord,
} from '#desktop/engine/storage/mirror-records.ts';
import type { LoadCursor } from './mark.ts';
import { present, removal, type MirrorWriter } from './mirror-writer.ts';
import type { SeenIds, SeenLists } from './seen-lists.ts';

/** Records written at a time. */
const batchSize = 1000;
/** On a slow connection a batch of any size is written after this time, so that little is lost if the app ends, ms. */
const batchMs = 2000;

export interface Load {
  connection: ServerConnection;
  signal: AbortSignal;
  records: RecordsByKind;
  writer: MirrorWriter;
  /** The mirror is empty: records are inserted without reading what is stored. */
  isEmpty: boolean;
  /** Where an earlier request of this load was cut; null: the load begins. */
  cursor: LoadCursor | null;
  seen: SeenLists;
  /** Stores how far the load is. */
  storeCursor(cursor: LoadCursor): Promise<void>;
  monotonic(): number;
  progress: (received: number, total: number) => void;
  /** Called before records are removed that the load did not bring. */
  leaving: () => Promise<void>;
}

/**
 * Loads the whole mirror, or the rest of it after an earlier request was cut. Records are written in batches while the
 * next ones arrive. When the mirror was not empty, records that the load did not bring are removed at the end. Returns
 * the checkpoint at which the first request began; pulling continues there, so that the next pull brings what changed
 * between two requests (MIRROR-2, MIRROR-8 to MIRROR-10).
 * @throws OtherHistory when the server's history changed since the load began
 */
export async function loadMirror(load: Load): Promise<{ place: string; history: string }> {
  const { connection, cursor } = load;
  const from = cursor === null ? '' : `?since=${cursor.place}&after=${cursor.after}`;
  const request = connection.request(`/sync/1/bootstrap${from}`, { signal: load.signal }, 60_000);
  const answering = await answerOf(connection, request);
  const heads: FeedHead[] = [];
  let writer: BatchWriter | null = null;
  try {
    for await (const line of linesAfterHead(connection, answering, (head) => heads.push(head))) {
      writer ??= await BatchWriter.open(load, must(heads[0], 'a head'));
      const value = jsonIn(line);
      const parsed = connection.parsed(answering, readLine, line, value);
      if ('checkpoint' in parsed) {
        const history = await writer.finish(parsed.checkpoint);
        connection.learnPlace(parsed.checkpoint);
        return { place: parsed.checkpoint, history };
      }
      for (const row of parsed.rows) await writer.add(row.c, toStored(row, bodyText(line, value)));
    }
    throw connection.foreign(answering);
  } catch (error) {
    // Stores the records that arrived. If that fails, they are only loaded again.
    await writer?.flush().catch(() => undefined);
    throw error;
  }
}

/** The JSON text of `doc`, cut out of the line of a row; undefined where `doc` is not its last property. */
function bodyText(line: string, row: unknown): string | undefined {
  if (Object.keys(Object(row) as object).join() !== 'c,id,seq,doc' || !line.endsWith('}')) return undefined;
  const mark = '"doc":';
  return line.slice(line.indexOf(mark) + mark.length, -1);
}

/** Writes batches one after the other; `add` waits only while the previous batch is being written. */
class BatchWriter {
  readonly #load: Load;
  readonly #history: string;
  readonly #total: number;
  /** Null where the server cannot continue a load. */
  #cursor: LoadCursor | null;
  readonly #isFresh: boolean;
  #received: number;
  #pending = new Map<SyncedCollection, StoredRecord[]>();
  #waiting = 0;
  #after = 0;
  #writtenAt: number;
  readonly #seen = new Map<SyncedCollection, Set<string>>();
  #writing: Promise<void> = Promise.resolve();

  /** `head`: of the answer. If it does not name the cursor, the server starts from the beginning. */
  static async open(load: Load, head: FeedHead): Promise<BatchWriter> {
    const { cursor, isEmpty } = load;
    if (cursor !== null && head.history !== cursor.history)
      throw new OtherHistory('The server has another history');
    const continues = cursor !== null && head.after === cursor.after;
    const writer = new BatchWriter(load, head, continues ? cursor : null, isEmpty);
    if (continues && !cursor.isFresh)
      for (const ids of (await load.seen.read(cursor.lists)) ?? []) writer.#note(ids);
    return writer;
  }

  private constructor(load: Load, head: FeedHead, from: LoadCursor | null, isEmpty: boolean) {
    const { history, checkpoint, total = 0 } = head;
    const isFresh = from?.isFresh ?? isEmpty;
    this.#load = load;
    this.#history = history;
    this.#isFresh = isFresh;
    this.#received = from?.received ?? 0;
    this.#total = this.#received + total;
    this.#writtenAt = load.monotonic();
    const begun = (place: string): LoadCursor => ({
      place,
      history,
      after: 0,
      received: 0,
      isFresh,
      lists: 0,
    });
    this.#cursor = from ?? (checkpoint === undefined ? null : begun(checkpoint));
    load.progress(this.#received, this.#total);
  }

  async add(collection: SyncedCollection, record: StoredRecord): Promise<void> {
    const pending = this.#pending.get(collection) ?? [];
    this.#pending.set(collection, pending);
    pending.push(record);
    this.#waiting += 1;
    this.#received += 1;
    this.#after = record.seq;
    if (this.#waiting >= batchSize || this.#load.monotonic() - this.#writtenAt >= batchMs) await this.#pass();
  }

  /** Resolves when all added records are stored. */
  async flush(): Promise<void> {
    await this.#pass();
    await this.#writing;
  }

  /** Completes the load that began at the checkpoint `place`. Returns the server's history. */
  async finish(place: string): Promise<string> {
    await this.flush();
    if (!this.#isFresh) await this.#removeUnseen(Number(place.split('.')[0]));
    this.#load.progress(this.#received, this.#received);
    return this.#history;
  }

  /** Starts writing the current batch after the previous one was written. */
  async #pass(): Promise<void> {
    const batch = this.#pending;
    this.#pending = new Map();
    this.#waiting = 0;
    this.#writtenAt = this.#load.monotonic();
    const cursor = this.#cursor;
    await this.#writing;
    if (batch.size === 0) return;
    const ids = Object.fromEntries(
      [...batch].map(([collection, records]) => [collection, records.map(({ id }) => id)]),
    ) as SeenIds;
    if (!this.#isFresh) this.#note(ids);
    if (cursor !== null)
      this.#cursor = {
        ...cursor,
        after: this.#after,
        received: this.#received,
        lists: cursor.lists + (this.#isFresh ? 0 : 1),
      };
    this.#load.progress(this.#received, Math.max(this.#total, this.#received));
    this.#writing = this.#write(batch, ids, cursor?.lists ?? 0, this.#cursor);
    // The next batch awaits it and handles a failure.
    this.#writing.catch(() => undefined);
  }

  /** The cursor is stored last, so that records which may not be stored are loaded again. */
  async #write(
    batch: Map<SyncedCollection, StoredRecord[]>,
    ids: SeenIds,
    list: number,
    cursor: LoadCursor | null,
  ): Promise<void> {
    const { writer, isEmpty, seen } = this.#load;
    for (const [collection, records] of batch)
      await (isEmpty ? writer.insert(collection, records) : writer.replace(collection, records.map(present)));
    if (cursor === null) return;
    if (!this.#isFresh) await seen.write(list, ids);
    await this.#load.storeCursor(cursor);
  }

  /**
   * Removes the records that the load did not bring. Tombstones get the seq at which the load began (`begun`), and so do
   * older ones with a higher seq: a restored server starts again at a lower seq, and a record that it makes under the
   * same id must not count as older.
   */
  async #removeUnseen(begun: number): Promise<void> {
    const { records, writer } = this.#load;
    for (const name of collectionNames) {
      const unseen: MirrorRecord[] = [];
      let isLeaving = false;
      for await (const { id, seq, _deleted } of records[name].everything()) {
        if (isCounter({ id }) || (_deleted ? seq <= begun : this.#seenIn(name).has(id))) continue;
        unseen.push(removal(name, { id, seq: begun }));
        isLeaving ||= !_deleted;
      }
      if (isLeaving) await this.#load.leaving();
      await writer.replace(name, unseen);
    }
  }

  #note(ids: SeenIds): void {
    for (const name of collectionNames) for (const id of ids[name] ?? []) this.#seenIn(name).add(id);
  }

  #seenIn(collection: SyncedCollection): Set<string> {
    const seen = this.#seen.get(collection) ?? new Set<string>();
    this.#seen.set(collection, seen);
    return seen;
  }
}
