import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** A link for setting a password can also set the e-mail address that it was sent to. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql.raw('ALTER TABLE password_resets ADD COLUMN email TEXT').execute(db);
}
