import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** The author of an imported guide on its original site, for archives that contain it. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`CREATE TABLE archived_authors (
    guideid INTEGER PRIMARY KEY NOT NULL REFERENCES guides (guideid), given_userid INTEGER NOT NULL,
    userid INTEGER NOT NULL, name TEXT NOT NULL)`.execute(db);
}
