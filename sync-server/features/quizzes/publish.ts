import type { AnsweredQuestion } from '#shared/model/quiz.ts';
import type { SessionFacts } from '#shared/model/training-facts.ts';
import { withoutCorrectAnswers } from '#shared/rules/quiz-survey.ts';
import { guideAudience } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import { findDocument, type Principal } from '#server/storage/feed.ts';

import { currentSurvey, findQuiz } from './quiz-rows.ts';
import { mustFindSession, recordOf } from './session-rows.ts';

/** Who gets quizzes on their devices: who takes them. */
const learners: Principal[] = ['learners'];

/** Tells devices of a quiz as it is now, without correct answers (QUIZ-5), or that it is gone. */
export async function publishQuiz(ctx: Context, quizid: number): Promise<void> {
  const row = await findQuiz(ctx.db, quizid);
  if (row === undefined) return ctx.changes.remove('training', `quiz:${quizid}`);
  const { quiz_revisionid, title, passing_score, question_count, modified_date } = row;
  const survey = withoutCorrectAnswers(await currentSurvey(ctx.db, row));
  ctx.changes.put(
    'training',
    `quiz:${quizid}`,
    { kind: 'quiz', quizid, quiz_revisionid, title, passing_score, question_count, modified_date, survey },
    learners,
  );
}

/**
 * Tells the devices of its person of a session; what is correct in it they hear when it is completed.
 * `questions`: how those of a completed session were answered; null: its quiz cannot be scored any more.
 */
export async function publishSession(
  ctx: Context,
  sessionid: number,
  questions: readonly AnsweredQuestion[] | null = null,
): Promise<void> {
  const row = await mustFindSession(ctx.db, sessionid);
  const { response_json, username: _username, userid, ...session } = recordOf(row);
  const facts: SessionFacts = { kind: 'session', ...(row.key === null ? {} : { key: row.key }), ...session };
  if (row.status === 'in_progress') facts.answers = response_json;
  if (row.status === 'completed' && questions !== null)
    facts.results = questions.map(({ title, answer, is_correct }) => ({ title, answer, is_correct }));
  ctx.changes.put('training', sessionid, facts, [`user:${userid}`]);
}

/** Tells whoever sees a guide which quizzes belong to it. */
export async function publishGuideQuizzes(ctx: Context, guideid: number): Promise<void> {
  const id = `guideQuizzes:${guideid}`;
  const facts = await findDocument(ctx.db, 'guides', guideid);
  const rows = await ctx.db
    .selectFrom('quiz_associations')
    .select('quizid')
    .where('guideid', '=', guideid)
    .orderBy('quizid')
    .execute();
  const quizids = rows.map(({ quizid }) => quizid);
  if (facts === undefined || quizids.length === 0) ctx.changes.remove('training', id);
  else ctx.changes.put('training', id, { kind: 'guideQuizzes', guideid, quizids }, guideAudience(facts));
}
