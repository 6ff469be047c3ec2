import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/**
 * Stores the ids that imported records of other sites got here, so that an import can continue and later ones can
 * update them.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`CREATE TABLE imported_ids (
    site TEXT NOT NULL, kind TEXT NOT NULL, source INTEGER NOT NULL, id INTEGER NOT NULL,
    PRIMARY KEY (site, kind, source))`.execute(db);
}
