import type { SessionFilter } from '#shared/api/quizzes.ts';
import { notFound } from '#shared/api/problem.ts';
import type { QuizAttempt, QuizSession, QuizSubmission } from '#shared/model/quiz.ts';
import type { Context } from '#server/core/context.ts';
import { can } from '#server/features/can.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db } from '#server/storage/tables.ts';

import { mustFindSession, recordOf, selectSessions, surveyOf, type SessionRow } from './session-rows.ts';
import { marksFor } from './sessions.ts';
import { titleContains } from './store.ts';

/** The members of teams that the viewer owns, as a query to extend. */
function membersOfOwnTeams(db: Db, userid: number) {
  return db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.teamid', 'team_members.teamid')
    .select('team_members.userid')
    .where('teams.owner', '=', userid);
}

/**
 * The session; throws 404 if the caller may not see it.
 *
 * - QUIZ-11 Administrators see all sessions. Others see their own and those of members of teams that they own; any
 *   other is 404.
 */
async function mustSeeSession(ctx: Context, sessionid: number): Promise<SessionRow> {
  const row = await mustFindSession(ctx.db, sessionid);
  const led = await membersOfOwnTeams(ctx.db, ctx.viewer.userid)
    .where('team_members.userid', '=', row.userid)
    .executeTakeFirst();
  if (!can(ctx.viewer, 'quizSession.see', { userid: row.userid, isLed: led !== undefined }))
    throw notFound('Quiz session');
  return row;
}

/** The session as the caller sees it. */
export async function representSession(ctx: Context, sessionid: number): Promise<QuizSession> {
  return recordOf(await mustSeeSession(ctx, sessionid));
}

/** The ids of an attempt. */
export async function representAttempt(ctx: Context, sessionid: number): Promise<QuizAttempt> {
  const { quizid, quiz_revisionid } = await mustSeeSession(ctx, sessionid);
  return { attemptid: sessionid, sessionid, quizid, quiz_revisionid };
}

/** A page of the sessions that the caller may see, ordered by id. */
export async function listSessions(ctx: Context, filter: SessionFilter): Promise<QuizSession[]> {
  let select = selectSessions(ctx.db);
  if (!can(ctx.viewer, 'quizSession.seeAll', null)) {
    const { userid } = ctx.viewer;
    select = select.where((eb) =>
      eb.or([
        eb('quiz_sessions.userid', '=', userid),
        eb('quiz_sessions.userid', 'in', membersOfOwnTeams(ctx.db, userid)),
      ]),
    );
  }
  const { query, quizid, userid, status, order, limit, offset } = filter;
  if (query.trim() !== '') select = select.where(titleContains(ctx.db, query));
  if (quizid !== undefined) select = select.where('quiz_sessions.quizid', '=', quizid);
  if (userid !== undefined) select = select.where('quiz_sessions.userid', '=', userid);
  if (status !== undefined) select = select.where('status', '=', status);
  const sorted = select.orderBy('sessionid', order === 'ASC' ? 'asc' : 'desc');
  return (await readPage(ctx, sorted, { limit, offset })).map(recordOf);
}

/** The results of a session by question; with correct answers for those who may see them (QUIZ-5). */
export async function submissionOf(ctx: Context, sessionid: number): Promise<QuizSubmission> {
  const session = await representSession(ctx, sessionid);
  const { quizid, quiz_revisionid, userid, status, score, passing_score, passed } = session;
  const marks = await marksFor(ctx, await surveyOf(ctx.db, session), session.response_json);
  const isDone = status === 'completed';
  const showsAnswers = can(ctx.viewer, 'quiz.seeAnswers', null);
  const questions = marks.questions.map(({ correct_answer, is_correct, ...question }) => ({
    ...question,
    is_correct: isDone ? is_correct : null,
    ...(showsAnswers ? { correct_answer } : {}),
  }));
  return {
    sessionid,
    quizid,
    quiz_revisionid,
    userid,
    status,
    score,
    passing_score,
    passed,
    correct_count: isDone ? marks.correct : 0,
    quiz_count: marks.all,
    questions,
  };
}
