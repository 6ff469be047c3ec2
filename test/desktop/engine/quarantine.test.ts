import { expect, test } from 'vitest';

import { Homes } from '#desktop/engine/account/home.ts';
import { openDatabase } from '#desktop/engine/storage/database.ts';
import type { Journal, JournalRecord } from '#desktop/engine/journal/journal.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { JournaledRecords } from '#desktop/engine/outbox/journaled-records.ts';
import { workIn } from '#desktop/engine/account/leaving/home-removal.ts';
import { Quarantine, wordRecords, type KeptWords } from '#desktop/engine/account/leaving/quarantine.ts';
import { memoryStorage } from '#test/support/memory-storage.ts';

import { newDisk, platformOn } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';

const home = 'benchbook-0123456789';

function words(value: string): KeptWords {
  return {
    version: 1,
    id: 'draft:61',
    collection: 'guides',
    recordid: '61',
    at: 1,
    history: '',
    isOnServer: false,
    isComment: false,
    words: [{ place: { field: 'summary' }, value }],
  };
}

interface Shelf extends AsyncDisposable {
  journal: Journal;
  /** The quarantined text, read again. */
  open(): Promise<Quarantine>;
}

/** An empty database and a journal with only `records`. */
async function shelf(records: readonly JournalRecord[] = []): Promise<Shelf> {
  const environment = testEnvironment(fetch, 1);
  const journal = await openJournal(memoryStore(), environment);
  if (records.length > 0) await journal.append(records);
  const database = await openDatabase(home, memoryStorage(), false);
  const { lock } = platformOn(newDisk(), environment);
  const note = (): void => undefined;
  return {
    journal,
    open: async () => {
      const notes = { noteTrouble: note, noteSuccess: note };
      const world = { environment, journal, home, lock, rows: database.kept, reading: notes };
      const records = await JournaledRecords.open(wordRecords, { ...world, ...notes });
      return new Quarantine(records);
    },
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await journal.close();
    },
  };
}

function textsIn(quarantine: Quarantine): string[] {
  return quarantine.present().flatMap(({ words: own }) => own.map(({ value }) => JSON.stringify(value)));
}

test('LEAVING-4 text of a later draft of a guide does not replace quarantined text of an earlier one', async () => {
  await using kept = await shelf();
  const quarantine = await kept.open();
  await quarantine.put([words('First'), words('Second')]);
  await quarantine.put([words('Third')]);
  await quarantine.put([words('First')]);
  const next = await kept.open();
  expect(textsIn(next).toSorted()).toEqual(['"First"', '"Second"', '"Third"']);
  await next.remove(next.present().map(({ id }) => id));
  expect(textsIn(await kept.open())).toEqual([]);
});

test('LEAVING-4 LEAVING-7 quarantined text of a newer version is work: it is never replaced, nor removed with a library unasked', async () => {
  const newer = { version: 99, odd: true };
  const id = `kept/${home}/draft:61`;
  await using kept = await shelf([{ op: 'put', collection: 'meta', id, value: newer }]);
  const { journal } = kept;
  const environment = testEnvironment(fetch, 1);
  const homes = new Homes(platformOn(newDisk(), environment), journal);
  expect(await workIn({ platform: platformOn(newDisk(), environment), journal, homes }, home)).toBe(1);
  const quarantine = await kept.open();
  await quarantine.put([words('First')]);
  const { meta } = await journal.entries();
  expect(meta.get(id)).toEqual(newer);
  expect(quarantine.present()).toHaveLength(1);
});
