import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `CREATE TABLE mirror_sources (
    site TEXT PRIMARY KEY, ids TEXT NOT NULL, viewer TEXT NOT NULL, cursors TEXT NOT NULL,
    started_date INTEGER NOT NULL, finished_date INTEGER) WITHOUT ROWID`,
  `CREATE TABLE mirrored (
    site TEXT NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL, id INTEGER NOT NULL, seen TEXT NOT NULL,
    ours TEXT NOT NULL, PRIMARY KEY (site, kind, source)) WITHOUT ROWID`,
  `CREATE INDEX mirrored_id ON mirrored (kind, id)`,
];

/** Sites that were copied here, and their records: what they were like there and here when they were copied. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
