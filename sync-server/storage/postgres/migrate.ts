import { sql, type Kysely } from 'kysely';

import { BadSetting } from '#server/platform/config.ts';

import type { Watched } from '../audit/watched.ts';
import { migrateOnPostgres, schemaVersion, type RandomBytes } from '../migrations/index.ts';
import { mustNotHaveMoved } from '../move/marks.ts';
import type { Db, Tables } from '../tables.ts';
import { migrationLock, moveLock, writeLock } from './locks.ts';
import { storeNumberTriggers } from './number-triggers.ts';
import { indexes } from './schema/indexes.ts';
import { tables } from './schema/tables.ts';
import { triggerStatements } from './schema/triggers.ts';
import { collectChanges, readWatched, storeTriggers, writingConnection } from './watcher.ts';

/**
 * Migrates the database to the newest schema. A new one gets the tables of `baseVersion`, and then the later
 * migrations. `found`: the previous version; 0: the database was empty.
 *
 * - POSTGRES-13 Nodes of an older version go on while a newer one migrates the database, if they may run on the result: they
 *   wait with their writes, and a new start of theirs leaves the newer triggers as they are.
 *
 * @throws Error if the database was written by a newer Benchbook that this code cannot read
 * @throws BadSetting if the site has moved, or is moving
 */
export async function migratePostgres(db: Kysely<Tables>, randomBytes: RandomBytes): Promise<Migrated> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql
      .raw<{ free: boolean }>(`SELECT pg_try_advisory_xact_lock_shared(${moveLock}) AS free`)
      .execute(tx);
    if (rows[0]?.free !== true)
      throw new BadSetting('"benchbook move" is working on the database. Wait until it is done.');
    await mustNotHaveMoved(tx);
    return migrateWithin(tx, randomBytes);
  });
}

interface Migrated {
  found: number;
  watched: Watched[];
}

/** `migratePostgres` in the caller's transaction, also of a database that has moved. */
export async function migrateWithin(tx: Kysely<Tables>, randomBytes: RandomBytes): Promise<Migrated> {
  // A migration may compute between its statements for longer than a write may.
  await sql.raw(`SET LOCAL idle_in_transaction_session_timeout = '10min'`).execute(tx);
  await sql.raw(`SELECT pg_advisory_xact_lock(${migrationLock})`).execute(tx);
  await sql.raw(`SELECT pg_advisory_xact_lock(${writeLock})`).execute(tx);
  // What migrations change is not in the audit log, only the migration itself.
  await sql.raw(writingConnection).execute(tx);
  await sql.raw(collectChanges).execute(tx);
  const isNew = !(await hasTables(tx));
  if (isNew) await makeTables(tx);
  const found = await migrateOnPostgres(tx, isNew, randomBytes);
  await storeNumberTriggers(tx);
  const watched = await readWatched(tx);
  if (!(await isNewer(tx))) await storeTriggers(tx, watched);
  return { found: isNew ? 0 : found, watched };
}

async function hasTables(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`SELECT to_regclass('meta') IS NOT NULL AS found`.execute(tx);
  return rows[0]?.found === true;
}

/** Whether a newer version migrated the database. */
async function isNewer(tx: Db): Promise<boolean> {
  const row = await tx
    .selectFrom('meta')
    .select('value')
    .where('name', '=', 'schema_version')
    .executeTakeFirst();
  return Number(row?.value ?? 0) > schemaVersion;
}

async function makeTables(tx: Db): Promise<void> {
  for (const text of [tables, indexes, ...triggerStatements]) await sql.raw(text).execute(tx);
}
