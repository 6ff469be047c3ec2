import { expect, onTestFinished, test, vi } from 'vitest';

import { openDatabase } from '#desktop/engine/storage/database.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { draftRecords, JournaledRecords } from '#desktop/engine/outbox/journaled-records.ts';
import { testEnvironment } from '#test/desktop/engine/support/environment.ts';
import { heldTime } from '#test/desktop/engine/support/held-time.ts';
import { fillable } from '#test/support/full-storage.ts';
import { memoryStorage } from '#test/support/memory-storage.ts';

/** Drafts of one home in several tabs, on a database that can be full. */
async function home() {
  const full = { database: false };
  const storage = fillable(memoryStorage(), () => full.database);
  const database = await openDatabase('home', storage, false);
  onTestFinished(async () => void (await database.close()));
  const environment = testEnvironment(() => Promise.reject(new Error('No network in this test')));
  const journal = await openJournal(memoryStore({}, new Map()), environment);
  const { setTimer, lock, passTime } = heldTime();
  const notes: string[] = [];
  const open = () =>
    JournaledRecords.open(draftRecords, {
      environment: { setTimer },
      journal,
      rows: database.drafts,
      home: 'home',
      lock,
      reading: {
        noteTrouble: () => notes.push('trouble'),
        noteSuccess: () => notes.push('success'),
      },
      noteTrouble: () => undefined,
      noteSuccess: () => undefined,
    });
  const copies = async (): Promise<string[]> => (await database.drafts.find().exec()).map(({ id }) => id);
  return { full, journal, notes, open, passTime, copies };
}

test('OUTBOX-9 a tab forgets the draft copy that it still has to write when another tab removed the draft', async () => {
  const { full, open, passTime, copies } = await home();
  const tab = await open();
  full.database = true;
  await tab.put('7', { batch: 1 });
  full.database = false;
  const other = await open();
  expect(await copies()).toEqual(['7']);
  await other.remove('7');
  await passTime();
  expect(await copies()).toEqual([]);
});

test('OUTBOX-8 a tab writes the draft copy that it still has to write when the database has room again', async () => {
  const { full, open, passTime, copies } = await home();
  const tab = await open();
  full.database = true;
  await tab.put('7', { batch: 1 });
  full.database = false;
  await passTime();
  expect(await copies()).toEqual(['7']);
});

test('OUTBOX-9 a draft removed while the database was full does not come back at the next start', async () => {
  const { full, open, copies } = await home();
  const before = await open();
  await before.put('7', { batch: 1 });
  full.database = true;
  await before.remove('7');
  await before.close();
  const again = await open();
  expect(again.present()).toEqual(new Map());
  await again.close();
  full.database = false;
  const after = await open();
  expect(after.present()).toEqual(new Map());
  expect(after.hasRecovered).toBe(false);
  expect(await copies()).toEqual([]);
});

test('OUTBOX-9 a draft started again after a full database kept the old one comes back when the journal is lost', async () => {
  const { full, open, journal } = await home();
  const before = await open();
  await before.put('7', { batch: 1 });
  full.database = true;
  await before.remove('7');
  full.database = false;
  await before.put('7', { batch: 2 });
  await before.close();
  await journal.forget('drafts', ['home/7']);
  const after = await open();
  expect(after.present()).toEqual(new Map([['7', { batch: 2 }]]));
});

test('OUTBOX-27 unreadable drafts are read again automatically, and the warning then ends', async () => {
  const { journal, notes, open, passTime } = await home();
  const drafts = await open();
  vi.spyOn(journal, 'changes').mockRejectedValueOnce(new Error('EIO'));
  await drafts.refresh();
  expect(notes).toEqual(['trouble']);
  await passTime();
  await vi.waitFor(() => expect(notes).toEqual(['trouble', 'success']), { timeout: 60_000 });
});

test('OUTBOX-9 a tab that writes another draft does not write an older copy of a draft changed in another tab', async () => {
  const { full, open, copies } = await home();
  const tab = await open();
  full.database = true;
  await tab.put('7', { batch: 1 });
  full.database = false;
  const other = await open();
  await other.remove('7');
  await tab.put('8', { batch: 1 });
  expect(await copies()).toEqual(['8']);
});
