import { join } from 'node:path';

import { expect, test } from 'vitest';

import { prepared } from '#server/storage/prepared.ts';
import { openSqlite } from '#server/storage/sqlite.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { byTest } from '#test/support/written.ts';

test('D21 a statement that is built once takes the values of each call, in whatever order it names them', async () => {
  await using folder = await temporaryFolder('prepared');
  await using storage = await openSqlite(join(folder.path, 'test.sqlite'));
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
