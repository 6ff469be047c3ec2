import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Shift summaries by what lists ask for. Their documents have everything else. They never change. */
export async function up(db: Kysely<Tables>): Promise<void> {
  const statements = [
    `CREATE TABLE shift_summaries (shift_summaryid INTEGER PRIMARY KEY AUTOINCREMENT,
       teamid INTEGER NOT NULL, from_date INTEGER NOT NULL, to_date INTEGER NOT NULL,
       sha256 TEXT NOT NULL, CHECK (from_date < to_date))`,
    'CREATE INDEX shift_summaries_of_team ON shift_summaries (teamid)',
    `CREATE TRIGGER frozen_shift_summaries BEFORE UPDATE ON shift_summaries
       BEGIN SELECT RAISE(ABORT, 'A shift summary never changes'); END`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
