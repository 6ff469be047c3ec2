import type { AnsweredQuestion } from '#shared/model/quiz.ts';
import type { SessionFacts } from '#shared/model/training-facts.ts';
import { withoutCorrectAnswers } from '#shared/rules/quiz-survey.ts';
import { guideAudience } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import { findDocument, type Principal } from '#server/storage/feed.ts';

import { currentSurvey, findQuiz } from './quiz-rows.ts';
import { mustFindSession, recordOf } from './session-rows.ts';

/** The audience of quizzes: everyone who takes them. */
const learners: Principal[] = ['learners'];

/** Publishes the current version of a quiz to devices, without correct answers (QUIZ-5), or removes a deleted quiz. */
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
 * Publishes a session to the devices of its person. `questions`: the results of a completed session; null if its quiz
 * can no longer be scored.
 *
 * - QUIZ-15 Devices get quizzes (for everyone who takes them, without correct answers), the quizzes of a guide (for
 *   everyone who sees the guide), and sessions (for their own person only: the answers while a session is open, and
 *   each result once it is scored).
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

/** Publishes the list of a guide's quizzes to everyone who sees the guide. */
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
