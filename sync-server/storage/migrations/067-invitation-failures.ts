import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Why the mail with an invitation could not be sent. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql.raw('ALTER TABLE password_resets ADD COLUMN failure TEXT').execute(db);
}
