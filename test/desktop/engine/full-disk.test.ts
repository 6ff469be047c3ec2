import { Dexie } from 'dexie';
import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import { passOverFullDisk } from '#desktop/engine/platform/full-disk.ts';
import { openCore } from '#desktop/engine/open-core.ts';
import { openEngine } from '#desktop/engine/open.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore, type MemoryFaults } from '#desktop/engine/journal/memory.ts';
import { SeenPlace } from '#desktop/engine/sync/mirror/seen-place.ts';
import { troubleOf } from '#desktop/engine/sync/trouble.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';
import {
  commentOn,
  inSync,
  newDisk,
  noHistory,
  platformOn,
  signIn,
  signInAnswer,
  syncState,
  type Device,
} from '#test/desktop/engine/support/device.ts';
import { testEnvironment } from '#test/desktop/engine/support/environment.ts';
import { FakeServer } from '#test/desktop/engine/support/fake-server.ts';
import { fillable, type StorageWrite } from '#test/support/full-storage.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';

/** A device that is in sync with a server, on a disk whose journal and databases can be full. */
async function startOnDisk() {
  const server = new FakeServer();
  server.put('guides', '1', { guideid: 1, title: 'One', revisionid: 1, steps: [] });
  const environment = testEnvironment((input, init) =>
    (input instanceof Request ? input.url : input.toString()).endsWith('/user/token')
      ? signInAnswer(init)
      : server.fetch(input, init),
  );
  const disk = newDisk();
  let isFull: (write: StorageWrite) => boolean = () => false;
  const faults: MemoryFaults = {};
  const platform: Platform = {
    ...platformOn(disk, environment),
    openJournal: () => openJournal(memoryStore(faults, disk.journal), environment),
    storage: fillable(disk.storage, (write) => isFull(write)),
  };
  const open = async (): Promise<Device> => {
    const { core, close } = await openCore(platform);
    core.handleConflicts({
      ...noHistory,
      pathNow: async () => null,
      settle: async () => ({ action: 'drop' }),
    });
    let closing: Promise<void> | undefined;
    return endsWithTest({ core, environment, close: () => (closing ??= close()) });
  };
  const device = await open();
  await signIn(device);
  await inSync(device);
  return {
    ...device,
    open,
    disk,
    platform,
    server,
    /** The server is another one of before, with one guide of this title. */
    restore: (title: string) => {
      server.setUp(false);
      server.history = 'h2';
      server.feed.length = 0;
      server.documents.clear();
      server.put('guides', '1', { guideid: 1, title, revisionid: 1, steps: [] });
      server.setUp(true);
    },
    fillDatabases: (fills: boolean | typeof isFull) =>
      void (isFull = typeof fills === 'boolean' ? () => fills : fills),
    fillJournal: (isFull: boolean) => {
      if (!isFull) delete faults.capacity;
      else faults.capacity = [...disk.journal.values()].reduce((sum, { length }) => sum + length, 0);
    },
  };
}

async function titles({ core }: Device): Promise<string[]> {
  return (await firstValueFrom(core.mirror.guideRows())).map(({ title }) => title);
}

test.each(['fillDatabases', 'fillJournal'] as const)(
  'MIRROR-7 a rebuild stopped by a full disk (%s) continues when there is room',
  async (fill) => {
    const device = await startOnDisk();
    device[fill](true);
    device.restore('One of the backup');
    await syncState(device, ({ trouble }) => trouble?.includes('no space left') === true);
    device[fill](false);
    await expect.poll(() => titles(device)).toEqual(['One of the backup']);
    await inSync(device);
    await syncState(device, ({ trouble }) => trouble === null);
  },
);

test('MIRROR-7 the app closes and opens again while a full disk stops a rebuild', async () => {
  const device = await startOnDisk();
  device.fillDatabases(true);
  device.restore('One of the backup');
  await syncState(device, ({ trouble }) => trouble?.includes('no space left') === true);
  await device.close();
  device.fillDatabases(false);
  const again = await device.open();
  await inSync(again);
  expect(await titles(again)).toEqual(['One of the backup']);
});

