import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore, type MemoryFaults } from '#desktop/engine/journal/memory.ts';
import { openHome } from '#desktop/engine/leaving/home-database.ts';
import { LeavingMark, markId } from '#desktop/engine/leaving/mark.ts';

import { newDisk, platformOn } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';

const home = 'benchbook-0123456789';

test('LV2 a full disk keeps the files as they are, and the app opens all the same', async () => {
  const disk = newDisk();
  const environment = testEnvironment(fetch);
  const platform = platformOn(disk, environment);
  const faults: MemoryFaults = {};
  const journal = await openJournal(memoryStore(faults, disk.journal), environment);
  const first = await openHome({ platform, journal, home });
  await first.database.close();
  first.leave();
  await new LeavingMark(journal, home).set(environment.now());
  faults.capacity = [...disk.journal.values()].reduce((sum, { length }) => sum + length, 0);

  const full = await openHome({ platform, journal, home });
  await full.database.close();
  full.leave();
  expect((await journal.entries()).meta.has(markId(home))).toBe(true);

  delete faults.capacity;
  const mended = await openHome({ platform, journal, home });
  await mended.database.close();
  mended.leave();
  expect((await journal.entries()).meta.has(markId(home))).toBe(false);
});
