import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import BetterSqlite3 from 'better-sqlite3';
import { sql, type Kysely, type SqliteStatement } from 'kysely';
import { expect, test } from 'vitest';

import { migrate, schemaVersion } from '#server/storage/migrations/index.ts';
import { openSqlite, withStatementCache } from '#server/storage/sqlite.ts';
import type { Tables } from '#server/storage/tables.ts';
import { byTest } from '#test/support/written.ts';

import { describeStorage, type TestDatabase } from './contract.ts';

function inFolder(): TestDatabase & { path: string } {
  const dir = mkdtempSync(join(tmpdir(), 'benchbook-storage-'));
  const path = join(dir, 'benchbook.sqlite');
  return {
    path,
    open: () => openSqlite(path),
    [Symbol.asyncDispose]: async () => rmSync(dir, { recursive: true, force: true }),
  };
}

describeStorage('SQLite', inFolder);

async function pragma(db: Kysely<Tables>, name: string): Promise<unknown> {
  const { rows } = await sql.raw<Record<string, unknown>>(`PRAGMA ${name}`).execute(db);
  return Object.values(rows[0] ?? {})[0];
}

test('STORAGE-16 every connection uses WAL, full sync, foreign keys and a busy timeout, also after reopening', async () => {
  await using database = inFolder();
  for (const round of ['new', 'opened again', 'opened a third time']) {
    await using storage = await database.open();
    for (const connection of [storage.writer, storage.reader]) {
      const found = {
        round,
        journal: await pragma(connection, 'journal_mode'),
        synchronous: await pragma(connection, 'synchronous'),
        foreignKeys: await pragma(connection, 'foreign_keys'),
        busyTimeout: await pragma(connection, 'busy_timeout'),
      };
      expect(found).toEqual({ round, journal: 'wal', synchronous: 2, foreignKeys: 1, busyTimeout: 5000 });
    }
  }
});

test('STORAGE-11 the reading connection cannot write', async () => {
  await using database = inFolder();
  await using storage = await database.open();
  await expect(storage.reader.insertInto('tags').values({ name: 'no' }).execute()).rejects.toThrow(
    'readonly',
  );
});

test('STORAGE-12 a database of a newer version is refused in a clear sentence and not changed', async () => {
  await using database = inFolder();
  await (await database.open())[Symbol.asyncDispose]();
  const raw = new BetterSqlite3(database.path);
  raw.exec(`UPDATE meta SET value = '${schemaVersion + 2}' WHERE name IN ('schema_version', 'oldest_code')`);
  raw.close();
  await expect(database.open()).rejects.toThrow(
    `The database was written by a newer Benchbook (schema ${schemaVersion + 2}); this one knows schema ${schemaVersion}. Update Benchbook.`,
  );
  const after = new BetterSqlite3(database.path, { readonly: true });
  expect(after.prepare(`SELECT value FROM meta WHERE name = 'oldest_code'`).pluck().get()).toBe(
    String(schemaVersion + 2),
  );
  after.close();
});

test('STORAGE-12 a later migration cannot lower the code version that an earlier one requires', async () => {
  await using database = inFolder();
  await using storage = await database.open();
  const meta = (name: string) =>
    storage.writer.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst();
  const nothing = (): Promise<void> => Promise.resolve();
  await storage.writer.updateTable('meta').set({ value: '0' }).where('name', '!=', 'history').execute();
  const older = [
    { version: 1, oldestCode: 1, up: nothing },
    { version: 2, oldestCode: 2, up: nothing },
  ];
  await migrate(storage.writer, { all: older });
  await migrate(storage.writer, { all: [{ version: 3, oldestCode: 1, up: nothing }] });
  expect(await meta('schema_version')).toEqual({ value: '3' });
  expect(await meta('oldest_code')).toEqual({ value: '2' });
});

test('STORAGE-33 a new database gets its name from the given randomness', async () => {
  await using database = inFolder();
  await using storage = await openSqlite(database.path, {
    randomBytes: (size) => new Uint8Array(size).fill(7),
  });
  const history = storage.reader.selectFrom('meta').select('value').where('name', '=', 'history');
  expect(await history.executeTakeFirst()).toEqual({ value: '07'.repeat(12) });
});

