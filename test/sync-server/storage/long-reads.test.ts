import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Storage } from '#server/storage/storage.ts';
import { databaseName, openSqlite } from '#server/storage/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'benchbook-long-reads-'));
let storage: Storage;
beforeAll(async () => {
  storage = await openSqlite(join(folder, databaseName));
});
afterAll(async () => {
  await storage[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const plain = (sql: string, ...parameters: unknown[]) => ({ sql, parameters });
const counting = plain(
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT count(*) AS count FROM n',
  300_000,
);

test('BUDGET-5 the event loop goes on while the thread reads, and people take turns', async () => {
  const done: string[] = [];
  const read = async (caller: string, name: string) => {
    const [rows] = await storage.longReads.read(caller, [counting]);
    expect(rows).toEqual([{ count: 300_000 }]);
    done.push(name);
  };
  const reads = [read('1', 'first'), read('1', 'second'), read('1', 'third'), read('2', 'other')];
  await storage.reader.selectFrom('users').select('userid').execute();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(done).toEqual([]);
  await Promise.all(reads);
  expect(done).toEqual(['first', 'second', 'other', 'third']);
});

test('BUDGET-5 more than ten waiting reads of one person are refused, without harm to others', async () => {
  const { longReads } = storage;
  const many = Array.from({ length: 14 }, () => longReads.read('1', [plain('SELECT ? AS one', 1)]));
  const other = longReads.read('2', [plain('SELECT 2 AS two')]);
  const results = await Promise.allSettled(many);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3);
  await expect(longReads.read('1', [plain('SELECT 1 AS one')])).resolves.toEqual([[{ one: 1 }]]);
  await expect(other).resolves.toEqual([[{ two: 2 }]]);
});

test('BUDGET-5 an error of SQLite keeps its code, and the thread cannot write', async () => {
  const { longReads } = storage;
  await expect(longReads.read('1', [plain('SELECT missing')])).rejects.toMatchObject({
    code: 'SQLITE_ERROR',
    message: 'no such column: missing',
  });
  const write = plain("INSERT INTO meta (name, value) VALUES ('a', 'b')");
  await expect(longReads.read('1', [write])).rejects.toThrow();
  await expect(longReads.read('1', [plain('SELECT 1 AS one')])).resolves.toEqual([[{ one: 1 }]]);
});

test('BUDGET-5 all statements of a report read the same moment', async () => {
  const { longReads } = storage;
  const count = plain('SELECT count(*) AS count FROM meta');
  const read = longReads.read('1', [count, counting, count]);
  await storage.write({ userid: null, name: 'Test', action: 'test' }, async (tx) => {
    await tx.insertInto('meta').values({ name: 'while reading', value: '' }).execute();
  });
  const [before, , after] = await read;
  expect(after).toEqual(before);
});
