import { setImmediate as turn } from 'node:timers/promises';

import type { RxDocumentData, RxStorageInstance } from 'rxdb';
import { BehaviorSubject, NEVER } from 'rxjs';

import type { Platform } from '#desktop/engine/journal/platform.ts';
import { ServerClock } from '#desktop/engine/platform/clock.ts';
import type { Environment } from '#desktop/engine/platform/ports.ts';
import { mirrorOf, openDatabase, type EngineDatabase } from '#desktop/engine/storage/database.ts';
import { isCounter } from '#desktop/engine/storage/mirror-records.ts';
import { readMark, writeMark, type Mark } from '#desktop/engine/sync/mirror/mark.ts';
import { Replicator, type ReplicatorDeps } from '#desktop/engine/sync/mirror/replicator.ts';
import { ServerConnection } from '#desktop/engine/sync/server-connection.ts';
import { must } from '#shared/must.ts';
import { collectionNames, type FeedRow } from '#shared/sync/wire.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { Dice } from '#test/simulation/random.ts';
import { memoryStorage } from '#test/support/memory-storage.ts';

/** Bugs that the check must detect. */
export type Bug =
  /** The mark names a page before its rows are stored. */
  | 'mark-before-rows'
  /** The counts of the mark are not compared with the collections. */
  | 'mark-believed-blindly';

type Storage = Platform['storage'];
type Document = RxDocumentData<{ id: string }>;

const home = 'benchbook-killed';

/**
 * The stored databases of a device: the writes of each collection in order. To IndexedDB each collection is a
 * separate database that can lose its last writes, or all, independently.
 */
class Disk {
  readonly #writes = new Map<string, Document[][]>();
  #left = Infinity;

  get isDead(): boolean {
    return this.#left < 0;
  }

  /** Kills the app after `writes` more writes: later ones do not reach the disk. */
  killAfter(writes: number): void {
    this.#left = writes;
  }

  /** The databases at the app's next start. */
  open(): Storage {
    this.#left = Infinity;
    const storage = memoryStorage() as unknown as Storage;
    return {
      ...storage,
      createStorageInstance: async (params) => {
        const instance = await storage.createStorageInstance(params);
        // Every document of RxDB has an id, internal ones included.
        const documents = instance as unknown as RxStorageInstance<{ id: string }, unknown, unknown>;
        const write = documents.bulkWrite.bind(documents);
        const kept = this.#writes.get(params.collectionName) ?? [];
        this.#writes.set(params.collectionName, kept);
        const found = new Map(kept.flat().map((document) => [document.id, document]));
        if (found.size > 0)
          await write(
            [...found.values()].map((document) => ({ document })),
            'found',
          );
        documents.bulkWrite = async (rows, context) => {
          if (this.#isKilled()) throw new Error('The app was killed');
          const result = await write(rows, context);
          const failed = new Set(result.error.map(({ documentId }) => documentId));
          const stored = rows.map(({ document }) => document as Document);
          kept.push(structuredClone(stored.filter(({ id }) => !failed.has(id))));
          return result;
        };
        return instance;
      },
    };
  }

  /** Simulates a power failure: some collections lose their last writes, or all of them. */
  lose(dice: Dice): void {
    for (const [collection, writes] of this.#writes) {
      if (collection === '_rxdb_internal' || !dice.chance(0.3)) continue;
      writes.length = dice.chance(0.2) ? 0 : Math.max(0, writes.length - 1 - dice.below(3));
    }
  }

  #isKilled(): boolean {
    this.#left -= 1;
    return this.#left < 0;
  }
}

/** Waits of the engine end immediately; timeouts for hanging requests never fire. */
function environmentOf(fetch: typeof globalThis.fetch, dice: Dice): Environment {
  let clock = 0;
  let ids = 0;
  const word = dice.below(1_000_000);
  return {
    now: () => Date.now(),
    // A load writes a batch every few records.
    monotonic: () => (clock += 700),
    pageSession: 'page',
    uuid: () => `${word}-${(ids += 1)}`,
    random: () => 0,
    randomBytes: (size) => new Uint8Array(size),
    fetch,
    setTimer: (run, ms) => {
      if (ms >= 10_000) return () => undefined;
      const timer = setImmediate(run);
      return () => clearImmediate(timer);
    },
    online: new BehaviorSubject(true),
  };
}

/** A server whose records are added, changed and removed, and which is sometimes restored with another history. */
class ChangingServer extends StandInServer {
  /** The feeds of all histories. */
  readonly feeds = new Map<string, readonly FeedRow[]>([['h1', this.feed]]);
  readonly #dice: Dice;

  constructor(dice: Dice) {
    super();
    this.#dice = dice;
    for (let index = 0; index < 25; index += 1) this.change();
  }

