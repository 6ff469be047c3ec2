import type { Observable } from 'rxjs';

import { must } from '#shared/must.ts';
import { readLine } from '#shared/sync/reading.ts';
import { collectionNames, type FeedHead, type GuideTitle, type SyncedCollection } from '#shared/sync/wire.ts';

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
import { type PackFetcher, PackLoad } from './packs.ts';
import { present, removal, type MirrorWriter } from './mirror-writer.ts';
import type { SeenIds, SeenLists } from './seen-lists.ts';

/** Fewest and most records written at a time. */
const batchSizes = { least: 50, first: 250, most: 1000 };
/**
 * How long writing a batch should take, ms. On a slow disk the journal waits for it, and so do people who save something
 * (MIRROR-30).
 */
const writeMs = { alone: 800, whileSaving: 90 };
/** How far a load is, is stored at most this often while batches follow each other, ms. */
const cursorMs = 1000;
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
  packs: PackFetcher;
  /** Emits the ids of guides that somebody opens and that are not there. */
  missed: Observable<string>;
  /** How often something was saved in the journal. */
  saves: () => number;
  /** Shows the titles of guides that the load will bring. */
  showTitles(titles: readonly GuideTitle[]): Promise<void>;
  /** Called before records are removed that the load did not bring. */
  leaving: () => Promise<void>;
}

/**
 * Loads the whole mirror, or the rest of it after an earlier request was cut: the stream, and the packs that its head
 * names. Records are written in batches while the next ones arrive. When the mirror was not empty, records that the load did not bring are removed at the end. Returns
 * the checkpoint at which the first request began; pulling continues there, so that the next pull brings what changed
 * between two requests (MIRROR-2, MIRROR-8 to MIRROR-10).
 * @throws OtherHistory when the server's history changed since the load began
 */
export async function loadMirror(load: Load): Promise<{ place: string; history: string }> {
  const { connection, cursor, signal } = load;
  const request = connection.request(`/sync/1/bootstrap${queryOf(load)}`, { signal }, 60_000);
  const answering = await answerOf(connection, request);
  const heads: FeedHead[] = [];
  const ended = new AbortController();
  let writer: BatchWriter | null = null;
  let packs: PackLoad | null = null;
  let titles: Promise<void> = Promise.resolve();
  let place: string | null = null;
  const asking = load.missed.subscribe((id) => {
    // If it fails, the guide comes with its pack.
    titles
      .then(async () => {
        if (writer !== null && packs?.hasTitle(id) === true) await loadAsked(load, writer, id);
      })
      .catch(() => undefined);
  });
  try {
    for await (const line of linesAfterHead(connection, answering, (head) => heads.push(head))) {
      if (writer === null || packs === null) {
        const head = must(heads[0], 'a head');
        const parts = AbortSignal.any([signal, ended.signal]);
        packs = new PackLoad(load.packs, connection, parts, head, cursor?.packs?.done ?? []);
        writer = await BatchWriter.open(load, head, packs.records);
        titles = showTitles(load, packs, writer);
      }
      const value = jsonIn(line);
      const parsed = connection.parsed(answering, readLine, line, value);
      if ('checkpoint' in parsed) {
        place = parsed.checkpoint;
        break;
      }
      for (const row of parsed.rows) await writer.add(row.c, toStored(row, bodyText(line, value)));
    }
    if (place === null || writer === null || packs === null) throw connection.foreign(answering);
    await titles;
    for await (const { hash, records } of packs.batches()) {
      for (const { c, record } of records) await writer.addPacked(c, record);
      writer.packDone(hash);
    }
    const history = await writer.finish(place);
    connection.learnPlace(place);
    return { place, history };
  } catch (error) {
    ended.abort();
    writer?.end();
    // Stores the records that arrived. If that fails, they are only loaded again.
    await writer?.flush().catch(() => undefined);
    throw error;
  } finally {
    asking.unsubscribe();
  }
}

