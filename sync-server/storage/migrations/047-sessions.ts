import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  // Sessions that act as another person now belong to the administrator's own session.
  'DELETE FROM tokens WHERE impersonator IS NOT NULL',
  'ALTER TABLE tokens ADD COLUMN sessionid TEXT',
  "ALTER TABLE tokens ADD COLUMN address TEXT NOT NULL DEFAULT ''",
  'ALTER TABLE tokens ADD COLUMN impersonator_token TEXT REFERENCES tokens (token_hash) ON DELETE CASCADE',
  'UPDATE tokens SET sessionid = lower(hex(randomblob(16)))',
  'CREATE UNIQUE INDEX tokens_session ON tokens (sessionid)',
  'CREATE INDEX tokens_impersonator ON tokens (impersonator_token)',
  'ALTER TABLE users ADD COLUMN password_is_own INTEGER NOT NULL DEFAULT 1 CHECK (password_is_own IN (0, 1))',
  'ALTER TABLE jobs ADD COLUMN impersonator INTEGER',
];

/** Sessions that people can see and end, passwords that another person set, and impersonation in jobs. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
