import type { Selectable } from 'kysely';

import { notFound } from '#shared/api/problem.ts';
import { surveyAnswers, type QuizSession, type SurveyJson } from '#shared/model/quiz.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { findSurvey } from './quiz-rows.ts';

/** A stored session with the title of its quiz and the name of its person. */
export type SessionRow = Selectable<Tables['quiz_sessions']> & { title: string; username: string };

/** All sessions. */
export function selectSessions(db: Db) {
  return db
    .selectFrom('quiz_sessions')
    .innerJoin('quizzes', 'quizzes.quizid', 'quiz_sessions.quizid')
    .innerJoin('users', 'users.userid', 'quiz_sessions.userid')
    .selectAll('quiz_sessions')
    .select(['quizzes.title', 'users.username']);
}

/** The session, regardless of the caller; throws 404 if it does not exist. */
export async function mustFindSession(db: Db, sessionid: number): Promise<SessionRow> {
  const row = await selectSessions(db).where('sessionid', '=', sessionid).executeTakeFirst();
  if (row === undefined) throw notFound('Quiz session');
  return row;
}

/** The session as an API record. */
export function recordOf({ key: _key, ...row }: SessionRow): QuizSession {
  return {
    ...row,
    response_json: surveyAnswers.parse(JSON.parse(row.response_json)),
    passed: row.passed === null ? null : row.passed === 1,
  };
}

/** The version of the quiz that a session is about, with correct answers. */
export async function surveyOf(
  db: Db,
  row: { quizid: number; quiz_revisionid: number },
): Promise<SurveyJson> {
  const survey = await findSurvey(db, row.quizid, row.quiz_revisionid);
  if (survey === undefined) throw new Error(`Quiz ${row.quizid} has lost its version ${row.quiz_revisionid}`);
  return survey;
}
