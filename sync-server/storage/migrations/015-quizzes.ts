import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `CREATE TABLE quizzes (
    quizid INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, title_search TEXT NOT NULL, passing_score INTEGER NOT NULL,
    question_count INTEGER NOT NULL, quiz_revisionid INTEGER NOT NULL, userid INTEGER NOT NULL REFERENCES users (userid),
    created_date INTEGER NOT NULL, modified_date INTEGER NOT NULL, deleted INTEGER NOT NULL)`,
  `CREATE TABLE quiz_revisions (
    quiz_revisionid INTEGER PRIMARY KEY AUTOINCREMENT, quizid INTEGER NOT NULL REFERENCES quizzes (quizid),
    userid INTEGER NOT NULL REFERENCES users (userid), date INTEGER NOT NULL, survey TEXT NOT NULL)`,
  `CREATE INDEX quiz_revisions_quiz ON quiz_revisions (quizid)`,
  `CREATE TABLE quiz_associations (
    guideid INTEGER NOT NULL REFERENCES guides (guideid), quizid INTEGER NOT NULL REFERENCES quizzes (quizid),
    PRIMARY KEY (guideid, quizid))`,
  `CREATE INDEX quiz_associations_quiz ON quiz_associations (quizid)`,
  `CREATE TABLE guide_quiz_revisions (
    guide_revisionid INTEGER PRIMARY KEY NOT NULL, guideid INTEGER NOT NULL REFERENCES guides (guideid),
    quiz_revisionid INTEGER NOT NULL REFERENCES quiz_revisions (quiz_revisionid))`,
  `CREATE INDEX guide_quiz_revisions_quiz ON guide_quiz_revisions (quiz_revisionid)`,
  `CREATE TABLE quiz_sessions (
    sessionid INTEGER PRIMARY KEY AUTOINCREMENT, quizid INTEGER NOT NULL REFERENCES quizzes (quizid),
    quiz_revisionid INTEGER NOT NULL REFERENCES quiz_revisions (quiz_revisionid),
    userid INTEGER NOT NULL REFERENCES users (userid), status TEXT NOT NULL, response_json TEXT NOT NULL,
    guideid INTEGER, course_stageid INTEGER, start_date INTEGER NOT NULL, modified_date INTEGER NOT NULL, end_date INTEGER,
    score INTEGER, passing_score INTEGER NOT NULL, passed INTEGER)`,
  `CREATE UNIQUE INDEX quiz_sessions_open ON quiz_sessions (userid, quizid) WHERE status = 'in_progress'`,
  `CREATE INDEX quiz_sessions_quiz ON quiz_sessions (quizid)`,
];

/** Quizzes with their versions, guides and sessions. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
