import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Deviations by what lists and work orders ask for. Their documents have everything else. */
export async function up(db: Kysely<Tables>): Promise<void> {
  const statements = [
    `CREATE TABLE deviations (deviationid INTEGER PRIMARY KEY AUTOINCREMENT,
       entryid INTEGER NOT NULL REFERENCES work_log (entryid) ON DELETE CASCADE,
       guideid INTEGER NOT NULL, workorderid TEXT NOT NULL, field_guid TEXT,
       decided INTEGER NOT NULL CHECK (decided IN (0, 1)))`,
    'CREATE INDEX deviations_of_entry ON deviations (entryid)',
    'CREATE INDEX deviations_of_guide ON deviations (guideid)',
    'CREATE INDEX deviations_of_order ON deviations (workorderid)',
    'CREATE INDEX open_deviations ON deviations (deviationid) WHERE decided = 0',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
