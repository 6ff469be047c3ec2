import { replicateRxCollection, type RxReplicationState } from 'rxdb/plugins/replication';
import { Subject } from 'rxjs';

import { must } from '#shared/must.ts';
import { readLine } from '#shared/sync/reading.ts';
import { collectionNames, type FeedHead, type FeedRow, type SyncedCollection } from '#shared/sync/wire.ts';

import { Unreachable, type ServerConnection } from '../server-connection.ts';
import type { Environment } from '#desktop/engine/platform/ports.ts';
import { OtherHistory, answerOf, linesAfterHead } from './answer.ts';
import { checkMirror, type MirrorCheck } from './check.ts';
import {
  toStored,
  type MirrorCollection,
  type MirrorCollections,
  type StoredRecord,
} from '#desktop/engine/storage/mirror-collections.ts';

interface Checkpoint {
  place: string;
}
type Replication = RxReplicationState<StoredRecord, Checkpoint>;
type Batch = { documents: (StoredRecord & { _deleted: boolean })[]; checkpoint: Checkpoint };

export interface FeedDeps {
  environment: Environment;
  connection: ServerConnection;
  collections: MirrorCollections;
  /** Rows that are about to be stored. */
  onRowsReceived(rows: FeedRow[]): Promise<void>;
  /** Rows that are stored, and the place up to which the mirror is now complete. */
  stored(rows: FeedRow[], place: string): Promise<void>;
}

interface Page {
  rows: FeedRow[];
  place: string;
  more: boolean;
}

/** A page on its way to the collections. */
interface SharedPage {
  fetched: Promise<Page>;
  takers: Set<SyncedCollection>;
  takenByAll: PromiseWithResolvers<void>;
}

/** One pull of all collections, from one place to the end of the feed. */
interface Round {
  start: string;
  /** Pages that some collection has not taken yet, by the place they begin after. */
  pages: Map<string, SharedPage>;
  /** Where each collection is; null when it has reached the end. */
  cursors: Map<SyncedCollection, string | null>;
  /** Rows handed out and not yet stored, by collection. */
  storing: Map<SyncedCollection, Promise<void>>;
  /** Resolves when what all collections took is stored and told. */
  told: Promise<void>;
  end: string;
  done: PromiseWithResolvers<void>;
}

/** Pages in flight: one being stored while the next one comes. */
const pagesInFlight = 2;
/** Rows scanned by one pull. */
const pageSize = 500;
/** A write that takes longer than this has failed (a full disk makes IndexedDB hang), ms. */
const longestWrite = 30_000;

/**
 * Feeds the replications of the mirror's collections from one place in the server's feed. Everything happens one after
 * the other: a round of pulling, or rows of an event or of an answer. So a pull never drops rows that came meanwhile,
 * and each step ends when its rows are stored. Rules M3 to M6 of README.md.
 */
export class Feed {
  readonly #deps: FeedDeps;
  readonly #history: string;
  readonly #streams = new Map<SyncedCollection, Subject<Batch | 'RESYNC'>>();
  readonly #replications: Replication[] = [];
  readonly #waiting = new Map<string, { seq: number; stored: () => void }>();
  #place: string;
  #round: Round | null = null;
  #steps: Promise<unknown> = Promise.resolve();
  readonly #stopped = new AbortController();

  constructor(deps: FeedDeps, place: string, history: string) {
    this.#deps = deps;
    this.#place = place;
    this.#history = history;
  }

  /** Up to here the mirror is complete. */
  get place(): string {
    return this.#place;
  }

