import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { openHome } from '#desktop/engine/leaving/home-database.ts';
import { scrub } from '#desktop/engine/leaving/scrub.ts';
import type { Platform } from '#desktop/engine/platform.ts';
import { memoryStorage } from '#test/support/memory-storage.ts';

import { newDisk, platformOn } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';

const home = 'benchbook-0123456789';

test('LV2 the common storage is rewritten at each start until the browser has dropped what was deleted in it', async () => {
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