  change(): void {
    const c = this.#dice.one(['guides', 'guides', 'comments', 'wikis', 'people'] as const);
    const id = String(1 + this.#dice.below(15));
    if (this.#dice.chance(0.25) && this.documents.has(`${c}/${id}`)) this.remove(c, id);
    else this.put(c, id, { guideid: Number(id), title: `${this.history} ${this.feed.length}`, steps: [] });
  }

  restoreSome(): void {
    this.cutStreams();
    this.feeds.set(this.history, [...this.feed]);
    const kept = [...this.documents.values()].filter(() => this.#dice.chance(0.7));
    this.restore(`h${this.feeds.size + 1}`);
    for (const { c, id, doc } of kept) this.put(c, id, doc as Record<string, unknown>);
    this.feeds.set(this.history, this.feed);
  }
}

/** Differences between the mirror and its mark; none while it is marked as loading. */
async function wrongIn(database: EngineDatabase, server: ChangingServer, bug?: Bug): Promise<string[]> {
  const raw = (await database.getLocal<Mark>('mirror'))?.toJSON().data;
  const mark = bug === 'mark-believed-blindly' ? raw : await readMark(database);
  if (mark?.state !== 'ready') return [];
  const reached = Number(mark.place.split('.')[0]);
  const feed = must(server.feeds.get(mark.history), 'a history of the server');
  const newest = new Map(feed.map((row) => [`${row.c}/${row.id}`, row]));
  // Pages leave out rows that a later one supersedes. A record whose newest row comes after the checkpoint may therefore
  // still be missing, or older.
  const expected = new Map([...newest].filter(([, { seq }]) => seq <= reached));
  const wrong: string[] = [];
  for (const c of collectionNames)
    for await (const { id, seq, body, _deleted } of mirrorOf(database)[c].everything()) {
      if (isCounter({ id })) continue;
      const row = expected.get(`${c}/${id}`);
      if (_deleted && (row === undefined || row.removed === true || seq > row.seq))
        expected.delete(`${c}/${id}`);
      if (_deleted) continue;
      const text = feed.find((one) => one.c === c && one.id === id && one.seq === seq)?.doc;
      if (JSON.stringify(text) !== body) wrong.push(`${c}/${id} at ${seq} is not the server's`);
      if (row !== undefined && (seq < row.seq || (row.removed === true && seq === row.seq)))
        wrong.push(`${c}/${id} at ${seq} is older than ${row.seq}`);
      expected.delete(`${c}/${id}`);
    }
  for (const [key, row] of expected) if (row.removed !== true) wrong.push(`${key} at ${row.seq} is missing`);
  return wrong.map((words) => `${words} (${mark.history} ${mark.place})`);
}

/** Results for one device. */
export interface Lives {
  /** How often the app was killed while it wrote. */
  kills: number;
  /** How often the mirror was complete when it was opened again. */
  complete: number;
  wrong: string[];
}

/** Kills a device at a random write and opens it again, `lives` times; at the end it must equal the server. */
export async function killAndReopen(seed: number, lives: number, bug?: Bug): Promise<Lives> {
  const dice = new Dice(seed);
  const disk = new Disk();
  const server = new ChangingServer(dice);
  const shown: Lives = { kills: 0, complete: 0, wrong: [] };
  for (let life = 0; life <= lives && shown.wrong.length === 0; life += 1) {
    const isLast = life === lives;
    const { database, replicator, follow } = await open(disk.open(), server, dice, bug);
    const wrong = await wrongIn(database, server, bug);
    shown.wrong.push(...wrong.map((words) => `seed ${seed}, life ${life}: ${words}`));
    if ((await readMark(database))?.state === 'ready') shown.complete += 1;
    disk.killAfter(isLast ? Infinity : dice.below(dice.chance(0.5) ? 12 : 45));
    await replicator.start();
    await follow(disk, isLast ? 2 : dice.below(8));
    if (isLast) shown.wrong.push(...(await wrongIn(database, server, bug)));
    if (disk.isDead) shown.kills += 1;
    disk.killAfter(-1);
    await replicator.stop();
    await database.close();
    if (dice.chance(0.4)) disk.lose(dice);
    if (dice.chance(0.05)) server.restoreSome();
  }
  return shown;
}

async function open(storage: Storage, server: ChangingServer, dice: Dice, bug?: Bug) {
  const database = await openDatabase(home, storage, false);
  let reached = '';
  const pages: typeof fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.searchParams.has('limit')) url.searchParams.set('limit', '4');
    return server.fetch(url, init);
  };
  const environment = environmentOf(pages, dice);
  const clock = new ServerClock(environment);
  const deps: ReplicatorDeps = {
    environment,
    connection: new ServerConnection('http://bench.test', () => 'token', null, environment, clock),
    database,
    missed: NEVER,
    saves: () => 0,
    onRowsReceived: async (rows) => {
      const mark = await readMark(database);
      const seq = Math.max(...rows.map((row) => row.seq));
      if (bug === 'mark-before-rows' && mark?.state === 'ready' && rows.length > 0)
        await writeMark(database, { ...mark, place: server.place(seq) });
    },
    stored: async (_, place) => void (reached = place),
    leaving: async () => undefined,
    rebuilt: async () => undefined,
    goOn: () => undefined,
    maySync: () => true,
    meet: async () => undefined,
    doubt: () => undefined,
    noteExpired: () => undefined,
    beat: () => undefined,
    noteTrouble: () => undefined,
    noteSuccess: () => undefined,
  };
  const replicator = new Replicator(deps);
  /** Changes the server whenever the device is up to date, `changes` times or until the app is killed. */
  const follow = async (disk: Disk, changes: number): Promise<void> => {
    for (let left = changes; !disk.isDead; await turn()) {
      const { connected, phase } = replicator.activity.value;
      if (!connected || phase !== 'idle' || reached !== server.place()) continue;
      if (left === 0) return;
      left -= 1;
      for (let count = 1 + dice.below(4); count > 0; count -= 1) server.change();
    }
  };
  return { database, replicator, follow };
}
