import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** The key of the call that began a quiz session, so that the feed can report the real id to the device. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`ALTER TABLE quiz_sessions ADD COLUMN key TEXT`.execute(db);
}
