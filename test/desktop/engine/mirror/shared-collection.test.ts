import { createRxDatabase } from 'rxdb';
import { expect, test } from 'vitest';

import { openHome } from '#desktop/engine/account/leaving/home-database.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';
import { databaseOptions, mirrorOf, type EngineDatabase } from '#desktop/engine/storage/database.ts';
import { plainSchema } from '#desktop/engine/storage/mirror-collections.ts';
import { counterOf, toStored, type MirrorCollection } from '#desktop/engine/storage/mirror-records.ts';
import { type MarkStore, readMark, writeMark } from '#desktop/engine/sync/mirror/mark.ts';
import { must } from '#shared/must.ts';
import type { SyncedCollection } from '#shared/sync/wire.ts';
import { newDisk, platformOn, type Disk } from '#test/desktop/engine/support/device.ts';
import { testEnvironment } from '#test/desktop/engine/support/environment.ts';

const home = 'benchbook-0123456789';

/** Opens the home on a disk, and closes it after `look`. */
async function inHome<T>(disk: Disk, look: (database: EngineDatabase) => Promise<T>): Promise<T> {
  const environment = testEnvironment(fetch);
  const journal = await openJournal(memoryStore({}, disk.journal), environment);
  const { database, leave } = await openHome({ platform: platformOn(disk, environment), journal, home });
  try {
    return await look(database);
  } finally {
    await database.close();
    leave();
    await journal.close();
  }
}

/** Gives a home on a disk a collection for each of these kinds, as earlier versions of the app had them. */
async function inEarlierLayout(
  disk: Disk,
  kinds: readonly SyncedCollection[],
  fill: (collections: Readonly<Record<string, MirrorCollection>>, database: MarkStore) => Promise<void>,
): Promise<void> {
  const database = await createRxDatabase(databaseOptions(home, disk.storage, false));
  const collections: Record<string, MirrorCollection> = await database.addCollections(
    Object.fromEntries(kinds.map((kind) => [kind, { schema: plainSchema }])),
  );
  await fill(collections, database);
  await database.close();
}

/** What is stored of a kind: `user:1 at 3`, with a word for tombstones and counters. */
async function stored(database: EngineDatabase, kind: SyncedCollection): Promise<string[]> {
  const all: string[] = [];
  for await (const { id, seq, body, _deleted } of mirrorOf(database)[kind].everything())
    all.push(`${id} at ${seq}${_deleted ? ', removed' : ''} ${body}`);
  return all;
}

const ana = toStored({ c: 'people', id: 'user:1', seq: 3, doc: { username: 'Ana' } });
const site = toStored({ c: 'viewer', id: 'site', seq: 1, doc: { name: 'Benchbook' } });

test('MIRROR-21 an app that was updated offline still has the small kinds that had a collection of their own', async () => {
  const disk = newDisk();
  await inEarlierLayout(disk, ['people', 'viewer'], async ({ people, viewer }, database) => {
    const those = must(people, 'people');
    await those.bulkInsert([ana, { ...ana, id: 'user:2', seq: 4 }, counterOf('people', 'load', 2)]);
    await (await those.findOne('user:2').exec())?.remove();
    await must(viewer, 'viewer').bulkInsert([site, counterOf('viewer', 'load', 1)]);
    await writeMark(database, {
      state: 'ready',
      place: '4.a',
      history: 'h',
      isRebuild: false,
      kinds: [],
      writes: { loadId: 'load', counts: { people: 2, viewer: 1 } },
    });
  });

  for (const start of ['first', 'second'])
    await inHome(disk, async (database) => {
      expect([start, await stored(database, 'people')]).toEqual([
        start,
        [
          'user:1 at 3 {"username":"Ana"}',
          expect.stringMatching(/^user:2 at 4, removed/),
          '~writes-load at 2 ',
        ],
      ]);
      expect(await stored(database, 'viewer')).toEqual([
        'site at 1 {"name":"Benchbook"}',
        '~writes-load at 1 ',
      ]);
      expect((await readMark(database))?.state).toBe('ready');
      expect((await mirrorOf(database).people.get('user:1'))?.body).toBe(ana.body);
    });
  const left = [...disk.storage.collectionStates.keys()].filter((name) => /--(people|viewer)--/.test(name));
  expect(left).toEqual([]);
});

test('MIRROR-21 records that were loaded into the shared collection are not mixed with those of an earlier version', async () => {
  const disk = newDisk();
  const newer = toStored({ c: 'people', id: 'user:2', seq: 9, doc: { username: 'Ben' } });
  await inHome(disk, async (database) => {
    await mirrorOf(database).people.write([{ ...newer, _deleted: false }], new Map());
  });
  // An earlier version of the app ran in between.
  disk.journal.clear();
  await inEarlierLayout(disk, ['people'], async ({ people }) => void (await people?.insert(ana)));
  await inHome(disk, async (database) => {
    expect(await stored(database, 'people')).toEqual(['user:2 at 9 {"username":"Ben"}']);
  });
});

test('MIRROR-21 the database of a new home has the present layout, and nothing is moved in it', async () => {
  const disk = newDisk();
  const environment = testEnvironment(fetch);
  const journal = await openJournal(memoryStore({}, disk.journal), environment);
  const opened: string[] = [];
  const places: NonNullable<Platform['places']> = {
    open: async (place) => {
      opened.push(place);
      return disk.storage;
    },
    remove: async () => undefined,
    list: async () => [...new Set(opened)],
    listCommon: async () => [],
    removeCommon: async () => undefined,
    scrubCommon: async () => true,
  };
  const platform = { ...platformOn(disk, environment), places };
  for (const start of [1, 2]) {
    const { database, leave } = await openHome({ platform, journal, home });
    expect(opened).toEqual(Array.from({ length: start }, () => `${home}-g1`));
    await database.close();
    leave();
  }
  await journal.close();
});

test('MIRROR-21 kinds that share a collection do not see records of each other', async () => {
  await inHome(newDisk(), async (database) => {
    const { people, viewer, training } = mirrorOf(database);
    const seen: string[][] = [];
    const watching = viewer.changes.subscribe((changes) => seen.push(changes.map(({ record }) => record.id)));
    const same = { id: '1', seq: 1, _deleted: false };
    await people.write([{ ...same, body: '"of people"' }], new Map());
    await viewer.write([{ ...same, body: '"of viewer"' }], new Map());
    watching.unsubscribe();
    expect(await stored(database, 'people')).toEqual(['1 at 1 "of people"']);
    expect(await stored(database, 'viewer')).toEqual(['1 at 1 "of viewer"']);
    expect([await viewer.isBlank(), await training.isBlank()]).toEqual([false, true]);
    expect(seen.flat()).toEqual(['1']);
  });
});