test('STORAGE-13 a newer database that allows older code is opened', async () => {
  await using database = inFolder();
  await (await database.open())[Symbol.asyncDispose]();
  const raw = new BetterSqlite3(database.path);
  raw.exec(`UPDATE meta SET value = '${schemaVersion + 1}' WHERE name = 'schema_version'`);
  raw.close();
  await using storage = await database.open();
  expect(
    await storage.reader
      .selectFrom('meta')
      .select('value')
      .where('name', '=', 'schema_version')
      .executeTakeFirst(),
  ).toEqual({ value: String(schemaVersion + 1) });
});

test('STORAGE-14 prepared statements are cached while used, and not without limit', () => {
  const prepared: string[] = [];
  const cache = withStatementCache(
    {
      prepare: (text) => {
        prepared.push(text);
        return unused;
      },
      close: () => undefined,
      inTransaction: false,
    },
    3,
  );
  for (const text of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) cache.prepare(text);
  expect(prepared).toEqual(['a', 'b', 'c', 'd', 'b']);
});

/** A statement that is prepared and never run. */
const unused: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
};

const script = fileURLToPath(new URL('write-until-killed.ts', import.meta.url));

interface Writer {
  acked: number[];
  /** Resolves when the process has named its first write, or ended without one. */
  writing: Promise<unknown>;
  kill(): Promise<void>;
}

function startWriter(path: string, from: number, to = Infinity): Writer {
  const child = spawn(process.execPath, [script, path, String(from), String(to)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const acked: number[] = [];
  const lines = createInterface(child.stdout);
  lines.on('line', (line) => acked.push(Number(line)));
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const closed = once(child, 'close');
  return {
    acked,
    writing: Promise.race([once(lines, 'line'), closed]),
    async kill() {
      child.kill('SIGKILL');
      await closed;
      expect(errors.join('')).toBe('');
    },
  };
}

test('STORAGE-15 processes that open a new database at the same time migrate it once', async () => {
  await using database = inFolder();
  const writers = [1, 2, 3, 4].map((number) => startWriter(database.path, number, number));
  await Promise.all(writers.map((writer) => writer.writing));
  await Promise.all(writers.map((writer) => writer.kill()));
  expect(writers.map((writer) => writer.acked)).toEqual([[1], [2], [3], [4]]);
  await using storage = await database.open();
  const { count } = await storage.reader
    .selectFrom('meta')
    .select((column) => column.fn.countAll<number>().as('count'))
    .where('name', '=', 'history')
    .executeTakeFirstOrThrow();
  expect(count).toBe(1);
});

test('STORAGE-22 another process cannot write between the reads and writes of a transaction', async () => {
  await using database = inFolder();
  await using storage = await database.open();
  const other = new BetterSqlite3(database.path, { timeout: 0 });
  const insert = other.prepare("INSERT INTO tags (name) VALUES ('theirs')");
  await storage.write(byTest, async (tx) => {
    expect(await tx.selectFrom('tags').select('name').execute()).toEqual([]);
    expect(() => insert.run()).toThrow('database is locked');
    await tx.insertInto('tags').values({ name: 'ours' }).execute();
  });
  insert.run();
  other.close();
  const names = await storage.reader.selectFrom('tags').select('name').orderBy('name').execute();
  expect(names.map(({ name }) => name)).toEqual(['ours', 'theirs']);
});

test('STORAGE-17 no acknowledged write is lost when the process is killed while writing, ten times', async () => {
  await using database = inFolder();
  const acked: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const writer = startWriter(database.path, round * 1_000_000 + 1);
    await writer.writing;
    await new Promise((resolve) => setTimeout(resolve, 5 + ((round * 37) % 60)));
    await writer.kill();
    expect(writer.acked.length).toBeGreaterThan(0);
    acked.push(...writer.acked);
    const raw = new BetterSqlite3(database.path);
    expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(raw.pragma('foreign_key_check')).toEqual([]);
    raw.close();
  }
  await using storage = await database.open();
  const names = await storage.reader.selectFrom('tags').select('name').execute();
  const documents = await storage.reader.selectFrom('documents').select('id').execute();
  const feed = await storage.reader.selectFrom('feed').select('id').orderBy('seq').execute();
  const written = new Set(names.map((row) => row.name));
  expect(acked.filter((number) => !written.has(`write ${number}`))).toEqual([]);
  expect(new Set(documents.map((row) => `write ${row.id}`))).toEqual(written);
  expect(feed.map((row) => `write ${row.id}`)).toEqual([...written]);
});
