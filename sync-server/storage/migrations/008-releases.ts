import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `CREATE TABLE guide_releases (
    releaseid INTEGER PRIMARY KEY AUTOINCREMENT, guideid INTEGER NOT NULL REFERENCES guides (guideid),
    guide_revisionid INTEGER NOT NULL, revisionid INTEGER NOT NULL, langid TEXT NOT NULL, userid INTEGER NOT NULL,
    title TEXT NOT NULL, type TEXT NOT NULL, notes TEXT NOT NULL, release_date INTEGER NOT NULL,
    UNIQUE (guideid, guide_revisionid))`,
];

/** Releases of guides. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
