import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore, type MemoryFaults } from '#desktop/engine/journal/memory.ts';
import { openHome } from '#desktop/engine/leaving/home-database.ts';
import { LeavingMark, markId } from '#desktop/engine/leaving/mark.ts';

import { newDisk, platformOn } from './support/device.ts';
import { fillable } from '#test/support/full-storage.ts';
import { testEnvironment } from './support/environment.ts';

const home = 'benchbook-0123456789';

test('LV2 a full database stays as it is, and the app opens all the same', async () => {
  const disk = newDisk();
  const environment = testEnvironment(fetch);
  let isFull = false;
  const platform = { ...platformOn(disk, environment), storage: fillable(disk.storage, () => isFull) };
  const journal = await openJournal(memoryStore({}, disk.journal), environment);
  const first = await openHome({ platform, journal, home });
  await first.database.outbox.insert({ id: 'a', body: 'Waits' });
  await first.database.close();
  first.leave();
  await new LeavingMark(journal, home).set(environment.now());

  for (isFull of [true, true, false]) {
    const { database, leave } = await openHome({ platform, journal, home });
    expect((await database.outbox.find().exec()).map(({ body }) => body)).toEqual(['Waits']);
    await database.close();
    leave();
    expect((await journal.entries()).meta.has(markId(home))).toBe(isFull);
  }
});

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
