import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `CREATE TABLE sign_ins (
    sign_inid TEXT PRIMARY KEY NOT NULL, request_id TEXT NOT NULL UNIQUE, challenge TEXT NOT NULL, return_to TEXT,
    subject TEXT NOT NULL, created_date INTEGER NOT NULL, expires_date INTEGER NOT NULL,
    code_hash TEXT UNIQUE, asserted TEXT, is_over INTEGER NOT NULL DEFAULT 0 CHECK (is_over IN (0, 1)),
    CHECK ((code_hash IS NULL) = (asserted IS NULL)))`,
  `CREATE INDEX sign_ins_subject ON sign_ins (subject, created_date)`,
];

/** Requests to the identity provider for signing in, before the person is known. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
