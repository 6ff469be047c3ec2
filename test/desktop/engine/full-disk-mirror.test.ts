import { Dexie } from 'dexie';
import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import { passOverFullDisk } from '#desktop/engine/platform/full-disk.ts';
import { commentOn, inSync, syncState, type Device } from '#test/desktop/engine/support/device.ts';

import { startOnDisk, titles } from './filling-device.ts';

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

/** In sync, and the database has written everything. */
async function untroubled(device: Device): Promise<void> {
  await inSync(device);
  await syncState(device, ({ trouble }) => trouble === null);
}

type OnDisk = Awaited<ReturnType<typeof startOnDisk>>;

/** Situations at a start on a full database. */
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
