import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Who wrote an imported guide on the site that it came from: archives of it say so again. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`CREATE TABLE archived_authors (
    guideid INTEGER PRIMARY KEY NOT NULL REFERENCES guides (guideid), given_userid INTEGER NOT NULL,
    userid INTEGER NOT NULL, name TEXT NOT NULL)`.execute(db);
}
