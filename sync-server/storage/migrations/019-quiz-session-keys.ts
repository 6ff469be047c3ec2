import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** By which call a device began a session: the feed tells it what its temporary id became. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`ALTER TABLE quiz_sessions ADD COLUMN key TEXT`.execute(db);
}
