import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `CREATE TABLE jobs (
    jobid INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, userid INTEGER, subject TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
    runner TEXT NOT NULL, starts INTEGER NOT NULL, cancelling INTEGER NOT NULL, input TEXT NOT NULL, cursor TEXT,
    progress TEXT, result TEXT, error TEXT, created_date INTEGER NOT NULL, finished_date INTEGER)`,
  `CREATE INDEX jobs_state ON jobs (state, jobid)`,
  `CREATE INDEX jobs_user ON jobs (userid, kind, jobid)`,
  `CREATE INDEX jobs_subject ON jobs (kind, subject, jobid)`,
  `CREATE TABLE archive_imports (
    importid INTEGER PRIMARY KEY AUTOINCREMENT, userid INTEGER NOT NULL, existing TEXT NOT NULL, author TEXT NOT NULL,
    visibility TEXT NOT NULL, dry_run INTEGER NOT NULL, url TEXT, filename TEXT NOT NULL, size INTEGER NOT NULL,
    received INTEGER NOT NULL, sha256 TEXT, base TEXT, jobid INTEGER REFERENCES jobs (jobid),
    undo_jobid INTEGER REFERENCES jobs (jobid), created_date INTEGER NOT NULL)`,
  `CREATE INDEX archive_imports_user ON archive_imports (userid, importid)`,
  `CREATE TABLE import_effects (
    importid INTEGER NOT NULL REFERENCES archive_imports (importid), ordinal INTEGER NOT NULL, member TEXT NOT NULL, kind TEXT NOT NULL,
    id INTEGER NOT NULL, action TEXT NOT NULL CHECK (action IN ('created', 'changed', 'skipped')),
    revision_before INTEGER, revision_after INTEGER, undone TEXT, PRIMARY KEY (importid, ordinal))`,
  `CREATE INDEX import_effects_of ON import_effects (kind, id)`,
  `CREATE TABLE archives (
    archiveid INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, title TEXT NOT NULL, category TEXT,
    userid INTEGER, content TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL, guides INTEGER NOT NULL,
    created_date INTEGER NOT NULL, current INTEGER NOT NULL, expires_date INTEGER)`,
  `CREATE INDEX archives_name ON archives (name, current)`,
  `CREATE TABLE archive_guides (
    archiveid INTEGER NOT NULL REFERENCES archives (archiveid) ON DELETE CASCADE, guideid INTEGER NOT NULL,
    PRIMARY KEY (archiveid, guideid))`,
];

/** Jobs, effects of archive imports, and archives that the server made. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
