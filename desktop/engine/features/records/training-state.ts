import { type Observable, combineLatest, map } from 'rxjs';

import type { TrainingFacts } from '#shared/model/training-facts.ts';

import type { Attempt } from '../../api/training-records.ts';
import { overlayAttempts } from './overlay/quiz.ts';
import { shared, type Sources } from './sources.ts';

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
