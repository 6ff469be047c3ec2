import { sql } from 'kysely';

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
 * Performs an id leap after a restore. Call it inside a write transaction. `feedSeq`: a seq that the feed must leap
 * beyond.
 *
 * - RESTORE-3 No number that devices may have seen is given out again: ids of all records, revisions, and seqs of the
 *   feed leap by a million. Checkpoints from before the backup stay valid, so that devices which saw nothing later
 *   continue without loading everything again.
 */
export async function leap(tx: Db, feedSeq = 0): Promise<void> {
  const { rows } = await sql<{ name: string; seq: number | null }>`
    SELECT sqlite_master.name AS name, sqlite_sequence.seq AS seq
    FROM sqlite_master LEFT JOIN sqlite_sequence ON sqlite_sequence.name = sqlite_master.name
    WHERE sqlite_master.type = 'table' AND sqlite_master.sql LIKE '%AUTOINCREMENT%'`.execute(tx);
  for (const { name, seq } of rows) {
    if (inner.includes(name)) continue;
    const next = Math.max(seq ?? 0, name === 'feed' ? feedSeq : 0) + leapSize;
    await (
      seq === null
        ? sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${name}, ${next})`
        : sql`UPDATE sqlite_sequence SET seq = ${next} WHERE name = ${name}`
    ).execute(tx);
  }
  for (const name of counted)
    await tx
      .insertInto('counters')
      .values({ name, value: leapSize })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ value: sql<number>`counters.value + ${leapSize}` }),
      )
      .execute();
  const { rows: sequences } = await sql<{ seq: number }>`
    SELECT seq FROM sqlite_sequence WHERE name = 'feed'`.execute(tx);
  await tx
    .insertInto('meta')
    .values({ name: leapName, value: String(sequences[0]?.seq ?? 0) })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .execute();
}

const leapName = 'leapt_to';

/** The seq of the last leap; 0: none. Seqs up to it that are not in the feed were lost before that leap. */
export async function leaptTo(db: Db): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', leapName).executeTakeFirst();
  return Number(row?.value ?? 0);
}
