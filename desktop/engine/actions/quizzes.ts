import { notFound } from '#shared/api/problem.ts';
import type { SurveyAnswers } from '#shared/model/quiz.ts';

import type { NewCall } from '../platform/ports.ts';
import { answersOf, quizContextOf, quizLane, type QuizContext } from '../outbox/kinds/quizzes.ts';
import type { QuizActions } from '../api/training.ts';
import { isOpen } from '../features/records/overlay/applies.ts';
import { overlayAttempts } from '../features/records/overlay/quiz.ts';
import type { Attempt, QuizUse } from '../api/training-records.ts';
import { bodyId, impossible, newTemporaryId, type ActionContext } from './calls.ts';

/** Actions on quizzes. */
export function quizActions(context: ActionContext): QuizActions {
  const { outbox } = context.sources.core;
  const send = async (
    verb: 'save' | 'submit' | 'cancel',
    sessionid: string,
    answers?: SurveyAnswers,
  ): Promise<void> => {
    const attempt = await mustBeOpen(context, sessionid);
    const body = {
      quizid: attempt.quizid,
      sessionid: bodyId(attempt.sessionid),
      ...(answers === undefined ? {} : { response_json: answers }),
    };
    await outbox.add([callOf(attempt.sessionid, verb, body, aboutOf(attempt))]);
  };
  return {
    beginQuiz: (place) => begin(context, place),
    saveAnswers: (sessionid, answers) => send('save', sessionid, answers),
    submitAnswers: (sessionid, answers) => send('submit', sessionid, answers),
    cancelQuiz: (sessionid) => send('cancel', sessionid),
    handInAnew: (callid) => handInAnew(context, callid),
  };
}

/** Begins an attempt. It names the version of the quiz that this device shows. */
async function begin(context: ActionContext, place: QuizUse): Promise<string> {
  const { mirror, outbox } = context.sources.core;
  const guideid = place.guideid === undefined ? null : context.resolve(place.guideid);
  const guide = guideid === null || guideid.startsWith('tmp:') ? null : await mirror.get('guides', guideid);
  const record = await mirror.get('training', `quiz:${place.quizid}`);
  const now = record?.facts.kind === 'quiz' ? record.facts : undefined;
  const carried = guide?.facts.attached_quiz?.quizid === place.quizid ? guide.facts.attached_quiz : undefined;
  const shown = carried ?? now;
  if (shown === undefined) throw notFound('Quiz');
  mustNotBeStuck(context, place.quizid);
  const { key, id } = newTemporaryId(context);
  const about: QuizContext = {
    quizid: place.quizid,
    title: shown.title,
    guideid,
    passingScore: now?.passing_score ?? 0,
  };
  const body = {
    quizid: place.quizid,
    quiz_revisionid: shown.quiz_revisionid,
    ...(guideid === null ? {} : { guideid: bodyId(guideid) }),
    ...(place.courseStageid === undefined ? {} : { course_stageid: place.courseStageid }),
  };
  await outbox.add([beginCall(key, body, about)]);
  return id;
}

/** Throws when a refused call blocks the lane of a quiz: a new attempt would wait behind it unseen. */
function mustNotBeStuck(context: ActionContext, quizid: number): void {
  const isStuck = context.calls().some((call) => call.lane === quizLane(quizid) && call.state === 'parked');
  if (isStuck)
    throw impossible('The server refused an earlier attempt at this quiz. Decide what to do with it first');
}

/** Submits the answers of a refused call as a new attempt. The waiting calls of the old attempt are removed. */
async function handInAnew(context: ActionContext, callid: string): Promise<string> {
  const { outbox, mirror } = context.sources.core;
  const refused = outbox.get(callid);
  const about = refused === undefined ? undefined : quizContextOf(refused);
  if (refused === undefined || about === undefined || refused.state !== 'parked')
    throw impossible('Only an attempt that the server refused can be submitted as a new one');
  const attempt = await findAttempt(context, refused.target.id);
  const { quizid } = about;
  const lane = quizLane(quizid);
  const stale = context
    .calls()
    .filter((call) => call.lane === lane && isOpen(call) && call.target.id === refused.target.id);
  const record = await mirror.get('training', `quiz:${quizid}`);
  const revision = record?.facts.kind === 'quiz' ? record.facts.quiz_revisionid : undefined;
  const { key, id } = newTemporaryId(context);
  const again = { ...about, guideid: null };
  const answers = attempt?.answers ?? answersOf(refused);
  await outbox.add([
    beginCall(key, { quizid, ...(revision === undefined ? {} : { quiz_revisionid: revision }) }, again),
    callOf(id, 'submit', { quizid, sessionid: id, response_json: answers }, again),
  ]);
  for (const call of stale.toReversed()) await outbox.remove(call.id);
  return id;
}

function beginCall(key: string, body: object, about: QuizContext): NewCall {
  return {
    id: key,
    kind: 'quiz-begin',
    lane: quizLane(about.quizid),
    method: 'POST',
    path: '/quizzes/attempt',
    body,
    target: { collection: 'training', id: `tmp:${key}` },
    subject: about.title,
    context: about,
  };
}

function callOf(
  sessionid: string,
  verb: 'save' | 'submit' | 'cancel',
  body: object,
  about: QuizContext,
): NewCall {
  return {
    kind: `quiz-${verb}`,
    lane: quizLane(about.quizid),
    method: 'POST',
    path: `/quizzes/sessions/${verb}`,
    body,
    target: { collection: 'training', id: sessionid },
    subject: about.title,
    context: about,
  };
}

function aboutOf({ quizid, title, guideid, passingScore }: Attempt): QuizContext {
  return { quizid, title, guideid, passingScore };
}

async function findAttempt(context: ActionContext, sessionid: string): Promise<Attempt | undefined> {
  const id = context.resolve(sessionid);
  const record = id.startsWith('tmp:') ? null : await context.sources.core.mirror.get('training', id);
  const stored = record?.facts.kind === 'session' ? [{ seq: record.seq, facts: record.facts }] : [];
  return overlayAttempts(stored, context.calls(), context.resolve).find((one) => one.sessionid === id);
}

/** An attempt. Throws when it has ended, as far as this device knows. */
async function mustBeOpen(context: ActionContext, sessionid: string): Promise<Attempt> {
  const attempt = await findAttempt(context, sessionid);
  if (attempt === undefined) throw notFound('Quiz session', 'Attempt');
  if (attempt.state !== 'open' && attempt.state !== 'refused')
    throw impossible('This attempt has ended. Begin another');
  return attempt;
}
