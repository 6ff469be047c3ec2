import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** The titles of imported comments: what they commented was called so when they were written. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql.raw('ALTER TABLE comments ADD COLUMN title TEXT').execute(db);
}
