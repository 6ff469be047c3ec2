import { sql } from 'kysely';

import { isPostgres } from './dialect.ts';
import type { Db } from './tables.ts';

/**
 * The size of an id leap: more numbers than a server gives out between a backup and its restore, and few enough for two
 * thousand restores before a number needs more than 31 bits.
 */
export const leapSize = 1_000_000;

/** Tables whose numbers are never sent to devices. */
const inner = ['audiences'];

/** Counters that leap. */
const counted = ['revision', 'guide_revision', 'form_revision', 'field_revision', 'handoff'];

/**
 * Performs an id leap after a restore. Call it inside a write transaction. `feedSeq`: a seq that was given out before the
 * restore. It may come from an earlier restore of the same backup, so all numbers leap further by what the feed lacks.
 *
 * - RESTORE-3 No number that devices may have seen is given out again: ids of all records, revisions, and seqs of the
 *   feed leap by a million, beyond those of earlier restores. Checkpoints from before the backup stay valid, so that
 *   devices which saw nothing later continue without loading everything again.
 */
export async function leap(tx: Db, feedSeq = 0): Promise<void> {
  const distance = leapSize + Math.max(0, feedSeq - (await lastFeedNumber(tx)));
  if (isPostgres(tx)) await leapSequences(tx, distance);
  else await leapAutoincrement(tx, distance);
  for (const name of counted)
    await tx
      .insertInto('counters')
      .values({ name, value: distance })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ value: sql<number>`counters.value + ${distance}` }),
      )
      .execute();
  const reached = await lastFeedNumber(tx);
  await tx
    .insertInto('meta')
    .values({ name: leapName, value: String(reached) })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .execute();
}

async function leapAutoincrement(tx: Db, distance: number): Promise<void> {
  const { rows } = await sql<{ name: string; seq: number | null }>`
    SELECT sqlite_master.name AS name, sqlite_sequence.seq AS seq
    FROM sqlite_master LEFT JOIN sqlite_sequence ON sqlite_sequence.name = sqlite_master.name
    WHERE sqlite_master.type = 'table' AND sqlite_master.sql LIKE '%AUTOINCREMENT%'`.execute(tx);
  for (const { name, seq } of rows) {
    if (inner.includes(name)) continue;
    const next = (seq ?? 0) + distance;
    await (
      seq === null
        ? sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${name}, ${next})`
        : sql`UPDATE sqlite_sequence SET seq = ${next} WHERE name = ${name}`
    ).execute(tx);
  }
}

async function leapSequences(tx: Db, distance: number): Promise<void> {
  const { rows } = await sql<{ name: string; sequence: string; seq: number }>`
    SELECT name, sequence, coalesce(pg_sequence_last_value(sequence::regclass), 0) AS seq FROM (
      SELECT table_name AS name, pg_get_serial_sequence(table_name, column_name) AS sequence
      FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'
    ) AS sequences`.execute(tx);
  for (const { name, sequence, seq } of rows) {
    if (inner.includes(name)) continue;
    await sql`SELECT setval(${sequence}::regclass, ${seq + distance}::bigint)`.execute(tx);
  }
}

/** The highest number that the feed has given out, or leapt to. */
async function lastFeedNumber(tx: Db): Promise<number> {
  const { rows } = await (
    isPostgres(tx)
      ? sql<{
          seq: number | null;
        }>`SELECT pg_sequence_last_value(pg_get_serial_sequence('feed', 'seq')::regclass) AS seq`
      : sql<{ seq: number | null }>`SELECT seq FROM sqlite_sequence WHERE name = 'feed'`
  ).execute(tx);
  return rows[0]?.seq ?? 0;
}

const leapName = 'leapt_to';

/** The seq of the last leap; 0: none. Seqs up to it that are not in the feed were lost before that leap. */
export async function leaptTo(db: Db): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', leapName).executeTakeFirst();
  return Number(row?.value ?? 0);
}
