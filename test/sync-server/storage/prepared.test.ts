import { expect, test } from 'vitest';

import { prepared, preparedList } from '#server/storage/prepared.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openTestStorage } from '#test/support/test-storage.ts';
import { byTest } from '#test/support/written.ts';

test('STORAGE-21 a prepared statement takes the values of each call by name, in any order', async () => {
  await using folder = await temporaryFolder('prepared');
  await using storage = await openTestStorage(folder.path);
  let built = 0;
  const put = prepared<{ value: string; name: string }, { name: string }>((db, value) => {
    built += 1;
    return db
      .insertInto('meta')
      .values({ name: value('name'), value: value('value') })
      .returning('name');
  });
  const search = prepared<{ least: string; names: string }, { name: string; value: string }>((db, value) =>
    db
      .selectFrom('meta')
      .selectAll()
      .where('value', '>=', value('least'))
      .where('name', '>=', value('names'))
      .orderBy('name')
      .limit(2),
  );
  expect(await storage.write(byTest, (tx) => put(tx, { name: 'x1', value: 'one' }))).toEqual([
    { name: 'x1' },
  ]);
  await storage.write(byTest, (tx) => put(tx, { name: 'x2', value: 'two' }));
  expect(built).toBe(1);
  const of = (least: string, names: string): Promise<{ name: string; value: string }[]> =>
    search(storage.reader, { least, names });
  expect(await of('one', 'x1')).toEqual([
    { name: 'x1', value: 'one' },
    { name: 'x2', value: 'two' },
  ]);
  expect(await of('p', 'x1')).toEqual([{ name: 'x2', value: 'two' }]);
  expect(await of('one', 'x3')).toEqual([]);
});

test('STORAGE-21 constants are part of the statement, whatever they contain', async () => {
  await using folder = await temporaryFolder('prepared');
  await using storage = await openTestStorage(folder.path);
  const odd = "it's ? or '' or -- \\ ü";
  const put = prepared<{ name: string }, unknown>((db, value) =>
    db.insertInto('meta').values({ name: value('name'), value: odd }),
  );
  const found = prepared<{ name: string }, { value: string }>((db, value) =>
    db.selectFrom('meta').select('value').where('value', '=', odd).where('name', '=', value('name')).limit(1),
  );
  await storage.write(byTest, (tx) => put(tx, { name: 'x1' }));
  expect(await found(storage.reader, { name: 'x1' })).toEqual([{ value: odd }]);
  expect(await found(storage.reader, { name: 'x2' })).toEqual([]);
});

test('STORAGE-23 a list of any length is queried in few statements and returned completely', async () => {
  await using folder = await temporaryFolder('prepared');
  await using storage = await openTestStorage(folder.path);
  let built = 0;
  const named = preparedList<{ value: string }, string, { name: string }>((db, names, value) => {
    built += 1;
    return db
      .selectFrom('meta')
      .select('name')
      .where('value', '=', value('value'))
      .where('name', 'in', names);
  });
  const all = Array.from({ length: 2500 }, (_, index) => `n${index}`);
  // One statement: PostgreSQL ends a transaction that takes 5 s.
  const rows = all.map((name) => ({ name, value: 'x' }));
  await storage.write(byTest, (tx) => tx.insertInto('meta').values(rows).execute());
  const found = async (names: string[], value = 'x'): Promise<string[]> =>
    (await named(storage.reader, names, { value })).map((row) => row.name).toSorted();
  expect(await found([])).toEqual([]);
  expect(built).toBe(0);
  for (const length of [1, 2, 3, 4, 5, 8, 2500])
    expect(await found(all.slice(0, length))).toEqual(all.slice(0, length).toSorted());
  expect(built).toBe(6);
  expect(await found(['n7', 'n7', 'none'])).toEqual(['n7']);
  expect(await found(['n7'], 'y')).toEqual([]);
  expect(await storage.write(byTest, (tx) => named(tx, ['n1', 'n2', 'n3'], { value: 'x' }))).toHaveLength(3);
});