test('OUTBOX-27 a full database is reported until it has stored the copies of calls', async () => {
  const device = await startOnDisk();
  device.fillDatabases(true);
  await device.core.outbox.add([commentOn('1', 'Kept')]);
  await syncState(device, ({ trouble }) => trouble?.includes('no space left') === true);
  device.fillDatabases(false);
  await syncState(device, ({ trouble, pending }) => trouble === null && pending === 0);
});

test('OUTBOX-27 a full journal is reported until the waiting calls are sent', async () => {
  const device = await startOnDisk();
  device.server.setUp(false);
  await syncState(device, ({ connection }) => connection === 'offline');
  await device.core.outbox.add([commentOn('1', 'Kept')]);
  device.fillJournal(true);
  device.server.setUp(true);
  device.core.sync.now();
  await syncState(device, ({ trouble }) => trouble?.includes('no space left') === true);
  device.fillJournal(false);
  await syncState(device, ({ trouble, pending }) => trouble === null && pending === 0);
});

test('OUTBOX-5 a response that a full journal cannot store is requested again after a wait', async () => {
  const device = await startOnDisk();
  const { waits } = device.environment;
  device.server.fault = (path) => {
    if (path === '/sync/1/batch') device.fillJournal(true);
    return undefined;
  };
  await device.core.outbox.add([commentOn('1', 'Kept')]);
  await syncState(device, ({ trouble }) => trouble?.includes('no space left') === true);
  waits.length = 0;
  await expect.poll(() => waits.filter((ms) => ms >= 4000).length).toBeGreaterThan(1);
  expect(waits.filter((ms) => ms === 0).length).toBeLessThan(50);
  device.server.fault = () => undefined;
  device.fillJournal(false);
  await syncState(device, ({ trouble, pending }) => trouble === null && pending === 0);
});

test('JOURNAL-10 an app that closes on a full journal releases its database and opens again', async () => {
  const device = await startOnDisk();
  await device.close();
  const first = await openEngine(device.platform);
  const id = await first.actions.openDraft(null);
  device.fillJournal(true);
  await first.actions
    .editDraft(id, { op: 'setText', field: 'title', value: 'Two' })
    .catch((error: unknown) => expect(troubleOf(error).words).toContain('no space left'));
  await first.close().catch((error: unknown) => expect(troubleOf(error).words).toContain('no space left'));
  device.fillJournal(false);
  const second = await openEngine(device.platform);
  await second.close();
});

/** What befell a device while the app was closed. */
const losses: [string, (device: Awaited<ReturnType<typeof startOnDisk>>) => void][] = [
  [
    'a record of the journal was damaged',
    ({ disk: { journal } }) => {
      for (const [name, bytes] of journal) {
        const spoilt = bytes.slice();
        const at = spoilt.length >> 1;
        spoilt[at] = (spoilt[at] ?? 0) ^ 0x11;
        journal.set(name, spoilt);
      }
    },
  ],
  ['the journal was lost', ({ disk }) => disk.journal.clear()],
  ['the secrets were lost', ({ disk }) => disk.secrets.delete('session')],
  [
    'the journal and the list of homes were lost',
    ({ disk }) => {
      disk.journal.clear();
      disk.secrets.delete('homes');
    },
  ],
];

test.each(losses)('JOURNAL-17 the app opens on a full journal after %s', async (_, lose) => {
  const device = await startOnDisk();
  device.server.setUp(false);
  await syncState(device, ({ connection }) => connection === 'offline');
  await device.core.outbox.add([commentOn('1', 'Kept')]);
  await device.core.drafts.put('1', { batch: 1 });
  await device.close();
  lose(device);
  device.fillJournal(true);
  const kept = [{ body: { text: 'Kept' } }];
  const onFull = await device.open();
  expect(onFull.core.session.current().user).toMatchObject({ username: 'ada@bench.test' });
  expect(onFull.core.outbox.present()).toMatchObject(kept);
  await onFull.close();
  device.fillJournal(false);
  const again = await device.open();
  expect(again.core.outbox.present()).toMatchObject(kept);
  device.server.setUp(true);
  await inSync(again);
});

