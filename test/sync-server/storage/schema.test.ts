import { join } from 'node:path';

import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openPostgres } from '#server/storage/postgres/open.ts';
import { databaseName, openSqlite } from '#server/storage/sqlite.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { Tables } from '#server/storage/tables.ts';
import { makePostgresDatabase } from '#test/support/postgres-databases.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { instead, postgresSchema, sqliteSchema } from './schema-facts.ts';

const opened = new AsyncDisposableStack();
/** The schema of SQLite, as PostgreSQL should have it. */
let expected: string[];
let postgres: Storage;

beforeAll(async () => {
  const folder = opened.use(await temporaryFolder('schema'));
  const database = opened.use(await makePostgresDatabase());
  const onFile = opened.use(await openSqlite(join(folder.path, databaseName)));
  const sqlite = await sqliteSchema(onFile.reader);
  for (const fact of Object.keys(instead)) expect(sqlite).toContain(fact);
  expected = sqlite.flatMap((fact) => instead[fact] ?? fact).toSorted();
  postgres = opened.use(await openPostgres(database.url));
});
afterAll(() => opened.disposeAsync());

test('STORAGE-37 a new database has the same tables, constraints and indexes on SQLite and on PostgreSQL', async () => {
  expect(expected.length).toBeGreaterThan(800);
  expect(await sharedSchema(postgres.reader)).toEqual(expected);
});

/** The facts about PostgreSQL without those of leases, which only nodes need. */
async function sharedSchema(db: Kysely<Tables>): Promise<string[]> {
  return (await postgresSchema(db)).filter((fact) => !/ leases[ .]/.test(fact));
}

/** Facts about the schema of PostgreSQL after a statement, which is rolled back. */
async function schemaAfter(statement: string): Promise<string[]> {
  const undo = new Error('rolled back');
  let found: string[] = [];
  const work = postgres.writer.transaction().execute(async (tx) => {
    await sql.raw(statement).execute(tx);
    found = await sharedSchema(tx as Kysely<Tables>);
    throw undo;
  });
  await expect(work).rejects.toBe(undo);
  return found;
}

test.each([
  ['a table', 'CREATE TABLE more (id BIGINT PRIMARY KEY)'],
  ['a column', 'ALTER TABLE tags ADD COLUMN more TEXT'],
  ['a missing column', 'ALTER TABLE packs DROP COLUMN titles_bytes'],
  ['a type', 'ALTER TABLE packs ALTER COLUMN records TYPE DOUBLE PRECISION'],
  ['a column that may be null', 'ALTER TABLE comments ALTER COLUMN rating DROP NOT NULL'],
  ['a default', "ALTER TABLE users ALTER COLUMN username_search SET DEFAULT 'x'"],
  ['ids that nobody assigns', 'ALTER TABLE comments ALTER COLUMN commentid DROP IDENTITY'],
  ['a primary key', 'ALTER TABLE guide_tags DROP CONSTRAINT guide_tags_pkey'],
  ['a unique constraint', 'ALTER TABLE wikis ADD UNIQUE (title)'],
  ['a foreign key', 'ALTER TABLE comments ADD FOREIGN KEY (userid) REFERENCES users (userid)'],
  ['a missing index', 'DROP INDEX comments_parent'],
  ['an index on other columns', 'DROP INDEX guides_user; CREATE INDEX guides_user ON guides (userid, title)'],
  [
    'an index of other rows',
    "DROP INDEX open_planned_orders; CREATE INDEX open_planned_orders ON planned_orders (planned_orderid) WHERE status = 'x'",
  ],
])('STORAGE-37 the comparison notices %s', async (_, statement) => {
  expect(await schemaAfter(statement)).not.toEqual(expected);
});
