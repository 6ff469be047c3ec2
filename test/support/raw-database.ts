import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely';
import pg from 'pg';

import { isPostgres } from '#server/storage/dialect.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import type { Tables, Tx } from '#server/storage/tables.ts';

import { copyDatabaseOf, databaseOf, onPostgres } from './postgres-databases.ts';

/** A connection to the database of a data folder, past the code of the server, as an attacker or an administrator has it. */
export interface RawDatabase extends AsyncDisposable {
  db: Kysely<Tables>;
  /** Runs a statement without values; returns its rows. */
  run(statement: string): Promise<Record<string, unknown>[]>;
  /** Runs work on which no trigger and no foreign key acts. Triggers are as before afterwards. */
  past<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work in a transaction that is rolled back. */
  rolledBack<T>(work: () => Promise<T>): Promise<T>;
}

/** Opens the database of a data folder. On PostgreSQL its account must be a superuser, to get past the triggers. */
export async function openRaw(dataDir: string): Promise<RawDatabase> {
  const db = new Kysely<Tables>({
    dialect: onPostgres()
      ? new PostgresDialect({ pool: await onePool(dataDir) })
      : new SqliteDialect({ database: fileOf(dataDir) }),
  });
  const run = async (statement: string): Promise<Record<string, unknown>[]> =>
    (await sql.raw<Record<string, unknown>>(statement).execute(db)).rows;
  return {
    db,
    run,
    past: (work) => (isPostgres(db) ? pastOnPostgres(run, work) : pastOnSqlite(run, work)),
    async rolledBack(work) {
      await run('BEGIN');
      try {
        return await work();
      } finally {
        await run('ROLLBACK');
      }
    },
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

/** Removes the triggers of tables that refuse changes; those of the audit log stay. Returns what restores them. */
export async function withoutGuards(tx: Tx, tables: readonly string[]): Promise<() => Promise<void>> {
  const run = (text: string): Promise<unknown> => sql.raw(text).execute(tx);
  if (isPostgres(tx)) {
    const { rows } = await sql<{ name: string; table: string }>`
      SELECT CAST(tgname AS TEXT) AS name, CAST(tgrelid AS regclass)::text AS "table" FROM pg_trigger
      WHERE NOT tgisinternal AND tgname NOT LIKE 'audit\\_%'
        AND CAST(tgrelid AS regclass)::text IN (${sql.join([...tables])})`.execute(tx);
    const each = async (how: 'DISABLE' | 'ENABLE'): Promise<void> => {
      for (const { name, table } of rows) await run(`ALTER TABLE ${table} ${how} TRIGGER ${name}`);
    };
    await each('DISABLE');
    return () => each('ENABLE');
  }
  const { rows } = await sql<{ name: string; text: string }>`
    SELECT name, sql AS text FROM sqlite_schema WHERE type = 'trigger'
      AND tbl_name IN (${sql.join([...tables])})`.execute(tx);
  for (const { name } of rows) await run(`DROP TRIGGER ${name}`);
  return async () => {
    for (const { text } of rows) await run(text);
  };
}

function fileOf(dataDir: string): BetterSqlite3.Database {
  const file = new BetterSqlite3(join(dataDir, databaseName));
  file.pragma('foreign_keys = OFF');
  return file;
}

/** All that a data folder and its database contain, as texts to search. */
export async function storedIn(dataDir: string): Promise<string[]> {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name)).toString('latin1'));
  if (!onPostgres()) return files;
  await using raw = await openRaw(dataDir);
  const tables = await raw.run("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
  const rows = await Promise.all(tables.map(({ name }) => raw.run(`SELECT * FROM "${String(name)}"`)));
  const values = rows.flat().flatMap((row) => Object.values(row));
  return [
    ...files,
    ...values.map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))),
  ];
}

/** Copies a data folder that nobody uses at the moment, with its database. */
export async function copyDataFolder(from: string, to: string): Promise<void> {
  cpSync(from, to, { recursive: true });
  if (onPostgres()) await copyDatabaseOf(from, to);
}

/** A pool of one connection, so that all statements share transactions and settings. */
async function onePool(dataDir: string): Promise<pg.Pool> {
  const { INT8, NUMERIC } = pg.types.builtins;
  const parser = (oid: number, format?: 'text' | 'binary'): unknown =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format);
  return new pg.Pool({
    connectionString: await databaseOf(dataDir),
    max: 1,
    types: { getTypeParser: parser as typeof pg.types.getTypeParser },
  });
}

type Run = RawDatabase['run'];

async function pastOnPostgres<T>(run: Run, work: () => Promise<T>): Promise<T> {
  await run("SET session_replication_role = 'replica'");
  try {
    return await work();
  } finally {
    await run("SET session_replication_role = 'origin'");
  }
}

async function pastOnSqlite<T>(run: Run, work: () => Promise<T>): Promise<T> {
  const triggers = (await run("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")) as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) await run(`DROP TRIGGER ${name}`);
  try {
    return await work();
  } finally {
    for (const one of triggers) await run(one.sql);
  }
}
