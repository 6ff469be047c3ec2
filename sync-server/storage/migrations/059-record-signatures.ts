import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Signatures of records of work orders. An order whose record is signed cannot be deleted. */
export async function up(db: Kysely<Tables>): Promise<void> {
  const statements = [
    `CREATE TABLE record_signatures (
       record_signatureid INTEGER PRIMARY KEY AUTOINCREMENT,
       entryid INTEGER NOT NULL REFERENCES work_log (entryid),
       userid INTEGER NOT NULL REFERENCES users (userid), name TEXT NOT NULL,
       meaning TEXT NOT NULL CHECK (meaning IN ('performed', 'reviewed', 'released')), comment TEXT NOT NULL,
       method TEXT NOT NULL CHECK (method IN ('password', 'token')), sha256 TEXT NOT NULL, date INTEGER NOT NULL,
       UNIQUE (entryid, userid, meaning))`,
    'CREATE INDEX record_signatures_person ON record_signatures (userid)',
    `CREATE TRIGGER record_signatures_stay_as_they_are BEFORE UPDATE ON record_signatures
       BEGIN SELECT RAISE(ABORT, 'A signature is never changed'); END`,
    `CREATE TRIGGER record_signatures_stay BEFORE DELETE ON record_signatures
       BEGIN SELECT RAISE(ABORT, 'A signature is never deleted'); END`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
