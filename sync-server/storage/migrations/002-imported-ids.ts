import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Remembers under which id something of another site came here, so that an import can go on and later ones follow. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`CREATE TABLE imported_ids (
    site TEXT NOT NULL, kind TEXT NOT NULL, source INTEGER NOT NULL, id INTEGER NOT NULL,
    PRIMARY KEY (site, kind, source))`.execute(db);
}
