import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore, type MemoryFaults } from '#desktop/engine/journal/memory.ts';
import { openHome } from '#desktop/engine/account/leaving/home-database.ts';
import { LeavingMark, markId } from '#desktop/engine/account/leaving/mark.ts';

import { newDisk, platformOn } from './support/device.ts';
import { fillable } from '#test/support/full-storage.ts';
import { testEnvironment } from './support/environment.ts';

const home = 'benchbook-0123456789';

test('LEAVING-2 a full database stays as it is, and the app opens anyway', async () => {
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

test('LEAVING-2 a full disk leaves the files as they are, and the app opens anyway', async () => {
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

test('LEAVING-2 the app opens wherever during a copy the database fills up, and copies at the next start', async () => {
  let needed = Infinity;
  for (let nth = 1; nth <= needed; nth += 1) {
    const disk = newDisk();
    const environment = testEnvironment(fetch);
    let writes = 0;
    let isFull = false;
    const storage = fillable(disk.storage, () => isFull && (writes += 1) >= nth);
    const platform = { ...platformOn(disk, environment), storage };
    const journal = await openJournal(memoryStore({}, disk.journal), environment);
    const first = await openHome({ platform, journal, home });
    await first.database.outbox.insert({ id: 'a', body: 'Waits' });
    await first.database.drafts.insert({ id: '1', version: 1, body: 'Drafted' });
    await first.database.upsertLocal('activity', { lastSyncedAt: 1 });
    await first.database.close();
    first.leave();
    await new LeavingMark(journal, home).set(environment.now());

    for (isFull of [true, false]) {
      const { database, leave } = await openHome({ platform, journal, home });
      needed = isFull ? writes : needed;
      expect((await database.outbox.find().exec()).map(({ body }) => body)).toEqual(['Waits']);
      expect((await database.drafts.find().exec()).map(({ body }) => body)).toEqual(['Drafted']);
      expect((await database.getLocal('activity'))?.toJSON().data).toEqual({ lastSyncedAt: 1 });
      await database.close();
      leave();
    }
    expect((await journal.entries()).meta.has(markId(home))).toBe(false);
    await journal.close();
  }
  expect(needed).toBeGreaterThan(3);
}, 60_000);

test('LEAVING-2 records that left after an interrupted copy are not in the next copy', async () => {
  const disk = newDisk();
  const environment = testEnvironment(fetch);
  let isFull = false;
  const storage = fillable(disk.storage, ({ collection }) => isFull && collection === 'drafts');
  const platform = { ...platformOn(disk, environment), storage };
  const journal = await openJournal(memoryStore({}, disk.journal), environment);
  const first = await openHome({ platform, journal, home });
  await first.database.outbox.insert({ id: 'a', body: 'Leaves' });
  await first.database.drafts.insert({ id: '1', version: 1, body: 'Drafted' });
  await first.database.close();
  first.leave();
  await new LeavingMark(journal, home).set(environment.now());
  isFull = true;
  const full = await openHome({ platform, journal, home });
  await full.database.outbox.findOne('a').remove();
  await full.database.close();
  full.leave();
  isFull = false;
  const mended = await openHome({ platform, journal, home });
  expect(await mended.database.outbox.find().exec()).toEqual([]);
  expect((await mended.database.drafts.find().exec()).map(({ body }) => body)).toEqual(['Drafted']);
  await mended.database.close();
  mended.leave();
});
