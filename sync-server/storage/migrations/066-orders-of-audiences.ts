import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Reports of leads read the orders of their teams by an index, which contains all columns. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`CREATE INDEX finished_orders_of_audience
    ON finished_orders (audience, ended, guideid, userid, active, missing)`.execute(db);
}
