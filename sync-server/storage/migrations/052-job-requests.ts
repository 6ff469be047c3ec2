import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** The request that queued a job, so that the log of the job names it. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql.raw('ALTER TABLE jobs ADD COLUMN request_id TEXT').execute(db);
}