  /** Starts the replications. Rows come only when asked for. */
  async start(): Promise<void> {
    for (const name of collectionNames) this.#replicate(name);
    await Promise.all(
      this.#replications.map(async (replication) => {
        await replication.start();
        storeNoCheckpoints(replication);
        await replication.awaitInitialReplication();
      }),
    );
  }

  /** Pulls to the end of the feed; resolves when everything is stored. */
  pull(): Promise<void> {
    return this.#inOrder(async () => {
      const round: Round = {
        start: this.#place,
        pages: new Map(),
        cursors: new Map(),
        storing: new Map(),
        told: Promise.resolve(),
        end: this.#place,
        done: Promise.withResolvers(),
      };
      this.#round = round;
      for (const stream of this.#streams.values()) stream.next('RESYNC');
      try {
        await round.done.promise;
        this.#place = round.end;
      } finally {
        this.#round = null;
      }
    });
  }

  /** Stores rows of an event (with its place) or of an answer (without). */
  deliver(rows: FeedRow[], place?: string): Promise<void> {
    return this.#inOrder(async () => {
      await this.#deps.onRowsReceived(rows);
      const checkpoint = place ?? this.#place;
      const storing = collectionNames.map(async (name) => {
        const documents = await this.#newer(name, rows);
        if (documents.length === 0) return;
        const stored = this.#whenStored(name, documents);
        must(this.#streams.get(name), `stream of ${name}`).next({
          documents,
          checkpoint: { place: checkpoint },
        });
        await stored;
      });
      await Promise.all(storing);
      await this.#deps.stored(rows, checkpoint);
      this.#place = checkpoint;
    });
  }

  /** Compares the mirror with the server, and mends what differs; nothing else is stored meanwhile. */
  async check(): Promise<MirrorCheck> {
    let result: MirrorCheck = { records: 0, differences: [] };
    await this.#inOrder(async () => {
      result = await checkMirror({ ...this.#deps, signal: this.#stopped.signal }, this.#place);
    });
    return result;
  }

  /** Ends the replications; with `forget`, also what RxDB remembers of where they were. */
  async stop(forget = false): Promise<void> {
    this.#stopped.abort();
    this.#round?.done.reject(new Unreachable('The feed was stopped'));
    for (const replication of this.#replications) {
      // What a full disk does not let go of is not asked either.
      if (forget) await replication.remove().catch(() => replication.cancel());
      else await replication.cancel();
    }
    await this.#steps;
  }

  #inOrder(step: () => Promise<void>): Promise<void> {
    const result = this.#steps.then(() => {
      if (this.#stopped.signal.aborted) throw new Unreachable('The feed was stopped');
      return step();
    });
    this.#steps = result.catch(() => undefined);
    return result;
  }

  #replicate(name: SyncedCollection): void {
    const stream = new Subject<Batch | 'RESYNC'>();
    this.#streams.set(name, stream);
    pushNothing(this.#deps.collections[name]);
    const replication: Replication = replicateRxCollection<StoredRecord, Checkpoint>({
      replicationIdentifier: `feed-${this.#history}`,
      collection: this.#deps.collections[name],
      live: true,
      // What fails when it starts by itself, nobody learns.
      autoStart: false,
      toggleOnDocumentVisible: false,
      // RxDB pulls until a page has fewer rows than this: until an empty one, as pages hold rows of all collections.
      pull: {
        handler: () => this.#nextPage(name),
        batchSize: 1,
        stream$: stream,
      },
    });
    replication.received$.subscribe((document) => this.#noteStored(name, document));
    this.#replications.push(replication);
  }

  /** The next rows of a collection in the round. RxDB's own checkpoint is not asked: one place counts for all (M3). */
  async #nextPage(name: SyncedCollection): Promise<Batch> {
    const round = this.#round;
    const nothing: Batch = { documents: [], checkpoint: { place: this.#place } };
    if (round === null) return nothing;
    try {
      for (;;) {
        // The page before is stored before the next one is fetched: what is in flight is bounded.
        await round.storing.get(name);
        const cursor = round.cursors.has(name) ? round.cursors.get(name) : round.start;
        if (cursor === null || cursor === undefined) {
          this.#finish(round, name);
          return nothing;
        }
        const page = await this.#page(round, cursor);
        const documents = await this.#newer(name, page.rows);
        if (documents.length > 0) round.storing.set(name, settledLater(this.#whenStored(name, documents)));
        // Not before it is known what there is to store: the last collection without a page left ends the round.
        round.cursors.set(name, page.more ? page.place : null);
        this.#take(round, cursor, page, name);
        if (documents.length === 0) continue;
        return { documents, checkpoint: { place: page.place } };
      }
    } catch (error) {
      round.done.reject(error);
      return nothing;
    }
  }

  #finish(round: Round, name: SyncedCollection): void {
    round.cursors.set(name, null);
    const isDone = collectionNames.every((one) => round.cursors.get(one) === null);
    if (isDone) round.told.then(() => round.done.resolve(), round.done.reject);
  }

  /** A page is fetched once for all collections, and not before there is room for it. */
  async #page(round: Round, since: string): Promise<Page> {
    for (;;) {
      const known = round.pages.get(since);
      if (known !== undefined) return known.fetched;
      const [oldest] = round.pages.values();
      if (oldest === undefined || round.pages.size < pagesInFlight) break;
      // A collection that failed takes nothing any more.
      await Promise.race([oldest.takenByAll.promise, round.done.promise]);
    }
    const fetched = this.#fetch(since).then(async (page) => {
      await this.#deps.onRowsReceived(page.rows);
      round.end = page.place;
      return page;
    });
    round.pages.set(since, { fetched, takers: new Set(), takenByAll: Promise.withResolvers() });
    return fetched;
  }

  #take(round: Round, since: string, page: Page, name: SyncedCollection): void {
    const shared = must(round.pages.get(since), 'page');
    shared.takers.add(name);
    if (shared.takers.size < collectionNames.length) return;
    const storing = [...round.storing.values()];
    const before = round.told;
    const tell = async (): Promise<void> => {
      await before;
      await Promise.all(storing);
      await this.#deps.stored(page.rows, page.place);
    };
    round.told = settledLater(tell());
    round.pages.delete(since);
    shared.takenByAll.resolve();
  }

  async #fetch(since: string): Promise<Page> {
    const { connection } = this.#deps;
    const answering = await answerOf(
      connection,
      connection.request(`/sync/1/pull?since=${encodeURIComponent(since)}&limit=${pageSize}`, {
        signal: this.#stopped.signal,
      }),
    );
    const rows: FeedRow[] = [];
    const mustBeSame = ({ history }: FeedHead): void => {
      if (history !== this.#history) throw new OtherHistory('The server has another history');
    };
    for await (const line of linesAfterHead(connection, answering, mustBeSame)) {
      const value = connection.parsed(answering, readLine, line);
      if ('checkpoint' in value) {
        connection.learnPlace(value.checkpoint);
        return { rows, place: value.checkpoint, more: value.more };
      }
      rows.push(...value.rows);
    }
    throw connection.foreign(answering);
  }

  /** What of `rows` the collection does not have yet, each record once, at its highest seq (M4). */
  async #newer(name: SyncedCollection, rows: readonly FeedRow[]): Promise<Batch['documents']> {
    const newest = new Map<string, FeedRow>();
    for (const row of rows) {
      if (row.c !== name || (row.doc === undefined && row.removed !== true)) continue;
      if ((newest.get(row.id)?.seq ?? -1) <= row.seq) newest.set(row.id, row);
    }
    if (newest.size === 0) return [];
    const known = await this.#deps.collections[name].storageInstance.findDocumentsById(
      [...newest.keys()],
      true,
    );
    const seqs = new Map(known.map(({ id, seq }) => [id, seq]));
    const newer = [...newest.values()].filter((row) => row.seq > (seqs.get(row.id) ?? -1));
    return newer.map((row) => ({ ...toStored(row), _deleted: row.removed === true }));
  }

  #whenStored(name: SyncedCollection, documents: readonly StoredRecord[]): Promise<void> {
    const all = documents.map(({ id, seq }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.set(`${name}/${id}`, { seq, stored: resolve });
      return promise;
    });
    const late = Promise.withResolvers<void>();
    const cancel = this.#deps.environment.setTimer(
      () => late.reject(new Error(`The mirror's ${name} could not be stored`)),
      longestWrite,
    );
    return Promise.race([Promise.all(all).then(() => undefined), late.promise]).finally(cancel);
  }

  #noteStored(name: SyncedCollection, { id, seq }: StoredRecord): void {
    const key = `${name}/${id}`;
    const waiting = this.#waiting.get(key);
    if (waiting === undefined || waiting.seq > seq) return;
    this.#waiting.delete(key);
    waiting.stored();
  }
}

/**
 * Nothing of the mirror is ever pushed. RxDB looks for what to push all the same, and reads the whole collection for
 * it after the first load: as long again as the load itself.
 */
function pushNothing({ storageInstance }: MirrorCollection): void {
  storageInstance.getChangedDocumentsSince = (_limit, checkpoint) =>
    Promise.resolve({ documents: [], checkpoint });
}

/**
 * Nobody asks for the checkpoints that RxDB stores (M3), and it stores nothing else. One that a full disk does not take
 * ends the replication of its collection until the next start.
 */
function storeNoCheckpoints({ metaInstance }: Replication): void {
  const meta = must(metaInstance, 'a replication that runs');
  meta.findDocumentsById = () => Promise.resolve([]);
  meta.bulkWrite = () => Promise.resolve({ error: [] });
}

/** A promise that is awaited later: until then its failure is nobody's surprise. */
function settledLater(promise: Promise<void>): Promise<void> {
  promise.catch(() => undefined);
  return promise;
}