/** Loads a guide that somebody opens before its pack comes. */
async function loadAsked({ connection, signal }: Load, writer: BatchWriter, id: string): Promise<void> {
  if (writer.has('guides', id)) return;
  const records = [{ c: 'guides' as const, id }];
  const request = connection.request('/sync/1/records', {
    method: 'POST',
    signal,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ records }),
  });
  const answering = await answerOf(connection, request);
  for await (const line of linesAfterHead(connection, answering)) {
    const value = jsonIn(line);
    const parsed = connection.parsed(answering, readLine, line, value);
    if ('checkpoint' in parsed) return;
    for (const row of parsed.rows)
      if (row.doc !== undefined) await writer.addAsked(row.c, toStored(row, bodyText(line, value)));
  }
}

/** The query of the request. A load that used packs cannot continue by the stream alone: it begins again. */
function queryOf({ cursor, packs: { isUsable } }: Load): string {
  const query = new URLSearchParams();
  if (cursor !== null) {
    query.set('since', cursor.place);
    query.set('after', String((isUsable ? cursor.packs?.after : undefined) ?? cursor.after));
  }
  if (isUsable) {
    query.set('packs', '1');
    if (cursor?.packs !== undefined) query.set('selection', cursor.packs.selection);
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** Shows the titles of packs while a fresh mirror has none of their guides. */
async function showTitles(load: Load, packs: PackLoad, writer: BatchWriter): Promise<void> {
  const titles = await packs.titles();
  // What is shown helps to wait. The load does not fail without it.
  if (writer.isFresh) await load.showTitles(titles).catch(() => undefined);
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
  #after: number;
  /** Hashes of the packs whose records were added. */
  readonly #packsDone: string[];
  /** What a load with packs brought: nothing is stored twice. */
  readonly #added = new Set<string>();
  #writtenAt: number;
  readonly #seen = new Map<SyncedCollection, Set<string>>();
  #writing: Promise<void> = Promise.resolve();
  #passing: Promise<void> = Promise.resolve();
  #isEnded = false;
  #size = batchSizes.first;
  #saves: number;
  #cursorAt: number;
  /** Records are stored that the stored cursor does not count. */
  #isCursorLate = false;

  /**
   * `head`: of the answer. If it does not name the cursor, the server starts from the beginning. `packed`: how many
   * records come in packs.
   */
  static async open(load: Load, head: FeedHead, packed: number): Promise<BatchWriter> {
    const { cursor, isEmpty } = load;
    if (cursor !== null && head.history !== cursor.history)
      throw new OtherHistory('The server has another history');
    // A stream that begins again because packs ended belongs to the same load.
    const asked = load.packs.isUsable ? (cursor?.packs?.after ?? cursor?.after) : cursor?.after;
    const isSame = head.after === asked || (head.packs !== undefined && head.checkpoint === cursor?.place);
    const continues = cursor !== null && isSame;
    const writer = new BatchWriter(load, head, continues ? cursor : null, isEmpty, packed);
    if (continues && !cursor.isFresh)
      for (const ids of (await load.seen.read(cursor.lists)) ?? []) writer.#note(ids);
    return writer;
  }

  private constructor(load: Load, head: FeedHead, from: LoadCursor | null, isEmpty: boolean, packed: number) {
    const { history, checkpoint, total = 0, selection } = head;
    const isFresh = from?.isFresh ?? isEmpty;
    this.#load = load;
    this.#history = history;
    this.#isFresh = isFresh;
    this.#received = from?.received ?? 0;
    this.#total = this.#received + total + packed;
    this.#after = head.after ?? 0;
    this.#packsDone = [...(from?.packs?.done ?? [])];
    this.#writtenAt = load.monotonic();
    this.#cursorAt = load.monotonic();
    this.#saves = load.saves();
    const begun = (place: string): LoadCursor => ({
      place,
      history,
      after: 0,
      received: 0,
      isFresh,
      lists: 0,
    });
    const cursor = from ?? (checkpoint === undefined ? null : begun(checkpoint));
    this.#cursor =
      cursor === null || selection === undefined
        ? cursor && { ...cursor, packs: undefined }
        : { ...cursor, after: 0, packs: { selection, after: this.#after, done: this.#packsDone } };
    load.progress(this.#received, this.#total);
  }

  /** Whether the mirror was empty when the load began. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** Adds a record of the stream. */
  async add(collection: SyncedCollection, record: StoredRecord): Promise<void> {
    this.#after = record.seq;
    if (this.#cursor?.packs !== undefined) this.#added.add(`${collection}/${record.id}`);
    await this.#add(collection, record);
  }

  /** Whether a load with packs has brought the record. */
  has(collection: SyncedCollection, id: string): boolean {
    return this.#added.has(`${collection}/${id}`);
  }

  /** Adds a record of a pack. */
  async addPacked(collection: SyncedCollection, record: StoredRecord): Promise<void> {
    if (this.has(collection, record.id)) return;
    this.#added.add(`${collection}/${record.id}`);
    await this.#add(collection, record);
  }

  /** Adds a record that somebody waits for, and stores it at once. */
  async addAsked(collection: SyncedCollection, record: StoredRecord): Promise<void> {
    if (this.#isEnded) return;
    await this.addPacked(collection, record);
    await this.#pass();
  }

  /** All records of a pack were added: it need not be fetched again once they are stored. */
  packDone(hash: string): void {
    this.#packsDone.push(hash);
  }

  async #add(collection: SyncedCollection, record: StoredRecord): Promise<void> {
    const pending = this.#pending.get(collection) ?? [];
    this.#pending.set(collection, pending);
    pending.push(record);
    this.#waiting += 1;
    this.#received += 1;
    if (this.#waiting >= this.#size || this.#load.monotonic() - this.#writtenAt >= batchMs)
      await this.#pass();
  }

  /** Resolves when all added records are stored. */
  async flush(): Promise<void> {
    await this.#pass(true);
    await this.#writing;
  }

  /** Nothing that somebody waits for is added any more. */
  end(): void {
    this.#isEnded = true;
  }

  /** Completes the load that began at the checkpoint `place`. Returns the server's history. */
  async finish(place: string): Promise<string> {
    this.end();
    await this.flush();
    if (!this.#isFresh) await this.#removeUnseen(Number(place.split('.')[0]));
    this.#load.progress(this.#received, this.#received);
    return this.#history;
  }

  /** Starts writing the current batch after the previous one was written. */
  #pass(isLast = false): Promise<void> {
    const passed = this.#passing.then(() => this.#passNow(isLast));
    this.#passing = passed.catch(() => undefined);
    return passed;
  }

  async #passNow(isLast: boolean): Promise<void> {
    const batch = this.#pending;
    this.#pending = new Map();
    this.#waiting = 0;
    this.#writtenAt = this.#load.monotonic();
    const cursor = this.#cursor;
    await this.#writing;
    if (batch.size === 0 && !(isLast && this.#isCursorLate)) return;
    const ids = Object.fromEntries(
      [...batch].map(([collection, records]) => [collection, records.map(({ id }) => id)]),
    ) as SeenIds;
    if (!this.#isFresh) this.#note(ids);
    if (cursor !== null)
      this.#cursor = {
        ...cursor,
        ...(cursor.packs === undefined
          ? { after: this.#after }
          : { packs: { ...cursor.packs, after: this.#after, done: [...this.#packsDone] } }),
        received: this.#received,
        lists: cursor.lists + (this.#isFresh ? 0 : 1),
      };
    this.#load.progress(this.#received, Math.max(this.#total, this.#received));
    const isDue = !this.#isFresh || isLast || this.#load.monotonic() - this.#cursorAt >= cursorMs;
    this.#isCursorLate = !isDue;
    this.#writing = this.#write(batch, ids, cursor?.lists ?? 0, isDue ? this.#cursor : null);
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
    const began = this.#load.monotonic();
    let count = 0;
    for (const [collection, records] of batch) {
      count += records.length;
      await (isEmpty ? writer.insert(collection, records) : writer.replace(collection, records.map(present)));
    }
    const took = Math.max(1, this.#load.monotonic() - began);
    const saves = this.#load.saves();
    const wanted = saves === this.#saves ? writeMs.alone : writeMs.whileSaving;
    this.#saves = saves;
    const { least, most } = batchSizes;
    if (count > 0) this.#size = Math.max(least, Math.min(most, Math.round((count * wanted) / took)));
    if (cursor === null) return;
    this.#cursorAt = this.#load.monotonic();
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
