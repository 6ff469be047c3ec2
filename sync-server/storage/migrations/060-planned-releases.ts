import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Planned orders by the release that they name. */
export async function up(db: Kysely<Tables>): Promise<void> {
  const statements = [
    'ALTER TABLE planned_orders ADD COLUMN releaseid INTEGER REFERENCES guide_releases (releaseid)',
    'CREATE INDEX planned_orders_of_release ON planned_orders (releaseid) WHERE releaseid IS NOT NULL',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
