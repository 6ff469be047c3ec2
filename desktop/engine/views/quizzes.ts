import { type Observable, combineLatest, map } from 'rxjs';

import type { SurveyJson } from '#shared/model/quiz.ts';
import type { QuizFacts, TrainingFacts } from '#shared/model/training-facts.ts';
import { questionsOf } from '#shared/rules/quiz-survey.ts';

import { overlayAttempts } from '../features/records/overlay/quiz.ts';
import { realIdOf, shared, type Sources } from '../features/records/sources.ts';
import type { Attempt, AttemptCard, Quiz, QuizCard, QuizUse, QuizShelf } from '../api/training-records.ts';

/** Records of quizzes and courses, and the person's attempts. */
export interface TrainingState {
  records: readonly { seq: number; facts: TrainingFacts }[];
  attempts: Attempt[];
}

const states = new WeakMap<Sources, Observable<TrainingState>>();

/** The records and the person's attempts. Computed once for all views. */
export function trainingState(sources: Sources): Observable<TrainingState> {
  const known = states.get(sources);
  if (known !== undefined) return known;
  const made = combineLatest([sources.core.mirror.all('training'), sources.calls]).pipe(
    map(([records, calls]) => {
      const sessions = records.flatMap(({ seq, facts }) =>
        facts.kind === 'session' ? [{ seq, facts }] : [],
      );
      return { records, attempts: overlayAttempts(sessions, calls, sources.resolve) };
    }),
    shared(),
  );
  states.set(sources, made);
  return made;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Quizzes sorted by title, and the person's attempts, latest first. */
export function quizzes(sources: Sources): Observable<QuizShelf> {
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
export function guideQuizzes(sources: Sources, guideid: string): Observable<QuizCard[]> {
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
export function quiz(sources: Sources, place: QuizUse): Observable<Quiz | null> {
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
export function attempt(sources: Sources, sessionid: string): Observable<Attempt | null> {
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
