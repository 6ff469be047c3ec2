import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `ALTER TABLE approval_requests ADD COLUMN forms TEXT`,
  `DROP TRIGGER approval_requests_stay_signed`,
  `CREATE TRIGGER approval_requests_stay_signed BEFORE UPDATE OF
    approval_requestid, guideid, purpose, revisionid, guide_revisionid, revision_hash, prerequisites, forms, stages, userid,
    init_date ON approval_requests
    BEGIN SELECT RAISE(ABORT, 'What a request is about is never changed'); END`,
];

/**
 * Requests record the forms of the steps, which are signed too. NULL: requested before that, so the hash does not
 * include them.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
