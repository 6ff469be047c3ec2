import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';

import { migrationLock } from '#server/storage/postgres/locks.ts';
import { openPostgres } from '#server/storage/postgres/open.ts';
import { makePostgresDatabase } from '#test/support/postgres-databases.ts';

/** Longest wait for a statement in the address of the database, ms. */
const statementMs = 3000;

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
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return client;
  };
  const [other, admin] = [await connect(), await connect()];
  await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${migrationLock})`);
  const opening = openPostgres(`${database.url}?query_timeout=${statementMs}`);
  // Checked below; until then it may fail at any time.
  opening.catch(() => undefined);
  const waiting = async (): Promise<number> => {
    const { rowCount } = await admin.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND clock_timestamp() - query_start > interval '${statementMs + 500} ms'`,
    );
    return rowCount ?? 0;
  };
  await expect.poll(waiting).toBe(1);
  await other.query('COMMIT');
  await using storage = await opening;
  expect((await sql`SELECT 1 FROM users`.execute(storage.reader)).rows).toEqual([]);
  await Promise.all([other.end(), admin.end()]);
});