test('ACCOUNT-12 the session is restored when the next home cannot be opened and a full disk cannot record the sign-out', async () => {
  const device = await startOnDisk();
  const { storage } = device.platform;
  const create = storage.createStorageInstance.bind(storage);
  storage.createStorageInstance = async (params) => {
    storage.createStorageInstance = create;
    device.fillJournal(true);
    device.fillDatabases(true);
    throw new DOMException(params.databaseName, 'UnknownError');
  };
  const isAda = { status: 'signed-in', user: { username: 'ada@bench.test' } };
  await expect(signIn(device, 'ben@bench.test')).rejects.toThrow();
  expect(await firstValueFrom(device.core.session.state)).toMatchObject(isAda);
  expect(await titles(device)).toEqual(['One']);
  await device.close();
  const again = await device.open();
  expect(await firstValueFrom(again.core.session.state)).toMatchObject(isAda);
});

test('MIRROR-3 a mirror that could not store its checkpoint continues', async () => {
  const device = await startOnDisk();
  device.fillDatabases(({ collection }) => collection.startsWith('plugin-local-documents'));
  device.server.put('guides', '2', { guideid: 2, title: 'Two', revisionid: 1, steps: [] });
  await expect.poll(() => titles(device)).toEqual(['One', 'Two']);
  device.server.setUp(false);
  device.fillDatabases(false);
  await syncState(device, ({ connection }) => connection === 'offline');
  device.server.put('guides', '3', { guideid: 3, title: 'Three', revisionid: 1, steps: [] });
  device.server.setUp(true);
  await expect.poll(() => titles(device)).toEqual(['One', 'Two', 'Three']);
});

test('MIRROR-3 a mirror that a full disk kept from starting starts when there is room', async () => {
  const device = await startOnDisk();
  device.fillDatabases(({ context }) => context === 'mirror');
  device.restore('One of the backup');
  await syncState(device, ({ trouble }) => trouble?.includes('no space left') === true);
  device.fillDatabases(false);
  await expect.poll(() => titles(device)).toEqual(['One of the backup']);
  await inSync(device);
});

test('MIRROR-3 a round in which one collection fails ends for all, however many pages it has', async () => {
  const device = await startOnDisk();
  device.server.setUp(false);
  await syncState(device, ({ connection }) => connection === 'offline');
  device.server.put('wikis', '1', { wikiid: 1 });
  const guides = Array.from({ length: 2500 }, (_, index) => ({
    guideid: index + 2,
    title: `Guide ${index}`,
    revisionid: 1,
    steps: [],
  }));
  for (const guide of guides) device.server.put('guides', String(guide.guideid), guide);
  device.fillDatabases(({ collection }) => collection === 'wikis');
  device.server.setUp(true);
  await syncState(device, ({ trouble }) => trouble !== null);
  device.fillDatabases(false);
  await syncState(device, ({ trouble, phase }) => trouble === null && phase === 'idle');
  expect((await titles(device)).length).toBe(guides.length + 1);
});

test('OUTBOX-33 a checkpoint that a full journal could not store is journalled with the next response', async () => {
  const disk = newDisk();
  const faults: MemoryFaults = {};
  const journal = await openJournal(memoryStore(faults, disk.journal), testEnvironment(fetch));
  const seen = await SeenPlace.open(journal, 'home');
  seen.note('5.a');
  faults.capacity = 0;
  await expect(seen.journalWith([])).rejects.toThrow();
  delete faults.capacity;
  await seen.journalWith([]);
  expect((await SeenPlace.open(journal, 'home')).place).toBe('5.a');
  await journal.close();
});

