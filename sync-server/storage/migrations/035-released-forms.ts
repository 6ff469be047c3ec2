import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Releases record the forms of the steps. NULL: released before that. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql.raw('ALTER TABLE guide_releases ADD COLUMN forms TEXT').execute(db);
}
