import type { QuizAnswers, QuizCancel, QuizUse } from '#shared/api/quizzes.ts';
import { invalid } from '#shared/api/problem.ts';
import type { SurveyAnswers, SurveyJson } from '#shared/model/quiz.ts';
import { answersFlaw } from '#shared/rules/survey-answers.ts';
import { isPassed } from '#shared/rules/quiz-survey.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';
import { announceEvent } from '#server/features/webhooks/announce.ts';

import { completeDocument } from '../courses/progress.ts';
import { Outdated } from './outdated.ts';
import { namedGuide, namedQuiz } from './policy.ts';
import { publishSession } from './publish.ts';
import { findSurvey, type QuizRow } from './quiz-rows.ts';
import { mustFindSession, surveyOf } from './session-rows.ts';
import type { Marks } from './survey-model.ts';

/** Most characters of answers as JSON. */
const mostCharacters = 200_000;

/** Starts an attempt; an open session is cancelled and keeps its answers (QUIZ-9). Returns the new sessionid. */
export async function beginAttempt(ctx: Context, place: QuizUse): Promise<number> {
  const quiz = await namedQuiz(ctx, place.quizid);
  const begun = await attemptContextOf(ctx, quiz, place);
  await endOpen(ctx, { quizid: quiz.quizid });
  return insertSession(ctx, quiz, begun, {});
}

/**
 * Saves answers in the session that the body names, or else in the open one, or else in a new one. Returns the
 * sessionid.
 *
 * - QUIZ-9 A person has one open session of a quiz. Saving creates it if there is none, and otherwise replaces its
 *   answers; submitting completes it; cancelling ends it, and succeeds if there is none. An attempt ends an open
 *   session and starts a new one. Every session keeps its answers. A session stays with the version that it was started
 *   on, unless a save names the version that the person saw.
 */
export async function saveAnswers(ctx: Context, body: QuizAnswers): Promise<number> {
  const sessionid = await storeAnswers(ctx, body, await targetOf(ctx, body));
  await publishSession(ctx, sessionid);
  return sessionid;
}

/** The session for answers, and the version of the quiz that they answer. */
interface Target {
  quiz: QuizRow;
  place: AttemptContext;
  open: OpenSession | undefined;
  quiz_revisionid: number;
  survey: SurveyJson;
}

/** The target of answers. Throws 422 if there is none, or the quiz does not accept the answers. */
async function targetOf(ctx: Context, body: QuizAnswers): Promise<Target> {
  const quiz = await namedQuiz(ctx, body.quizid);
  const place = await attemptContextOf(ctx, quiz, body);
  mustBeShort(body.response_json);
  const open = body.sessionid === undefined ? await findOpen(ctx, quiz.quizid) : await mustBeOpen(ctx, body);
  const { quiz_revisionid } = { ...place, ...open, ...named(body, place) };
  const survey = await surveyOf(ctx.db, { quizid: quiz.quizid, quiz_revisionid });
  const flaw = answersFlaw(survey, body.response_json);
  if (flaw !== null) throw invalid('response_json', flaw);
  return { quiz, place, open, quiz_revisionid, survey };
}

async function storeAnswers(ctx: Context, body: QuizAnswers, { quiz, place, open }: Target): Promise<number> {
  if (open === undefined) return insertSession(ctx, quiz, place, body.response_json);
  await ctx.db
    .updateTable('quiz_sessions')
    .set({
      ...named(body, place),
      response_json: JSON.stringify(body.response_json),
      modified_date: ctx.seconds,
    })
    .where('sessionid', '=', open.sessionid)
    .execute();
  return open.sessionid;
}

/** The score of answers, and the version of the quiz that it is based on. */
export interface Scored {
  quiz_revisionid: number;
  marks: Marks;
}

/** Scores answers before anything is written, so that no transaction waits for survey-core. */
export async function scoreAnswers(ctx: Context, body: QuizAnswers): Promise<Scored> {
  const { quiz_revisionid, survey } = await targetOf(ctx, body);
  return { quiz_revisionid, marks: await marksFor(ctx, survey, body.response_json) };
}

