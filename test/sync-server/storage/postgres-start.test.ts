import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';

import { migrationLock } from '#server/storage/postgres/locks.ts';
import { openPostgres } from '#server/storage/postgres/open.ts';
import { makePostgresDatabase } from '#test/support/postgres-databases.ts';

test.for(['LATIN1', 'SQL_ASCII'])(
  'POSTGRES-24 a database with the encoding %s is refused at the start, and says how to make one',
  async (encoding) => {
    await using database = await makePostgresDatabase({ encoding });
    await expect(openPostgres(database.url)).rejects.toThrow(
      `The database has the encoding ${encoding}; Benchbook needs UTF8. Make another one with: createdb --encoding UTF8 --template template0 NAME`,
    );
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query("SELECT to_regclass('meta') AS meta");
    await client.end();
    expect(rows).toEqual([{ meta: null }]);
  },
);

test('POSTGRES-25 a start waits for the migration of another node, however long a statement may take', async () => {
  await using database = await makePostgresDatabase();
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${migrationLock})`);
  const migrated = other.query('SELECT pg_sleep(4)').then(() => other.query('COMMIT'));
  const opening = openPostgres(`${database.url}?query_timeout=3000`);
  await Promise.allSettled([opening, migrated]);
  await other.end();
  await using storage = await opening;
  expect((await sql`SELECT 1 FROM users`.execute(storage.reader)).rows).toEqual([]);
});
