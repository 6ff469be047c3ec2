import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/**
 * Planned orders by the release that they name, and entries of the work log by when they were started and whether required
 * fields had no value at the end (`gaps`), which existing entries have in their documents.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  const statements = [
    'ALTER TABLE planned_orders ADD COLUMN releaseid INTEGER REFERENCES guide_releases (releaseid)',
    'CREATE INDEX planned_orders_of_release ON planned_orders (releaseid) WHERE releaseid IS NOT NULL',
    'ALTER TABLE work_log ADD COLUMN gaps INTEGER NOT NULL DEFAULT 0',
    'CREATE INDEX work_log_start ON work_log (starttime)',
    `UPDATE work_log SET gaps = (
       SELECT count(*) FROM documents, json_each(documents.body, '$.events') AS event,
         json_each(event.value, '$.gaps')
       WHERE documents.collection = 'workLog' AND documents.id = CAST(work_log.entryid AS TEXT))`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