export function marksFor(ctx: Context, survey: SurveyJson, answers: SurveyAnswers): Promise<Marks> {
  return ctx.services.scoring.marks(ctx.viewer.userid, survey, answers);
}

/**
 * Saves scored answers and completes the session.
 *
 * - QUIZ-10 The passing score is that of the course's stage, or else of the quiz. Submitting completes stages about the
 *   quiz in all courses that the person is assigned, each by its own passing score.
 * @throws Outdated if the answers now belong to another version of the quiz
 */
export async function submitAnswers(ctx: Context, body: QuizAnswers, scored: Scored): Promise<number> {
  const target = await targetOf(ctx, body);
  // The session that is open now may have another version than the one that was open during scoring.
  if (target.quiz_revisionid !== scored.quiz_revisionid) throw new Outdated();
  const sessionid = await storeAnswers(ctx, body, target);
  const row = await mustFindSession(ctx.db, sessionid);
  const { score, questions } = scored.marks;
  const passed = isPassed(score, row.passing_score);
  await ctx.db
    .updateTable('quiz_sessions')
    .set({ status: 'completed', end_date: ctx.seconds, score, passed: passed ? 1 : 0 })
    .where('sessionid', '=', sessionid)
    .execute();
  const own = (await namedQuiz(ctx, row.quizid)).passing_score;
  await completeDocument(ctx, {
    userid: row.userid,
    doctype: 'quiz',
    docid: row.quizid,
    score,
    passing_score: own,
  });
  await announceResult(ctx, sessionid);
  await publishSession(ctx, sessionid, questions);
  return sessionid;
}

/**
 * Queues webhook events about a scored session.
 *
 * - QUIZ-16 Webhooks receive `quiz.submitted` and with it `quiz.passed` or `quiz.failed`, each once.
 */
async function announceResult(ctx: Context, sessionid: number): Promise<void> {
  const row = await mustFindSession(ctx.db, sessionid);
  const { quizid, quiz_revisionid, title, userid, guideid, course_stageid, score, passing_score } = row;
  const passed = row.passed === 1;
  const about = { sessionid, quizid, quiz_revisionid, title, userid, guideid, course_stageid };
  const data = { ...about, score, passing_score, passed, date: ctx.seconds };
  for (const event of ['quiz.submitted', passed ? 'quiz.passed' : 'quiz.failed'] as const)
    await announceEvent(ctx, { event, data }, `quizzes/${quizid}`);
}

/** Cancels the caller's open session, if there is one and `sessionid` is its id or not given. */
export async function endOpen(ctx: Context, { quizid, sessionid }: QuizCancel): Promise<void> {
  const open = await findOpen(ctx, quizid);
  if (open === undefined || (sessionid !== undefined && sessionid !== open.sessionid)) return;
  await ctx.db
    .updateTable('quiz_sessions')
    .set({ status: 'cancelled', end_date: ctx.seconds, modified_date: ctx.seconds })
    .where('sessionid', '=', open.sessionid)
    .execute();
  await publishSession(ctx, open.sessionid);
}

/**
 * The session that a body names.
 *
 * - QUIZ-14 A save or submission may name its session. It must be the caller's own and open; otherwise a 422 says what
 *   happened to it and when. A device that was offline then keeps the answers, and the person may submit them as
 *   another attempt. A cancel that names a session does not affect others.
 */
async function mustBeOpen(ctx: Context, { quizid, sessionid = 0 }: QuizAnswers): Promise<OpenSession> {
  const row = await ctx.db
    .selectFrom('quiz_sessions')
    .select(['sessionid', 'quiz_revisionid', 'status', 'end_date'])
    .where('sessionid', '=', sessionid)
    .where('userid', '=', mustUserid(ctx))
    .where('quizid', '=', quizid)
    .executeTakeFirst();
  if (row === undefined) throw invalid('sessionid', `You have no attempt ${sessionid} at this quiz`);
  if (row.status === 'in_progress') return row;
  const ended = row.status === 'completed' ? 'submitted' : 'ended';
  const moment = new Date((row.end_date ?? 0) * 1000).toISOString().slice(0, 16).replace('T', ' at ');
  throw invalid(
    'sessionid',
    `This attempt was ${ended} on ${moment} UTC. You can submit these answers as a new attempt.`,
  );
}

