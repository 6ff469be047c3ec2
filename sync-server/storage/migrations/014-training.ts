import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const modules = [
  `CREATE TABLE training_modules (
    moduleid INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, userid INTEGER NOT NULL REFERENCES users (userid),
    current_importid INTEGER, draft_importid INTEGER, created_date INTEGER NOT NULL, modified_date INTEGER NOT NULL)`,
  `CREATE TABLE training_imports (
    importid INTEGER PRIMARY KEY AUTOINCREMENT, moduleid INTEGER NOT NULL REFERENCES training_modules (moduleid),
    vendor_version_number INTEGER NOT NULL, status TEXT NOT NULL, jobid INTEGER, userid INTEGER NOT NULL REFERENCES users (userid),
    standard TEXT, title TEXT, package TEXT, error TEXT, init_date INTEGER NOT NULL, end_date INTEGER,
    UNIQUE (moduleid, vendor_version_number))`,
  `CREATE TABLE training_files (
    importid INTEGER NOT NULL REFERENCES training_imports (importid) ON DELETE CASCADE, path TEXT NOT NULL,
    number INTEGER NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (importid, path))`,
];

const play = [
  `CREATE TABLE training_registrations (
    registrationid INTEGER PRIMARY KEY AUTOINCREMENT, importid INTEGER NOT NULL REFERENCES training_imports (importid),
    userid INTEGER NOT NULL REFERENCES users (userid), preview INTEGER NOT NULL, uuid TEXT NOT NULL UNIQUE,
    completion TEXT NOT NULL, success TEXT NOT NULL, score REAL,
    init_date INTEGER NOT NULL, modified_date INTEGER NOT NULL, completed_date INTEGER,
    UNIQUE (importid, userid, preview))`,
  `CREATE TABLE training_activities (
    registrationid INTEGER NOT NULL REFERENCES training_registrations (registrationid) ON DELETE CASCADE,
    activityid TEXT NOT NULL, data TEXT NOT NULL, completion TEXT NOT NULL, success TEXT NOT NULL, score REAL,
    modified_date INTEGER NOT NULL, PRIMARY KEY (registrationid, activityid))`,
  `CREATE TABLE training_statements (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    registrationid INTEGER NOT NULL REFERENCES training_registrations (registrationid) ON DELETE CASCADE,
    statementid TEXT NOT NULL, body TEXT NOT NULL, stored_ms INTEGER NOT NULL, UNIQUE (registrationid, statementid))`,
  `CREATE TABLE training_documents (
    registrationid INTEGER NOT NULL REFERENCES training_registrations (registrationid) ON DELETE CASCADE,
    resource TEXT NOT NULL, activity TEXT NOT NULL, documentid TEXT NOT NULL, type TEXT NOT NULL, body BLOB NOT NULL,
    modified_date INTEGER NOT NULL, PRIMARY KEY (registrationid, resource, activity, documentid))`,
  `CREATE TABLE training_sessions (
    token_hash TEXT PRIMARY KEY NOT NULL, kind TEXT NOT NULL, importid INTEGER NOT NULL REFERENCES training_imports (importid),
    userid INTEGER NOT NULL REFERENCES users (userid), preview INTEGER NOT NULL, registrationid INTEGER
      REFERENCES training_registrations (registrationid) ON DELETE CASCADE, expires_date INTEGER NOT NULL)`,
];

const courses = [
  `CREATE TABLE courses (
    courseid INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, description TEXT NOT NULL,
    userid INTEGER NOT NULL REFERENCES users (userid), created_date INTEGER NOT NULL, modified_date INTEGER NOT NULL)`,
  `CREATE TABLE course_stages (
    course_stageid INTEGER PRIMARY KEY AUTOINCREMENT, courseid INTEGER NOT NULL REFERENCES courses (courseid) ON DELETE CASCADE,
    orderby INTEGER NOT NULL, title TEXT NOT NULL, doctype TEXT NOT NULL, docid INTEGER NOT NULL, passing_score INTEGER)`,
  `CREATE INDEX course_stages_course ON course_stages (courseid, orderby)`,
  `CREATE INDEX course_stages_document ON course_stages (doctype, docid)`,
  // The table is empty: nothing could write it before courses existed.
  `DROP TABLE course_assignments`,
  `CREATE TABLE course_assignments (
    course_assignmentid INTEGER PRIMARY KEY AUTOINCREMENT,
    courseid INTEGER NOT NULL REFERENCES courses (courseid) ON DELETE CASCADE,
    teamid INTEGER REFERENCES teams (teamid), userid INTEGER REFERENCES users (userid), due_date INTEGER,
    created_date INTEGER NOT NULL, CHECK ((teamid IS NULL) <> (userid IS NULL)))`,
  `CREATE UNIQUE INDEX course_assignments_team ON course_assignments (teamid, courseid)`,
  `CREATE UNIQUE INDEX course_assignments_user ON course_assignments (userid, courseid)`,
  `CREATE TABLE course_stage_completions (
    course_assignment_stage_completionid INTEGER PRIMARY KEY AUTOINCREMENT,
    course_stageid INTEGER NOT NULL REFERENCES course_stages (course_stageid) ON DELETE CASCADE,
    userid INTEGER NOT NULL REFERENCES users (userid), score REAL, date INTEGER NOT NULL, UNIQUE (course_stageid, userid))`,
  `CREATE TABLE course_completions (
    courseid INTEGER NOT NULL REFERENCES courses (courseid) ON DELETE CASCADE,
    userid INTEGER NOT NULL REFERENCES users (userid), date INTEGER NOT NULL, PRIMARY KEY (courseid, userid))`,
];

/** External training modules, people's activity in them, and courses. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of [...modules, ...play, ...courses]) await sql.raw(statement).execute(db);
}
