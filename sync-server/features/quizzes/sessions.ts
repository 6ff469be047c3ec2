import type { QuizAnswers, QuizCancel, QuizUse, SessionFilter } from '#shared/api/quizzes.ts';
import { invalid, notFound } from '#shared/api/problem.ts';
import type {
  QuizAttempt,
  QuizSession,
  QuizSubmission,
  SurveyAnswers,
  SurveyJson,
} from '#shared/model/quiz.ts';
import { answersFlaw } from '#shared/rules/survey-answers.ts';
import { isPassed } from '#shared/rules/quiz-survey.ts';
import { can } from '#server/features/can.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db } from '#server/storage/tables.ts';
import { announceHappening } from '#server/features/webhooks/announce.ts';

import { completeDocument } from '../courses/progress.ts';
import { Outdated } from './outdated.ts';
import { namedGuide, namedQuiz } from './policy.ts';
import { publishSession } from './publish.ts';
import { findSurvey, type QuizRow } from './quiz-rows.ts';
import { mustFindSession, recordOf, selectSessions, surveyOf, type SessionRow } from './session-rows.ts';
import { titleHas } from './store.ts';
import type { Marks } from './survey-model.ts';

/** Answers larger than this, in characters of JSON, are refused. */
const mostCharacters = 200_000;

/** Begins an attempt; an open session ends as cancelled and keeps its answers (QUIZ-9). Returns its session. */
export async function beginAttempt(ctx: Context, place: QuizUse): Promise<number> {
  const quiz = await namedQuiz(ctx, place.quizid);
  const begun = await placeOf(ctx, quiz, place);
  await endOpen(ctx, { quizid: quiz.quizid });
  return insertSession(ctx, quiz, begun, {});
}

/** Saves answers into the session that the body names, else into the open one, else into a new one. Returns the session. */
export async function saveAnswers(ctx: Context, body: QuizAnswers): Promise<number> {
  const sessionid = await storeAnswers(ctx, body, await targetOf(ctx, body));
  await publishSession(ctx, sessionid);
  return sessionid;
}

/** Where answers go, and the version of the quiz that they answer. */
interface Target {
  quiz: QuizRow;
  place: Place;
  open: OpenSession | undefined;
  quiz_revisionid: number;
  survey: SurveyJson;
}

/** 422 for answers that go nowhere, or that the quiz does not take. */
async function targetOf(ctx: Context, body: QuizAnswers): Promise<Target> {
  const quiz = await namedQuiz(ctx, body.quizid);
  const place = await placeOf(ctx, quiz, body);
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

/** Answers that were scored, and the version of the quiz by which they were. */
export interface Scored {
  quiz_revisionid: number;
  marks: Marks;
}

/** Scores answers before anything is written: no transaction waits for survey-core. */
export async function scoreAnswers(ctx: Context, body: QuizAnswers): Promise<Scored> {
  const { quiz_revisionid, survey } = await targetOf(ctx, body);
  return { quiz_revisionid, marks: await marksFor(ctx, survey, body.response_json) };
}

function marksFor(ctx: Context, survey: SurveyJson, answers: SurveyAnswers): Promise<Marks> {
  return ctx.services.scoring.marks(ctx.viewer.userid, survey, answers);
}

/**
 * Saves scored answers and completes the session, with the stages of courses that this completes.
 * @throws Outdated if the answers now belong to another version of the quiz
 */
export async function submitAnswers(ctx: Context, body: QuizAnswers, scored: Scored): Promise<number> {
  const target = await targetOf(ctx, body);
  // The session that is open now may have begun on another version than the one that was open when it was scored.
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

/** Tells webhooks of a session that is scored (QUIZ-16). */
async function announceResult(ctx: Context, sessionid: number): Promise<void> {
  const row = await mustFindSession(ctx.db, sessionid);
  const { quizid, quiz_revisionid, title, userid, guideid, course_stageid, score, passing_score } = row;
  const passed = row.passed === 1;
  const about = { sessionid, quizid, quiz_revisionid, title, userid, guideid, course_stageid };
  const data = { ...about, score, passing_score, passed, date: ctx.seconds };
  for (const event of ['quiz.submitted', passed ? 'quiz.passed' : 'quiz.failed'] as const)
    await announceHappening(ctx, { event, data }, `quizzes/${quizid}`);
}

/** Ends the open session of the caller, if there is one, and if it is the one that is named. */
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

/** The session that a body names; 422 when it is none of the caller's, or closed (QUIZ-14). */
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
  const ended = row.status === 'completed' ? 'handed in' : 'ended';
  const moment = new Date((row.end_date ?? 0) * 1000).toISOString().slice(0, 16).replace('T', ' at ');
  throw invalid(
    'sessionid',
    `This attempt was ${ended} on ${moment} UTC. These answers can be handed in as another attempt.`,
  );
}

/** A session that takes answers, and the version of the quiz that it is about. */
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

interface Place {
  quiz_revisionid: number;
  guideid: number | null;
  course_stageid: number | null;
  passing_score: number;
}

/** Where and on what version a quiz is taken; 422 for what there is not. */
async function placeOf(ctx: Context, quiz: QuizRow, body: QuizUse): Promise<Place> {
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

/** What a save into an open session moves: only what its body names. */
function named(body: QuizUse, place: Place): Partial<Place> {
  const { quiz_revisionid, guideid, course_stageid, passing_score } = place;
  return {
    ...(body.quiz_revisionid === undefined ? {} : { quiz_revisionid }),
    ...(body.guideid === undefined ? {} : { guideid }),
    ...(body.course_stageid === undefined ? {} : { course_stageid, passing_score }),
  };
}

/** A stage of a course that is about the quiz. */
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
  place: Place,
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

/** People in teams that the viewer owns. */
function ledBy(db: Db, userid: number) {
  return db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.teamid', 'team_members.teamid')
    .select('team_members.userid')
    .where('teams.owner', '=', userid);
}

/** The session; 404 when there is none that the caller sees (QUIZ-11). */
async function mustSeeSession(ctx: Context, sessionid: number): Promise<SessionRow> {
  const row = await mustFindSession(ctx.db, sessionid);
  const led = await ledBy(ctx.db, ctx.viewer.userid)
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

/** What an attempt is known by. */
export async function representAttempt(ctx: Context, sessionid: number): Promise<QuizAttempt> {
  const { quizid, quiz_revisionid } = await mustSeeSession(ctx, sessionid);
  return { attemptid: sessionid, sessionid, quizid, quiz_revisionid };
}

/** Sessions that the caller sees, by id. */
export async function listSessions(ctx: Context, filter: SessionFilter): Promise<QuizSession[]> {
  let select = selectSessions(ctx.db);
  if (!can(ctx.viewer, 'quizSession.seeAll', null)) {
    const { userid } = ctx.viewer;
    select = select.where((eb) =>
      eb.or([
        eb('quiz_sessions.userid', '=', userid),
        eb('quiz_sessions.userid', 'in', ledBy(ctx.db, userid)),
      ]),
    );
  }
  const { query, quizid, userid, status, order, limit, offset } = filter;
  if (query.trim() !== '') select = select.where(titleHas(query));
  if (quizid !== undefined) select = select.where('quiz_sessions.quizid', '=', quizid);
  if (userid !== undefined) select = select.where('quiz_sessions.userid', '=', userid);
  if (status !== undefined) select = select.where('status', '=', status);
  const sorted = select.orderBy('sessionid', order === 'ASC' ? 'asc' : 'desc');
  return (await readPage(ctx, sorted, { limit, offset })).map(recordOf);
}

/** Results of a session, question by question; correct answers only for those who may see them (QUIZ-5). */
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