/** An open session, and the version of the quiz that it is about. */
interface OpenSession {
  sessionid: number;
  quiz_revisionid: number;
}

function findOpen(ctx: Context, quizid: number): Promise<OpenSession | undefined> {
  return ctx.db
    .selectFrom('quiz_sessions')
    .select(['sessionid', 'quiz_revisionid'])
    .where('userid', '=', mustUserid(ctx))
    .where('quizid', '=', quizid)
    .where('status', '=', 'in_progress')
    .executeTakeFirst();
}

function mustBeShort(answers: SurveyAnswers): void {
  if (JSON.stringify(answers).length > mostCharacters)
    throw invalid('response_json', `Answers have at most ${mostCharacters} characters`);
}

interface AttemptContext {
  quiz_revisionid: number;
  guideid: number | null;
  course_stageid: number | null;
  passing_score: number;
}

/** The version, guide and course stage for which a quiz is taken. Throws 422 if one of them does not exist. */
async function attemptContextOf(ctx: Context, quiz: QuizRow, body: QuizUse): Promise<AttemptContext> {
  const { quiz_revisionid = quiz.quiz_revisionid, guideid = null, course_stageid = null } = body;
  if ((await findSurvey(ctx.db, quiz.quizid, quiz_revisionid)) === undefined)
    throw invalid('quiz_revisionid', `Quiz ${quiz.quizid} has no version ${quiz_revisionid}`);
  if (guideid !== null) await namedGuide(ctx, guideid);
  const stage = course_stageid === null ? undefined : await findStage(ctx.db, course_stageid, quiz.quizid);
  if (course_stageid !== null && stage === undefined)
    throw invalid('course_stageid', `No course has a stage ${course_stageid} about this quiz`);
  const passing_score = stage?.passing_score ?? quiz.passing_score;
  return { quiz_revisionid, guideid, course_stageid, passing_score };
}

/** The part of `place` that the body of a save names, and that therefore changes in an open session. */
function named(body: QuizUse, place: AttemptContext): Partial<AttemptContext> {
  const { quiz_revisionid, guideid, course_stageid, passing_score } = place;
  return {
    ...(body.quiz_revisionid === undefined ? {} : { quiz_revisionid }),
    ...(body.guideid === undefined ? {} : { guideid }),
    ...(body.course_stageid === undefined ? {} : { course_stageid, passing_score }),
  };
}

/** The stage of a course, if it is about the quiz. */
export function findStage(
  db: Db,
  course_stageid: number,
  quizid: number,
): Promise<{ courseid: number; passing_score: number | null } | undefined> {
  return db
    .selectFrom('course_stages')
    .select(['courseid', 'passing_score'])
    .where('course_stageid', '=', course_stageid)
    .where('doctype', '=', 'quiz')
    .where('docid', '=', quizid)
    .executeTakeFirst();
}

async function insertSession(
  ctx: Context,
  quiz: QuizRow,
  place: AttemptContext,
  answers: SurveyAnswers,
): Promise<number> {
  const { sessionid } = await ctx.db
    .insertInto('quiz_sessions')
    .values({
      quizid: quiz.quizid,
      ...place,
      userid: mustUserid(ctx),
      status: 'in_progress',
      response_json: JSON.stringify(answers),
      start_date: ctx.seconds,
      modified_date: ctx.seconds,
      end_date: null,
      score: null,
      passed: null,
      key: ctx.key,
    })
    .returning('sessionid')
    .executeTakeFirstOrThrow();
  if (ctx.key !== null) ctx.created(ctx.key, sessionid);
  await publishSession(ctx, sessionid);
  return sessionid;
}
