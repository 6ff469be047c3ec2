import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Comments may be feedback on a step: their reason, and who closed them. */
export async function up(db: Kysely<Tables>): Promise<void> {
  const statements = [
    'ALTER TABLE comments ADD COLUMN feedback_reason TEXT',
    'ALTER TABLE comments ADD COLUMN feedback_done_by INTEGER REFERENCES users (userid)',
    'ALTER TABLE comments ADD COLUMN feedback_done_date INTEGER',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
