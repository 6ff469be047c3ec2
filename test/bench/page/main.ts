import { Dexie, type Table } from 'dexie';
import { createRxDatabase, type RxCollection } from 'rxdb';
import { replicateRxCollection } from 'rxdb/plugins/replication';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';

import type { Engine } from '#desktop/engine/engine.ts';
import { pagePlatform } from '#desktop/engine/browser-platform.ts';
import { openOpfsStore } from '#desktop/engine/journal/opfs.ts';
import { openEngine } from '#desktop/engine/open.ts';
import { overlaid } from '#desktop/engine/platform/overlaid.ts';

import { when } from '../when.ts';

export interface Measured {
  ms: number;
  guides: number;
}

/** A disk that does one write after the other. */
export interface SlowDisk {
  bytesPerMs: number;
  /** In addition, for each write. */
  msPerWrite: number;
}

export interface TypingSync extends Measured {
  /** Durations of the page's tasks over 50 ms while it loaded. */
  longTasks: number[];
  /** Time of each letter until it was in the journal, ms. */
  letters: number[];
}

export interface Measurements {
  /** Signs a fresh device in and waits until it equals the server. `listedMs`: until it listed `count` guides. */
  firstSync(email: string, password: string, count: number): Promise<Measured & { listedMs: number }>;
  /** The same on a slow disk (null: as it is), while somebody types. */
  typingSync(email: string, password: string, count: number, disk: SlowDisk | null): Promise<TypingSync>;
  /** Opens the app on the existing database, and waits until it equals the server. */
  reopen(): Promise<Measured>;
  close(): Promise<void>;
  /** Opens a guide like a reader; resolves when it is shown and searching is ready too. */
  look(guideid: string): Promise<void>;
  /** Resolves with `performance.timeOrigin`-based ms when the guide shows this title. */
  seen(guideid: string, title: string): Promise<number>;
  /** The bytes of the initial load by one fetch, into one row per guide. */
  floor(token: string): Promise<Measured>;
  /** One request for changes, and one put. */
  changeFloor(token: string, since: string): Promise<Measured>;
  /** RxDB's replication with its own handlers and settings over full API records. */
  plain(url: string, count: number): Promise<Measured>;
}

declare global {
  interface Window {
    measurements: Measurements;
  }
}

let engine: Engine | null = null;

