import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `CREATE TABLE counters (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL)`,
  `CREATE TABLE audiences (audience INTEGER PRIMARY KEY AUTOINCREMENT, principals TEXT NOT NULL UNIQUE)`,
  `CREATE TABLE documents (
    collection TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL, audience INTEGER NOT NULL REFERENCES audiences (audience),
    body TEXT NOT NULL, PRIMARY KEY (collection, id))`,
  `CREATE UNIQUE INDEX documents_seq ON documents (seq)`,
  `CREATE INDEX documents_audience ON documents (audience)`,
  `CREATE TABLE feed (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, nonce TEXT NOT NULL, collection TEXT NOT NULL, id TEXT NOT NULL,
    key TEXT, userid INTEGER, audience_before INTEGER NOT NULL, audience_after INTEGER NOT NULL, detail TEXT)`,
  `CREATE INDEX feed_key ON feed (userid, key) WHERE key IS NOT NULL`,
  `CREATE TABLE idempotency (
    userid INTEGER NOT NULL, key TEXT NOT NULL, request_hash TEXT NOT NULL, status INTEGER NOT NULL, kind TEXT, id TEXT,
    created_date INTEGER NOT NULL, PRIMARY KEY (userid, key))`,
  `CREATE INDEX idempotency_date ON idempotency (created_date)`,
  `CREATE TABLE temporary_ids (userid INTEGER NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (userid, key))`,
  `CREATE TABLE users (
    userid INTEGER PRIMARY KEY AUTOINCREMENT, username TEXT NOT NULL, unique_username TEXT UNIQUE, email TEXT UNIQUE,
    password_hash TEXT, privileges TEXT NOT NULL, join_date INTEGER NOT NULL, reputation INTEGER NOT NULL, image TEXT,
    summary TEXT, about_raw TEXT NOT NULL, location TEXT, latitude REAL, longitude REAL, langid TEXT NOT NULL,
    enabled INTEGER NOT NULL)`,
  `CREATE TABLE tokens (
    token_hash TEXT PRIMARY KEY NOT NULL, userid INTEGER NOT NULL REFERENCES users (userid), device TEXT NOT NULL,
    created_date INTEGER NOT NULL, used_date INTEGER NOT NULL, expires_date INTEGER NOT NULL)`,
  `CREATE INDEX tokens_user ON tokens (userid, used_date)`,
  `CREATE TABLE login_attempts (subject TEXT PRIMARY KEY NOT NULL, failures INTEGER NOT NULL, last_date INTEGER NOT NULL)`,
  `CREATE TABLE teams (
    teamid INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, description TEXT NOT NULL, owner INTEGER, join_code TEXT,
    created_date INTEGER NOT NULL)`,
  `CREATE TABLE team_members (
    teamid INTEGER NOT NULL REFERENCES teams (teamid), userid INTEGER NOT NULL REFERENCES users (userid),
    joined_date INTEGER NOT NULL, PRIMARY KEY (teamid, userid))`,
  `CREATE INDEX team_members_user ON team_members (userid)`,
  `CREATE TABLE guides (
    guideid INTEGER PRIMARY KEY AUTOINCREMENT, revisionid INTEGER NOT NULL, guide_revisionid INTEGER NOT NULL,
    userid INTEGER NOT NULL REFERENCES users (userid), public INTEGER NOT NULL, deleted INTEGER NOT NULL,
    featured INTEGER NOT NULL, category TEXT NOT NULL, type TEXT NOT NULL, title TEXT NOT NULL, langid TEXT NOT NULL,
    created_date INTEGER NOT NULL, modified_date INTEGER NOT NULL)`,
  `CREATE INDEX guides_category ON guides (category)`,
  `CREATE INDEX guides_user ON guides (userid)`,
  `CREATE INDEX guides_modified ON guides (modified_date)`,
  `CREATE TABLE guide_revisions (
    guideid INTEGER NOT NULL, guide_revisionid INTEGER NOT NULL, revisionid INTEGER NOT NULL, userid INTEGER NOT NULL,
    date INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (guideid, guide_revisionid))`,
  `CREATE INDEX guide_revisions_user ON guide_revisions (userid, guideid)`,
  `CREATE TABLE steps (stepid INTEGER PRIMARY KEY AUTOINCREMENT, guideid INTEGER NOT NULL, deleted INTEGER NOT NULL)`,
  `CREATE INDEX steps_guide ON steps (guideid)`,
  `CREATE TABLE lines (lineid INTEGER PRIMARY KEY AUTOINCREMENT, stepid INTEGER NOT NULL)`,
  `CREATE TABLE guide_prerequisites (guideid INTEGER NOT NULL, prerequisiteid INTEGER NOT NULL, PRIMARY KEY (guideid, prerequisiteid))`,
  `CREATE INDEX guide_prerequisites_reverse ON guide_prerequisites (prerequisiteid)`,
  `CREATE TABLE favorites (userid INTEGER NOT NULL, guideid INTEGER NOT NULL, date INTEGER NOT NULL, PRIMARY KEY (userid, guideid))`,
  `CREATE TABLE completions (userid INTEGER NOT NULL, guideid INTEGER NOT NULL, date INTEGER NOT NULL, PRIMARY KEY (userid, guideid))`,
  `CREATE TABLE tags (tagid INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE)`,
  `CREATE TABLE guide_tags (guideid INTEGER NOT NULL, tagid INTEGER NOT NULL REFERENCES tags (tagid), PRIMARY KEY (guideid, tagid))`,
  `CREATE TABLE wiki_tags (wikiid INTEGER NOT NULL, tagid INTEGER NOT NULL REFERENCES tags (tagid), PRIMARY KEY (wikiid, tagid))`,
  `CREATE TABLE wikis (
    wikiid INTEGER PRIMARY KEY AUTOINCREMENT, namespace TEXT NOT NULL, title TEXT NOT NULL, langid TEXT NOT NULL,
    revisionid INTEGER NOT NULL, parent TEXT, deleted INTEGER NOT NULL, modified_date INTEGER NOT NULL,
    UNIQUE (namespace, title, langid))`,
  `CREATE TABLE wiki_revisions (
    revisionid INTEGER PRIMARY KEY NOT NULL, wikiid INTEGER NOT NULL, userid INTEGER NOT NULL, date INTEGER NOT NULL, body TEXT NOT NULL)`,
  `CREATE INDEX wiki_revisions_wiki ON wiki_revisions (wikiid)`,
  `CREATE TABLE step_forms (stepid INTEGER PRIMARY KEY NOT NULL, guideid INTEGER NOT NULL, form_revisionid INTEGER NOT NULL)`,
  `CREATE INDEX step_forms_guide ON step_forms (guideid)`,
  `CREATE TABLE step_form_revisions (
    form_revisionid INTEGER PRIMARY KEY NOT NULL, stepid INTEGER NOT NULL, guideid INTEGER NOT NULL, userid INTEGER NOT NULL,
    date INTEGER NOT NULL, body TEXT NOT NULL)`,
  `CREATE INDEX step_form_revisions_step ON step_form_revisions (stepid)`,
  `CREATE TABLE step_form_fields (
    field_revisionid INTEGER PRIMARY KEY NOT NULL, field_guid TEXT NOT NULL, stepid INTEGER NOT NULL,
    form_revisionid INTEGER NOT NULL, body TEXT NOT NULL)`,
  `CREATE TABLE work_log (
    entryid INTEGER PRIMARY KEY AUTOINCREMENT, guideid INTEGER NOT NULL, userid INTEGER NOT NULL, workorderid TEXT NOT NULL,
    status TEXT NOT NULL, starttime INTEGER NOT NULL, endtime INTEGER)`,
  `CREATE INDEX work_log_guide ON work_log (guideid, status)`,
  `CREATE INDEX work_log_user ON work_log (userid)`,
  `CREATE INDEX work_log_order ON work_log (workorderid)`,
  `CREATE TABLE comments (
    commentid INTEGER PRIMARY KEY AUTOINCREMENT, context TEXT NOT NULL, contextid INTEGER NOT NULL, guideid INTEGER,
    parentid INTEGER, userid INTEGER NOT NULL, langid TEXT, text_raw TEXT NOT NULL, date INTEGER NOT NULL,
    modified_date INTEGER NOT NULL, replied_date INTEGER NOT NULL, rating INTEGER NOT NULL, status TEXT NOT NULL,
    status_reason TEXT, key TEXT)`,
  `CREATE INDEX comments_context ON comments (context, contextid)`,
  `CREATE TABLE images (
    imageid INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT NOT NULL UNIQUE, userid INTEGER NOT NULL, filename TEXT NOT NULL,
    width INTEGER NOT NULL, height INTEGER NOT NULL, size INTEGER NOT NULL, sha256 TEXT, format TEXT NOT NULL, markup TEXT,
    srcid INTEGER, exif TEXT NOT NULL, drawing TEXT, created_date INTEGER NOT NULL)`,
  `CREATE TABLE document_files (
    documentid INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT NOT NULL UNIQUE, userid INTEGER NOT NULL, filename TEXT NOT NULL,
    title TEXT NOT NULL, size INTEGER NOT NULL, sha256 TEXT, created_date INTEGER NOT NULL)`,
  `CREATE TABLE video_files (
    videoid INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT NOT NULL UNIQUE, userid INTEGER NOT NULL, filename TEXT NOT NULL,
    size INTEGER NOT NULL, sha256 TEXT NOT NULL, mime TEXT NOT NULL, created_date INTEGER NOT NULL)`,
  `CREATE TABLE media_manager (
    userid INTEGER NOT NULL, kind TEXT NOT NULL, id INTEGER NOT NULL, date INTEGER NOT NULL, PRIMARY KEY (userid, kind, id))`,
];

/** The first schema. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
