import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { openHome } from '#desktop/engine/account/leaving/home-database.ts';
import { scrub } from '#desktop/engine/account/leaving/scrub.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';
import { dropDeleted, type ScrubbedStore } from '#desktop/engine/platform/storage-buckets.ts';
import { memoryStorage } from '#test/support/memory-storage.ts';

import { newDisk, platformOn } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';

const home = 'benchbook-0123456789';

test('LEAVING-2 the common storage is rewritten at each start until the browser has dropped the deleted data in it', async () => {
  const disk = newDisk();
  const environment = testEnvironment(fetch);
  const common = new Set([`${home}-v1`]);
  let scrubs = 0;
  let isDropped = false;
  const places: NonNullable<Platform['places']> = {
    open: async () => memoryStorage(),
    remove: async () => undefined,
    list: async () => [],
    listCommon: async (prefix) => [...common].filter((name) => name.startsWith(prefix)),
    removeCommon: async (name) => void common.delete(name),
    scrubCommon: async () => {
      scrubs += 1;
      return isDropped;
    },
  };
  const platform = { ...platformOn(disk, environment), places };
  const journal = await openJournal(memoryStore({}, disk.journal), environment);
  const start = async (): Promise<void> => {
    const { database, leave } = await openHome({ platform, journal, home });
    await scrub({ platform, journal });
    await database.close();
    leave();
  };

  await start();
  expect([...common]).toEqual([]);
  await start();
  expect(scrubs).toBe(2);
  isDropped = true;
  await start();
  expect(scrubs).toBe(3);
  await start();
  expect(scrubs).toBe(3);
});

/** A store that receives `written` bytes of noise and has files of `bytes(written)`. */
function storeOf(files: (written: number) => number, room = Infinity): ScrubbedStore & { written: number } {
  return {
    written: 0,
    bytes() {
      return Promise.resolve(files(this.written));
    },
    room: () => Promise.resolve(room),
    async writeNoise(rows) {
      this.written += rows * 4096;
    },
  };
}

const noPause = (): Promise<void> => Promise.resolve();

test('LEAVING-2 a scrub ends when the noise is gone', async () => {
  const store = storeOf(() => 50_000_000);
  expect(await dropDeleted(store, noPause)).toBe(true);
  expect(store.written).toBeLessThan(15_000_000);
});

test('LEAVING-2 a scrub ends before noise that the browser does not drop fills the disk', async () => {
  const store = storeOf((written) => 50_000_000 + written);
  expect(await dropDeleted(store, noPause)).toBe(false);
  expect(store.written).toBeLessThan(125_000_000);
});

test('LEAVING-2 a scrub writes nothing where the storage quota is small', async () => {
  const store = storeOf(() => 50_000_000, 20_000_000);
  expect(await dropDeleted(store, noPause)).toBe(false);
  expect(store.written).toBe(0);
});

test('LEAVING-2 a scrub ends although other work keeps changing the files', async () => {
  let looks = 0;
  const store = storeOf(() => 1e12 - (looks += 1) * 2_000_000);
  expect(await dropDeleted(store, noPause)).toBe(false);
  expect(looks).toBeLessThan(300);
});
