/**
 * Prints what a long outbox costs: milliseconds per 1,000 calls to write them offline, to start with them, and to
 * send them: `node test/bench/outbox.ts [1000 5000 …]`. Runs in Node with journal, databases and server in memory, so
 * it measures the engine's own work. The figures of a row should not grow with the size.
 */
import { createActions } from '#desktop/engine/actions/index.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import type { JournalStore } from '#desktop/engine/journal/store.ts';
import { openCore } from '#desktop/engine/open-core.ts';
import { createViews } from '#desktop/engine/views/index.ts';
import {
  inSync,
  newDisk,
  platformOn,
  serverAddress,
  syncState,
  type Device,
  type Disk,
} from '#test/desktop/engine/support/device.ts';
import { testEnvironment } from '#test/desktop/engine/support/environment.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

/** The disk of a test is copied at each append; this one grows in place. */
function growingStore(disk: Map<string, Uint8Array>): JournalStore {
  const ends = new Map<string, number>();
  const store: JournalStore = {
    ...memoryStore({}, disk),
    read: async (name) => disk.get(name)?.slice(0, ends.get(name)),
    append: async (name, at, bytes) => {
      let kept = disk.get(name) ?? new Uint8Array();
      if (kept.length < at + bytes.length) {
        const larger = new Uint8Array(2 * (at + bytes.length));
        larger.set(kept);
        kept = larger;
      }
      kept.set(bytes, at);
      disk.set(name, kept);
      ends.set(name, at + bytes.length);
    },
    write: async (name, bytes) => {
      disk.set(name, bytes);
      ends.set(name, bytes.length);
    },
    close: async () => {
      for (const [name, end] of ends) disk.set(name, disk.get(name)?.slice(0, end) ?? new Uint8Array());
    },
  };
  return store;
}

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1000, 5000, 10_000, 50_000];

async function start(server: StandInServer, disk: Disk): Promise<Device> {
  const environment = testEnvironment(server.fetch, 1);
  const { core, close } = await openCore({
    ...platformOn(disk, environment),
    multiInstance: true,
    openJournal: () => openJournal(growingStore(disk.journal), { ...environment }),
  });
  return { core, environment, close };
}

async function measured(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Milliseconds per 1,000 of `count` calls. */
async function round(count: number): Promise<Record<string, number>> {
  const server = new StandInServer();
  server.put('guides', '7', plainGuide);
  const disk = newDisk();
  const device = await start(server, disk);
  await device.core.session.signIn(serverAddress, { email: 'ada@bench.test', password: 'secret' });
  await inSync(device);
  server.setUp(false);
  const actions = createActions(device.core);
  const stop = createViews(device.core)
    .activity()
    .subscribe(
      () => undefined,
      (error) => {
        throw error;
      },
    );
  const add = await measured(async () => {
    for (let index = 0; index < count; index += 1) await actions.comment('guide', '7', `Comment ${index}`);
  });
  stop();
  await device.close();
  let again = await start(server, newDisk());
  await again.close();
  const opened = await measured(async () => {
    again = await start(server, disk);
  });
  server.setUp(true);
  const send = await measured(async () => {
    again.core.sync.now();
    await syncState(again, ({ pending }) => pending <= count / 2);
  });
  const rest = await measured(() => syncState(again, ({ pending }) => pending === 0));
  const memory = process.memoryUsage().heapUsed / 1e6;
  await again.close();
  const per = 1000 / count;
  return {
    count,
    add: add * per,
    start: opened * per,
    'send, first half': send * per * 2,
    'send, second half': rest * per * 2,
    'start in all': opened,
    'MB of heap': memory,
  };
}

for (const count of sizes) {
  const figures = Object.entries(await round(count));
  process.stdout.write(`${figures.map(([name, value]) => `${name} ${value.toFixed(0)}`).join(', ')}
`);
}
process.exit(0);
