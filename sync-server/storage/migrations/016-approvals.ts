import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `CREATE TABLE approval_processes (
    approval_processid INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, name_search TEXT NOT NULL,
    description TEXT NOT NULL, created_date INTEGER NOT NULL, modified_date INTEGER NOT NULL)`,
  `CREATE TABLE approval_stages (
    approval_stageid INTEGER PRIMARY KEY AUTOINCREMENT,
    approval_processid INTEGER NOT NULL REFERENCES approval_processes (approval_processid),
    orderby INTEGER NOT NULL, name TEXT NOT NULL, meaning TEXT NOT NULL CHECK (meaning IN ('approved', 'reviewed')),
    required_approvals INTEGER NOT NULL CHECK (required_approvals > 0), userids TEXT NOT NULL, teamids TEXT NOT NULL)`,
  `CREATE INDEX approval_stages_process ON approval_stages (approval_processid)`,
  `CREATE TABLE category_approvals (
    wikiid INTEGER PRIMARY KEY NOT NULL,
    approval_processid INTEGER NOT NULL REFERENCES approval_processes (approval_processid))`,
  `CREATE TABLE guide_approvals (
    guideid INTEGER PRIMARY KEY NOT NULL REFERENCES guides (guideid),
    approval_processid INTEGER NOT NULL REFERENCES approval_processes (approval_processid))`,
  `CREATE TABLE approval_requests (
    approval_requestid INTEGER PRIMARY KEY AUTOINCREMENT,
    approval_processid INTEGER NOT NULL REFERENCES approval_processes (approval_processid),
    guideid INTEGER NOT NULL REFERENCES guides (guideid), langid TEXT NOT NULL,
    purpose TEXT NOT NULL CHECK (purpose IN ('publish', 'release')),
    revisionid INTEGER NOT NULL, guide_revisionid INTEGER NOT NULL, revision_hash TEXT NOT NULL, prerequisites TEXT NOT NULL,
    stages TEXT NOT NULL,
    userid INTEGER NOT NULL REFERENCES users (userid),
    status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'void')),
    init_date INTEGER NOT NULL, end_date INTEGER, reason TEXT, published_guide_revisionid INTEGER, releaseid INTEGER,
    CHECK ((status = 'pending') = (end_date IS NULL)))`,
  `CREATE UNIQUE INDEX approval_requests_open ON approval_requests (guideid) WHERE status = 'pending'`,
  `CREATE INDEX approval_requests_guide ON approval_requests (guideid)`,
  `CREATE INDEX approval_requests_process ON approval_requests (approval_processid)`,
  `CREATE TABLE approval_signatures (
    approval_signatureid INTEGER PRIMARY KEY AUTOINCREMENT,
    approval_requestid INTEGER NOT NULL REFERENCES approval_requests (approval_requestid),
    approval_stageid INTEGER NOT NULL, userid INTEGER NOT NULL REFERENCES users (userid), name TEXT NOT NULL,
    meaning TEXT NOT NULL CHECK (meaning IN ('approved', 'rejected', 'reviewed')), comment TEXT NOT NULL,
    method TEXT NOT NULL CHECK (method IN ('password', 'token')), revision_hash TEXT NOT NULL, date INTEGER NOT NULL,
    CHECK (meaning <> 'rejected' OR comment <> ''),
    UNIQUE (approval_requestid, approval_stageid, userid))`,
  `CREATE INDEX approval_signatures_person ON approval_signatures (userid)`,
  `CREATE TRIGGER approval_signatures_stay_as_they_are BEFORE UPDATE ON approval_signatures
    BEGIN SELECT RAISE(ABORT, 'A signature is never changed'); END`,
  `CREATE TRIGGER approval_signatures_stay BEFORE DELETE ON approval_signatures
    BEGIN SELECT RAISE(ABORT, 'A signature is never deleted'); END`,
  `CREATE TRIGGER approval_requests_stay_signed BEFORE UPDATE OF
    approval_requestid, guideid, purpose, revisionid, guide_revisionid, revision_hash, prerequisites, stages, userid, init_date
    ON approval_requests
    BEGIN SELECT RAISE(ABORT, 'What a request is about is never changed'); END`,
  `ALTER TABLE guide_releases ADD COLUMN status TEXT NOT NULL DEFAULT 'released' CHECK (status IN ('pending', 'released'))`,
];

/** Approval processes, requests and signatures. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
