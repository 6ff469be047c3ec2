import type { Selectable } from 'kysely';

import { surveyJson, type SurveyJson } from '#shared/model/quiz.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

/** A stored quiz. */
export type QuizRow = Selectable<Tables['quizzes']>;

/** The quiz, unless it is deleted. */
export function findQuiz(db: Db, quizid: number): Promise<QuizRow | undefined> {
  return db
    .selectFrom('quizzes')
    .selectAll()
    .where('quizid', '=', quizid)
    .where('deleted', '=', 0)
    .executeTakeFirst();
}

/** A version of a quiz with correct answers; undefined if the quiz has no such version. */
export async function findSurvey(
  db: Db,
  quizid: number,
  quiz_revisionid: number,
): Promise<SurveyJson | undefined> {
  const row = await db
    .selectFrom('quiz_revisions')
    .select('survey')
    .where('quizid', '=', quizid)
    .where('quiz_revisionid', '=', quiz_revisionid)
    .executeTakeFirst();
  return row === undefined ? undefined : surveyJson.parse(JSON.parse(row.survey));
}

/** The current version of a quiz with correct answers. */
export async function currentSurvey(db: Db, row: QuizRow): Promise<SurveyJson> {
  const survey = await findSurvey(db, row.quizid, row.quiz_revisionid);
  if (survey === undefined) throw new Error(`Quiz ${row.quizid} has lost its version ${row.quiz_revisionid}`);
  return survey;
}
