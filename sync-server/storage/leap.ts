import { sql } from 'kysely';

import type { Db } from './tables.ts';

/**
 * How far numbers leap: more than a server gives out between a backup and its restore, and little enough for two
 * thousand restores before a number needs more than 31 bits.
 */
export const leapSize = 1_000_000;

/** Numbers that never leave the server. */
const inner = ['audiences'];

const counted = ['revision', 'guide_revision', 'form_revision', 'field_revision', 'handoff'];

/**
 * Lets every number that devices may have seen leap, so that none is given out again that was given out after the
 * backup which this database came from: ids of all records, revisions, and places of the feed, which leap beyond
 * `feedSeq` at least. Call inside a write transaction.
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
  const { rows: places } = await sql<{ seq: number }>`
    SELECT seq FROM sqlite_sequence WHERE name = 'feed'`.execute(tx);
  await tx
    .insertInto('meta')
    .values({ name: leapName, value: String(places[0]?.seq ?? 0) })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .execute();
}

const leapName = 'leapt_to';

/** The place of the feed that was leapt to last: places up to it that are not in the feed were lost before. 0: never. */
export async function leaptTo(db: Db): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', leapName).executeTakeFirst();
  return Number(row?.value ?? 0);
}
