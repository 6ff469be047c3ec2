import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const refusal = 'The audit log can only be added to';

const statements = [
  `CREATE TABLE audit_log (
    seq INTEGER PRIMARY KEY NOT NULL, at INTEGER NOT NULL, userid INTEGER, name TEXT NOT NULL, impersonator INTEGER,
    action TEXT NOT NULL, outcome TEXT NOT NULL CHECK (outcome IN ('done', 'refused')),
    object TEXT NOT NULL, object_id TEXT NOT NULL, revision_before INTEGER, revision_after INTEGER,
    address TEXT NOT NULL, changes TEXT NOT NULL, prev_hash TEXT NOT NULL, hash TEXT NOT NULL)`,
  `CREATE INDEX audit_log_user ON audit_log (userid)`,
  `CREATE INDEX audit_log_object ON audit_log (object, object_id)`,
  `CREATE TRIGGER audit_log_update BEFORE UPDATE ON audit_log BEGIN SELECT RAISE(ABORT, '${refusal}'); END`,
  `CREATE TRIGGER audit_log_delete BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, '${refusal}'); END`,
  // INSERT OR REPLACE removes a row without a trigger for DELETE.
  `CREATE TRIGGER audit_log_insert BEFORE INSERT ON audit_log
    WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM audit_log)
    BEGIN SELECT RAISE(ABORT, '${refusal}'); END`,
];

/** The audit log: rows in a chain of hashes. Triggers refuse changes and deletions. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