window.measurements = {
  async firstSync(email, password, count) {
    engine = await openEngine(platform());
    const start = performance.now();
    let listedMs = Number.POSITIVE_INFINITY;
    const listed = when(engine.views.categoryTree(), (nodes) => sumOf(nodes) >= count).then(
      () => (listedMs = performance.now() - start),
    );
    await engine.actions.signIn(location.origin, email, password);
    await when(engine.views.syncState(), ({ lastSyncedAt }) => lastSyncedAt !== null);
    const ms = performance.now() - start;
    await listed;
    return { ms, guides: await guidesOf(engine), listedMs };
  },
  async typingSync(email, password, count, disk) {
    const write = disk === null ? undoneDelay : delayOf(disk);
    engine = await openEngine(slowPlatform(write));
    const longTasks: number[] = [];
    const letters: number[] = [];
    const start = performance.now();
    await engine.actions.signIn(location.origin, email, password);
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTasks.push(duration);
    });
    observer.observe({ type: 'longtask' });
    let isLoading = true;
    const { actions } = engine;
    const typing = (async () => {
      for (let text = ''; isLoading; text += 'x') {
        const began = performance.now();
        await actions.keepForm('bench', {
          typed: { text },
          start: {},
          revisionid: 0,
          wikiid: null,
          at: began,
        });
        letters.push(performance.now() - began);
        await new Promise((resolve) => setTimeout(resolve, letterMs));
      }
    })();
    await when(engine.views.syncState(), ({ lastSyncedAt }) => lastSyncedAt !== null);
    const ms = performance.now() - start;
    isLoading = false;
    await typing;
    observer.disconnect();
    const guides = await guidesOf(engine);
    if (guides !== count) throw new Error(`Expected ${count} guides and found ${guides}`);
    return { ms, guides, longTasks, letters };
  },
  async reopen() {
    const start = performance.now();
    const began = Date.now();
    engine = await openEngine(platform());
    await when(engine.views.syncState(), ({ lastSyncedAt }) => (lastSyncedAt ?? 0) >= began);
    return { ms: performance.now() - start, guides: 1 };
  },
  async close() {
    await engine?.close();
    engine = null;
  },
  async look(guideid) {
    const { views } = mustBeOpen();
    await when(views.guide(guideid), (guide) => guide !== null);
    const last = { category: null, search: 'battery' };
    await when(views.library(last), ({ guides }) => guides.length > 0);
  },
  async seen(guideid, title) {
    const { views } = mustBeOpen();
    await when(views.guide(guideid), (guide) => guide?.title === title);
    return performance.timeOrigin + performance.now();
  },
  async floor(token) {
    const table = await rows('floor');
    const start = performance.now();
    const response = await fetch('/sync/1/bootstrap', { headers: { Authorization: `api ${token}` } });
    let guides = 0;
    let batch: Row[] = [];
    let rest = '';
    const reader = mustBody(response).pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (!line.startsWith('{"c":"guides"')) continue;
        guides += 1;
        batch.push({ id: /"id":"([^"]+)"/.exec(line)?.[1] ?? '', body: line });
      }
      if (batch.length < floorBatch) continue;
      await table.bulkPut(batch);
      batch = [];
    }
    await table.bulkPut(batch);
    return { ms: performance.now() - start, guides };
  },
  async changeFloor(token, since) {
    const table = await rows('floor');
    const start = performance.now();
    const response = await fetch(`/sync/1/pull?since=${since}`, {
      headers: { Authorization: `api ${token}` },
    });
    const lines = (await response.text()).trim().split('\n').slice(1, -1);
    await table.bulkPut(lines.map((line) => ({ id: /"id":"([^"]+)"/.exec(line)?.[1] ?? '', body: line })));
    return { ms: performance.now() - start, guides: lines.length };
  },
  async plain(url, count) {
    const database = await createRxDatabase<{ guides: RxCollection<PlainGuide> }>({
      name: 'plain',
      storage: getRxStorageDexie({ chromeTransactionDurability: 'strict' }),
      multiInstance: false,
    });
    const { guides } = await database.addCollections({
      guides: {
        schema: {
          version: 0,
          primaryKey: 'id',
          type: 'object',
          properties: { id: { type: 'string', maxLength: 40 } },
          required: ['id'],
        },
      },
    });
    const start = performance.now();
    const replication = replicateRxCollection<PlainGuide, { after: number }>({
      replicationIdentifier: 'plain',
      collection: guides,
      live: false,
      pull: {
        batchSize: 100,
        async handler(checkpoint, batchSize) {
          const after = checkpoint?.after ?? 0;
          const response = await fetch(`${url}/guides?after=${after}&limit=${batchSize}`);
          const documents = ((await response.json()) as PlainGuide[]).map((guide) => ({
            ...guide,
            id: String(guide.guideid),
            _deleted: false,
          }));
          return { documents, checkpoint: { after: documents.at(-1)?.guideid ?? after } };
        },
      },
    });
    replication.error$.subscribe((error) => {
      throw error;
    });
    await replication.awaitInitialReplication();
    const ms = performance.now() - start;
    const found = await guides.count().exec();
    if (found !== count) throw new Error(`Expected ${count} guides and found ${found}`);
    return { ms, guides: found };
  },
};

interface PlainGuide {
  id: string;
  guideid: number;
}

interface Row {
  id: string;
  body: string;
}

/** Rows per write of the floor. */
const floorBatch = 500;

function mustBeOpen(): Engine {
  if (engine === null) throw new Error('Open the engine first');
  return engine;
}

/** Time between two letters, ms. */
const letterMs = 120;

type Delay = (bytes: number) => Promise<void>;
const undoneDelay: Delay = async () => undefined;

/** Lets writes wait for each other, as on a slow disk. */
function delayOf({ bytesPerMs, msPerWrite }: SlowDisk): Delay {
  let last = Promise.resolve();
  return (bytes) => {
    const ms = msPerWrite + bytes / bytesPerMs;
    last = last.then(() => new Promise((resolve) => setTimeout(resolve, ms)));
    return last;
  };
}

/** The platform of a page whose database and journal wait before each write. */
function slowPlatform(write: Delay): ReturnType<typeof pagePlatform> {
  const base = pagePlatform({
    defaultServer: location.origin,
    openStore: async (name) => {
      const store = await openOpfsStore(name);
      return overlaid(store, {
        append: async (file: string, at: number, bytes: Uint8Array) => {
          await write(bytes.length);
          await store.append(file, at, bytes);
        },
      });
    },
  });
  const { storage } = base;
  const createStorageInstance: typeof storage.createStorageInstance = async (params) => {
    const instance = await storage.createStorageInstance(params);
    const bulkWrite: typeof instance.bulkWrite = async (rows, context) => {
      await write(rows.reduce((sum, { document }) => sum + JSON.stringify(document).length, 0));
      return instance.bulkWrite(rows, context);
    };
    return overlaid(instance, { bulkWrite });
  };
  return { ...base, storage: overlaid(storage, { createStorageInstance }), places: undefined };
}

function platform(): ReturnType<typeof pagePlatform> {
  return pagePlatform({ defaultServer: location.origin });
}

async function rows(name: string): Promise<Table<Row, string>> {
  const database = new Dexie(name, { chromeTransactionDurability: 'strict' });
  database.version(1).stores({ rows: 'id' });
  await database.open();
  return database.table('rows');
}

function mustBody(response: Response): ReadableStream<Uint8Array<ArrayBuffer>> {
  if (!response.ok || response.body === null) throw new Error(`The server answered ${response.status}`);
  return response.body;
}

async function guidesOf({ views }: Engine): Promise<number> {
  const tree = await when(views.categoryTree(), (nodes) => nodes.length > 0);
  return sumOf(tree);
}

function sumOf(tree: readonly { guides: number }[]): number {
  return tree.reduce((sum, node) => sum + node.guides, 0);
}