test('MIRROR-19 the app opens on a full, empty database with all work, and fills it when there is room', async () => {
  const device = await startOnDisk();
  device.server.setUp(false);
  await syncState(device, ({ connection }) => connection === 'offline');
  await device.core.outbox.add([commentOn('1', 'Kept')]);
  await device.core.drafts.put('1', { batch: 1 });
  await device.close();
  device.disk.storage.collectionStates.clear();
  device.fillDatabases(true);
  const again = await device.open();
  expect(again.core.session.current().user).toMatchObject({ username: 'ada@bench.test' });
  expect(again.core.outbox.present()).toMatchObject([{ body: { text: 'Kept' } }]);
  expect(await firstValueFrom(again.core.drafts.ids)).toEqual(['1']);
  device.server.setUp(true);
  await syncState(again, ({ trouble }) => trouble?.includes('no space left') === true);
  device.fillDatabases(false);
  await inSync(again);
  expect(await titles(again)).toEqual(['One']);
  await syncState(again, ({ trouble }) => trouble === null);
});

/** In sync, and the database has taken what it was to take. */
async function untroubled(device: Device): Promise<void> {
  await inSync(device);
  await syncState(device, ({ trouble }) => trouble === null);
}

type OnDisk = Awaited<ReturnType<typeof startOnDisk>>;

/** What a start on a full database may meet. */
const befallen: [string, (device: OnDisk) => Promise<void>][] = [
  ['as it was', (device) => device.close()],
  [
    'its databases lost',
    async (device) => {
      await device.close();
      device.disk.storage.collectionStates.clear();
    },
  ],
  [
    'its journal lost',
    async (device) => {
      await device.close();
      device.disk.journal.clear();
    },
  ],
  [
    'its copies lost',
    async (device) => {
      await device.close();
      const { collectionStates } = device.disk.storage;
      for (const name of collectionStates.keys())
        if (/outbox|drafts/.test(name)) collectionStates.delete(name);
    },
  ],
];

const fillings: [string, (write: number, nth: number) => boolean][] = [
  ['the n-th write', (write, nth) => write === nth],
  ['every write from the n-th on', (write, nth) => write >= nth],
];

test.each(
  befallen.flatMap(([what, befall]) => fillings.map((filling) => [what, ...filling, befall] as const)),
)(
  'MIRROR-19 a device with %s opens with all its work when the database refuses %s, for each n',
  async (what, _, isRefused, befall) => {
    let needed = Infinity;
    for (let nth = 1; nth <= needed; nth += 1) {
      const device = await startOnDisk();
      device.server.setUp(false);
      await syncState(device, ({ connection }) => connection === 'offline');
      await device.core.outbox.add([commentOn('1', 'Kept')]);
      await device.core.drafts.put('1', { batch: 1 });
      await befall(device);
      let writes = 0;
      device.fillDatabases(() => isRefused((writes += 1), nth));
      const again = await device.open();
      needed = writes;
      expect(again.core.outbox.present()).toMatchObject([{ body: { text: 'Kept' } }]);
      expect(await firstValueFrom(again.core.drafts.ids)).toEqual(['1']);
      expect(await titles(again)).toEqual(what === 'its databases lost' ? [] : ['One']);
      device.server.setUp(true);
      if (!isRefused(nth + 1, nth)) await untroubled(again);
      device.fillDatabases(false);
      await untroubled(again);
      expect(await titles(again)).toEqual(['One']);
      await again.close();
      const last = await device.open();
      expect(last.core.outbox.present()).toEqual([]);
      expect(await firstValueFrom(last.core.drafts.ids)).toEqual(['1']);
      expect(await titles(last)).toEqual(['One']);
      await last.close();
    }
  },
  60_000,
);

test('MIRROR-19 a full disk is tolerated however the database reports it, and other errors are not', () => {
  const full = new DOMException('', 'QuotaExceededError');
  for (const error of [full, new Dexie.QuotaExceededError(''), new Dexie.AbortError(full)])
    passOverFullDisk(error);
  const other = new Dexie.AbortError(new DOMException('', 'UnknownError'));
  expect(() => passOverFullDisk(other)).toThrow(other);
});
