import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Whether an import downloads linked files. Earlier imports did not. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`ALTER TABLE archive_imports ADD COLUMN links TEXT NOT NULL DEFAULT 'leave' CHECK (links IN ('fetch', 'leave'))`.execute(
    db,
  );
}
