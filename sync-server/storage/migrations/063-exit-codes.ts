import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** The hash of the code that ends station mode on a device, encrypted with the key of the server. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql.raw('ALTER TABLE stations ADD COLUMN exit_sealed TEXT').execute(db);
}
