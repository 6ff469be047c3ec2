import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  'ALTER TABLE users ADD COLUMN access_by INTEGER',
  'ALTER TABLE users ADD COLUMN access_date INTEGER',
  'ALTER TABLE users ADD COLUMN address_before TEXT',
];

/** Who last changed how another person signs in, and the previous address of that person. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
