import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';

import { visibleAudiences, type Principal } from '#server/storage/feed.ts';
import * as searchWaiting from '#server/storage/migrations/030-search-waiting.ts';
import { areWordsWaiting, indexWaiting } from '#server/storage/search-entries.ts';
import { searchIndex, searchKinds } from '#server/storage/search.ts';
import type { Storage } from '#server/storage/storage.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import type { Tables } from '#server/storage/tables.ts';
import { onlySqlite } from '#test/support/only-sqlite.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openTestStorage } from '#test/support/test-storage.ts';
import { byTest } from '#test/support/written.ts';

import { note, write } from './write.ts';

async function opened() {
  const folder = await temporaryFolder('search-entries');
  return {
    path: folder.path,
    storage: await openTestStorage(folder.path),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Ids of the wikis that a person with these principals finds by the word that every note contains. */
async function foundBy({ reader }: Storage, ...principals: Principal[]): Promise<number[]> {
  const audiences = [...(await visibleAudiences(reader, principals))];
  const wanted = { words: 'Note', kinds: searchKinds, audiences, offset: 0, limit: 20 };
  const { hits, total } = await searchIndex(reader, wanted);
  expect(total).toBe(hits.length);
  return hits.map(({ id }) => id).toSorted((a, b) => a - b);
}

function put(storage: Storage, id: number, ...principals: Principal[]): Promise<void> {
  return write(storage, async (_tx, changes) => changes.put('wikis', id, note(id), principals));
}

test('STORAGE-26 words are indexed later, ownership immediately', async () => {
  await using own = await opened();
  await using storage = own.storage;
  await put(storage, 1, 'public');
  await put(storage, 2, 'user:7');
  await put(storage, 1, 'public');
  expect(await foundBy(storage, 'public', 'user:7')).toEqual([]);
  await storage.write(byTest, indexWaiting);
  expect(await areWordsWaiting(storage.reader)).toBe(false);
  expect(await foundBy(storage, 'public')).toEqual([1]);
  expect(await foundBy(storage, 'public', 'user:7')).toEqual([1, 2]);
  await put(storage, 1, 'user:7');
  expect(await areWordsWaiting(storage.reader)).toBe(true);
  expect(await foundBy(storage, 'public')).toEqual([]);
  expect(await foundBy(storage, 'user:7')).toEqual([1, 2]);
  await write(storage, async (_tx, changes) => changes.remove('wikis', 1));
  expect(await foundBy(storage, 'user:7')).toEqual([2]);
  await storage.write(byTest, indexWaiting);
  expect(await foundBy(storage, 'public', 'user:7')).toEqual([2]);
});

onlySqlite('migration')(
  'STORAGE-26 an older index knows the owners of its records, and indexes missing ones',
  async () => {
    await using own = await opened();
    for (const id of [1, 2, 3]) await put(own.storage, id, id === 2 ? 'user:7' : 'public');
    await own.storage.write(byTest, indexWaiting);
    await own.storage[Symbol.asyncDispose]();
    const raw = new BetterSqlite3(join(own.path, databaseName));
    raw.exec(`
    DROP TABLE search_waiting;
    ALTER TABLE search_entries DROP COLUMN audience;
    DELETE FROM search_entries WHERE id = '3'`);
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: raw }) });
    await searchWaiting.up(db);
    await db.destroy();
    await using storage = await openTestStorage(own.path);
    expect(await foundBy(storage, 'public')).toEqual([1]);
    expect(await foundBy(storage, 'user:7')).toEqual([2]);
    await storage.write(byTest, indexWaiting);
    expect(await foundBy(storage, 'public')).toEqual([1, 3]);
  },
);
