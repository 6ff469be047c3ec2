import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Planned orders that follow up a deviation. A deviation has at most one that is not withdrawn. */
export async function up(db: Kysely<Tables>): Promise<void> {
  const statements = [
    `ALTER TABLE planned_orders ADD COLUMN deviationid INTEGER
       REFERENCES deviations (deviationid) ON DELETE SET NULL`,
    `CREATE UNIQUE INDEX follow_up_of_deviation ON planned_orders (deviationid)
       WHERE deviationid IS NOT NULL AND status <> 'withdrawn'`,
    `CREATE INDEX planned_orders_of_deviation ON planned_orders (deviationid) WHERE deviationid IS NOT NULL`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
