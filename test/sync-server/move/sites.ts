import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import pg from 'pg';

import { must } from '#shared/must.ts';
import { movedTables } from '#server/storage/move/moved-tables.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { runCommand, type Ran } from '#test/support/command-line.ts';
import { makePostgresDatabase } from '#test/support/postgres-databases.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

/** A data folder and an empty database; both are removed at the end. */
export interface Places extends AsyncDisposable {
  root: string;
  data: string;
  url: string;
}

export async function places(): Promise<Places> {
  const root = mkdtempSync(join(tmpdir(), 'benchbook-moving-'));
  const database = await makePostgresDatabase();
  return {
    root,
    data: join(root, 'data'),
    url: database.url,
    async [Symbol.asyncDispose]() {
      rmSync(root, { recursive: true, force: true });
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Runs `benchbook move`. */
export const move = (...args: string[]): Promise<Ran> => runCommand(['move', ...args]);

/** The arguments of a move to PostgreSQL. */
export const there = ({ url, data }: Pick<Places, 'url' | 'data'>): string[] => ['--to', url, '--data', data];
export const back = ({ url, data }: Pick<Places, 'url' | 'data'>): string[] => [
  '--from',
  url,
  '--data',
  data,
];

/** A server on SQLite, whatever the other tests use. */
export const onSqlite = (at: Pick<Places, 'data'>): Promise<TestServer> =>
  startServer({ dataDir: at.data, database: undefined });

/** A server on PostgreSQL. */
export const onDatabase = (at: Pick<Places, 'data' | 'url'>): Promise<TestServer> =>
  startServer({ dataDir: at.data, database: at.url });

/** All rows of each table in a data folder, in their order, as SQLite writes values of any type. */
export async function contentOf(folder: string): Promise<Record<string, unknown[]>> {
  const sqlite = new BetterSqlite3(join(folder, databaseName), { readonly: true });
  try {
    const content: Record<string, unknown[]> = {};
    for (const { name, columns, order, rows } of await movedTables())
      content[name] = sqlite
        .prepare(
          `SELECT ${columns.map((column) => `quote("${column}")`).join(', ')} FROM "${name}"
           ${rows === undefined ? '' : `WHERE ${rows}`} ORDER BY ${order.map((column) => `"${column}"`).join(', ')}`,
        )
        .raw()
        .all();
    content['sqlite_sequence'] = sqlite.prepare('SELECT * FROM sqlite_sequence ORDER BY name').raw().all();
    return content;
  } finally {
    sqlite.close();
  }
}

/** Statements on a PostgreSQL database, past Benchbook. */
export async function query<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

export const hasDatabase = (folder: string): boolean => existsSync(join(folder, databaseName));

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    '',
    "'",
    '"',
    '\\',
    '\\x00',
    '\\u0000',
    'NULL',
    '{}',
    '\n\r\t',
    '\u{10FFFF}',
    'ÿ',
    'ﬀ',
    '😀',
    '~',
  ),
);
const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
const numbers = fc.integer({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 });

/** Rows that people's calls make seldom or never: odd texts and numbers, bytes, rows that refer to later ones. */
export function addOddRows(folder: string): void {
  const sqlite = new BetterSqlite3(join(folder, databaseName));
  const some = <T>(values: fc.Arbitrary<T>, count: number): T[] =>
    fc.sample(values, { numRuns: count, seed: 7 });
  const userid = must(sqlite.prepare('SELECT min(userid) FROM users').pluck().get(), 'a person') as number;
  const add = (text: string) => {
    const statement = sqlite.prepare(text);
    return (...values: unknown[]) => statement.run(...values);
  };
  sqlite.exec('BEGIN');
  const translated = add('INSERT OR IGNORE INTO machine_translations VALUES (?, ?, ?, ?, ?)');
  for (const [one, other, number] of some(fc.tuple(texts, texts, numbers), 400))
    translated('en', 'de', one, other, number);
  const asked = add('INSERT INTO reset_requests VALUES (?, ?)');
  // Twice, because the table has no key.
  for (const [subject, number] of some(fc.tuple(texts, numbers), 100))
    for (const _ of [1, 2]) asked(subject, number);
  const favorite = add('INSERT OR IGNORE INTO favorites VALUES (?, ?, ?)');
  for (const [one, other, date] of some(fc.tuple(numbers, numbers, numbers), 5000))
    favorite(one, other, date);
  const attempt = add('INSERT OR IGNORE INTO login_attempts VALUES (?, ?, ?)');
  for (const [subject, failures] of some(fc.tuple(texts, numbers), 300)) attempt(subject, failures, 1);
  const place = add('UPDATE users SET latitude = ?, longitude = ? WHERE userid = ?');
  const people = sqlite.prepare('SELECT userid FROM users').pluck().all();
  for (const [index, [north, east]] of some(fc.tuple(doubles, doubles), people.length).entries())
    place(north, east, people[index]);
  add("INSERT INTO training_modules VALUES (1, 'Module', ?, NULL, NULL, 1, 1)")(userid);
  add("INSERT INTO training_imports VALUES (1, 1, 1, 'done', NULL, ?, NULL, NULL, NULL, NULL, 1, NULL)")(
    userid,
  );
  const registered = add(
    "INSERT INTO training_registrations VALUES (?, 1, ?, 0, ?, 'completed', 'passed', ?, 1, 1, NULL)",
  );
  registered(1, userid, 'one', 0.1 + 0.2);
  const document = add(
    "INSERT INTO training_documents VALUES (1, 'state', '', ?, 'application/octet-stream', ?, 1)",
  );
  for (const [index, bytes] of some(fc.uint8Array({ maxLength: 300 }), 50).entries())
    document(`d${index}`, Buffer.from(bytes));
  const token = add(
    "INSERT INTO tokens (token_hash, userid, device, created_date, used_date, expires_date, impersonator_token) VALUES (?, ?, '', 1, 1, 1, ?)",
  );
  // The first row in the order of the key refers to the last.
  token('zz', userid, null);
  token('aa', userid, 'zz');
  sqlite.exec(
    "INSERT INTO shift_summaries VALUES (70, 1, 1, 2, 'x'); DELETE FROM shift_summaries WHERE teamid = 1 AND from_date = 1",
  );
  const large = add('INSERT INTO guide_revisions VALUES (?, ?, 1, ?, 1, ?)');
  for (let index = 0; index < 4; index += 1) large(1_000_000, index, userid, 'x'.repeat(3_000_000));
  sqlite.exec('COMMIT');
  sqlite.close();
}
