import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  'ALTER TABLE training_sessions ADD COLUMN session_token TEXT REFERENCES tokens (token_hash) ON DELETE CASCADE',
  'CREATE INDEX training_sessions_session ON training_sessions (session_token)',
];

/** A player of a training module ends with the session that opened it. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
