import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  'ALTER TABLE users ADD COLUMN access_by INTEGER',
  'ALTER TABLE users ADD COLUMN access_date INTEGER',
  'ALTER TABLE users ADD COLUMN address_before TEXT',
];

/** The account that last changed how a person signs in, and that person's previous address. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
