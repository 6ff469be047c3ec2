import { type Observable, combineLatest, map } from 'rxjs';

import { notFound } from '#shared/api/problem.ts';
import type { SurveyAnswers, SurveyJson } from '#shared/model/quiz.ts';
import type { QuizFacts } from '#shared/model/training-facts.ts';
import { questionsOf } from '#shared/rules/quiz-survey.ts';

import type { Attempt, AttemptCard, Quiz, QuizCard, QuizShelf, QuizUse } from '../api/training-records.ts';
import { bodyId, impossible, newTemporaryId, type ActionContext } from '../features/action-context.ts';
import { toLive } from '../features/live.ts';
import { isOpen } from '../features/records/overlay/applies.ts';
import { overlayAttempts } from '../features/records/overlay/quiz.ts';
import { realIdOf, type Sources } from '../features/records/sources.ts';
import { trainingState, type TrainingState } from '../features/records/training-state.ts';
import type { Services } from '../features/services.ts';
import { answersOf, quizContextOf, quizLane, type QuizContext } from '../outbox/kinds/quizzes.ts';
import type { NewCall } from '../platform/ports.ts';

/** Live reads of quizzes, from what is on this device. */
export function quizViews({ sources }: Services) {
  return {
    /** Quizzes by title, and the person's own attempts. */
    quizzes: () => toLive(quizzes(sources)),
    /** The quizzes of a guide: its attached one first. */
    guideQuizzes: (guideid: string) => toLive(guideQuizzes(sources, guideid)),
    /** One quiz; null: not on this device. */
    quiz: (place: QuizUse) => toLive(quiz(sources, place)),
    attempt: (sessionid: string) => toLive(attempt(sources, sessionid)),
  };
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Quizzes sorted by title, and the person's attempts, latest first. */
function quizzes(sources: Sources): Observable<QuizShelf> {
  return trainingState(sources).pipe(
    map(({ records, attempts }) => ({
      quizzes: factsOf(records)
        .map((facts) => cardOf(facts, attempts))
        .toSorted((a, b) => collator.compare(a.title, b.title)),
      attempts: attempts.map(attemptCard),
    })),
  );
}

/** The quizzes of a guide: first the one that is attached to this version, then its others. */
function guideQuizzes(sources: Sources, guideid: string): Observable<QuizCard[]> {
  return combineLatest([trainingState(sources), guideOf(sources, guideid)]).pipe(
    map(([{ records, attempts }, guide]) => {
      const own = guide?.attached_quiz;
      const known = factsOf(records);
      const named = records.flatMap(({ facts }) =>
        facts.kind === 'guideQuizzes' && String(facts.guideid) === sources.resolve(guideid)
          ? facts.quizids
          : [],
      );
      const others = named.filter((quizid) => quizid !== own?.quizid);
      return [
        ...(own === undefined ? [] : [cardOf({ ...own, ...factsOfAttached(own, known) }, attempts)]),
        ...others
          .flatMap((quizid) => known.filter((facts) => facts.quizid === quizid))
          .map((facts) => cardOf(facts, attempts)),
      ];
    }),
  );
}

/** A quiz to take: in the version attached to the guide if there is one, else in the present version. */
function quiz(sources: Sources, place: QuizUse): Observable<Quiz | null> {
  return combineLatest([trainingState(sources), guideOf(sources, place.guideid ?? '')]).pipe(
    map(([{ records, attempts }, guide]) => {
      const known = factsOf(records);
      const carried = guide?.attached_quiz?.quizid === place.quizid ? guide.attached_quiz : undefined;
      const now = known.find(({ quizid }) => quizid === place.quizid);
      const facts = carried === undefined ? now : { ...carried, ...factsOfAttached(carried, known) };
      if (facts === undefined) return null;
      return {
        ...cardOf(facts, attempts),
        revisionid: facts.quiz_revisionid,
        survey: facts.survey,
        attempts: attempts.filter(({ quizid }) => quizid === place.quizid).map(attemptCard),
      };
    }),
  );
}

/** One attempt with its answers; null if it is not on this device. */
function attempt(sources: Sources, sessionid: string): Observable<Attempt | null> {
  return combineLatest([trainingState(sources), realIdOf(sources, sessionid)]).pipe(
    map(([{ attempts }, id]) => attempts.find((one) => one.sessionid === id) ?? null),
  );
}

type Shown = Pick<
  QuizFacts,
  'quizid' | 'quiz_revisionid' | 'title' | 'survey' | 'passing_score' | 'question_count'
>;

function factsOf(records: TrainingState['records']): QuizFacts[] {
  return records.flatMap(({ facts }) => (facts.kind === 'quiz' ? [facts] : []));
}

/** The properties of a quiz that a guide does not contain. */
function factsOfAttached(
  { quizid, survey }: { quizid: number; survey: SurveyJson },
  known: readonly QuizFacts[],
): Pick<QuizFacts, 'passing_score' | 'question_count'> {
  const passing_score = known.find((facts) => facts.quizid === quizid)?.passing_score ?? 0;
  return { passing_score, question_count: questionsOf(survey).length };
}

function cardOf(facts: Shown, attempts: readonly Attempt[]): QuizCard {
  const own = attempts.filter(({ quizid }) => quizid === facts.quizid);
  const latest = own.find(({ state }) => state === 'open') ?? own[0];
  return {
    quizid: facts.quizid,
    title: facts.title,
    questions: facts.question_count,
    passingScore: facts.passing_score,
    latest: latest === undefined ? null : attemptCard(latest),
  };
}

function attemptCard({ answers: _answers, results: _results, ...card }: Attempt): AttemptCard {
  return card;
}

function guideOf(sources: Sources, guideid: string) {
  return sources.core.mirror
    .one('guides', sources.resolve(guideid))
    .pipe(map((record) => record?.facts ?? null));
}

/** Taking a quiz. Each promise resolves when the change is journalled; the outbox sends it. */
export function quizActions(context: ActionContext) {
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
    /** Begins an attempt; an open one ends, and its answers are kept. Returns the (temporary) sessionid. */
    beginQuiz: (place: QuizUse) => begin(context, place),
    saveAnswers: (sessionid: string, answers: SurveyAnswers) => send('save', sessionid, answers),
    submitAnswers: (sessionid: string, answers: SurveyAnswers) => send('submit', sessionid, answers),
    cancelQuiz: (sessionid: string) => send('cancel', sessionid),
    /** Hands in refused answers as a new attempt. Returns its sessionid. */
    handInAnew: (callid: string) => handInAnew(context, callid),
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
