import type { z } from 'zod';

import type { completionStatus, successStatus } from '#shared/model/training.ts';

/** The result of a person in a part of a module, or in the whole module. `score`: 0 to 100. */
export interface Outcome {
  completion: z.infer<typeof completionStatus>;
  success: z.infer<typeof successStatus>;
  score: number | null;
}

export const untouched: Outcome = { completion: 'not attempted', success: 'unknown', score: null };

/** A data model as stored by SCORM parts, such as `cmi.core.lesson_status` → `passed`. */
export type DataModel = Record<string, string>;

function percent(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 10_000) / 100;
}

function numberOf(text: string | undefined): number | null {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

/** A raw score in relation to its minimum and maximum, by default 0 and 100. */
function rawScore(raw: string | undefined, min: string | undefined, max: string | undefined): number | null {
  const value = numberOf(raw);
  if (value === null) return null;
  const least = numberOf(min) ?? 0;
  const most = numberOf(max) ?? 100;
  return percent(most > least ? (value - least) / (most - least) : value / 100);
}

/** With a mastery score, the score of a completed part determines its success (SCORM 1.2 RTE 3.4.4). */
function mastered(outcome: Outcome, mastery: number | null): Outcome {
  if (mastery === null || outcome.score === null || outcome.completion !== 'completed') return outcome;
  return { ...outcome, success: outcome.score >= mastery ? 'passed' : 'failed' };
}

const lessonStatus: Record<string, Pick<Outcome, 'completion' | 'success'>> = {
  passed: { completion: 'completed', success: 'passed' },
  failed: { completion: 'completed', success: 'failed' },
  completed: { completion: 'completed', success: 'unknown' },
  incomplete: { completion: 'incomplete', success: 'unknown' },
  browsed: { completion: 'incomplete', success: 'unknown' },
};

/** The result for a status of SCORM 1.2 or AICC, which may be abbreviated: `p`, `f`, `c`, `i`, `b`, `n`. */
export function outcomeOfLesson(
  status: string,
  score: { raw?: string | undefined; min?: string | undefined; max?: string | undefined },
  mastery: number | null,
): Outcome {
  const letter = status.trim().toLowerCase().charAt(0);
  const word = Object.keys(lessonStatus).find((one) => letter !== '' && one.startsWith(letter));
  const known = lessonStatus[word ?? ''] ?? untouched;
  return mastered(
    {
      completion: known.completion,
      success: known.success,
      score: rawScore(score.raw, score.min, score.max),
    },
    mastery,
  );
}

/** The result in the data of a SCORM 1.2 part. */
export function outcomeOfScorm12(data: DataModel, mastery: number | null): Outcome {
  const score = {
    raw: data['cmi.core.score.raw'],
    min: data['cmi.core.score.min'],
    max: data['cmi.core.score.max'],
  };
  return outcomeOfLesson(data['cmi.core.lesson_status'] ?? '', score, mastery);
}

/** The result in the data of a SCORM 2004 part. */
export function outcomeOfScorm2004(data: DataModel, mastery: number | null): Outcome {
  const scaled = numberOf(data['cmi.score.scaled']);
  const score =
    scaled === null
      ? rawScore(data['cmi.score.raw'], data['cmi.score.min'], data['cmi.score.max'])
      : percent(scaled);
  const completion = data['cmi.completion_status'];
  const success = data['cmi.success_status'];
  const stated: Outcome = {
    completion:
      completion === 'completed' ? 'completed' : completion === 'incomplete' ? 'incomplete' : 'not attempted',
    success: success === 'passed' || success === 'failed' ? success : 'unknown',
    score,
  };
  if (mastery !== null && score !== null)
    return { ...stated, success: score >= mastery ? 'passed' : 'failed' };
  return stated;
}

/** The result of several parts: complete if all are, passed unless one failed, with the mean of the scores. */
export function wholeOf(parts: Outcome[]): Outcome {
  const completion = parts.every((part) => part.completion === 'completed')
    ? 'completed'
    : parts.every((part) => part.completion === 'not attempted')
      ? 'not attempted'
      : 'incomplete';
  const scores = parts.flatMap(({ score }) => (score === null ? [] : [score]));
  const hasFailed = parts.some((part) => part.success === 'failed');
  const hasPassed = parts.some((part) => part.success === 'passed');
  return {
    completion,
    success: hasFailed ? 'failed' : hasPassed && completion === 'completed' ? 'passed' : 'unknown',
    score:
      scores.length === 0
        ? null
        : Math.round((scores.reduce((sum, score) => sum + score, 0) / scores.length) * 100) / 100,
  };
}

/** Whether a result counts for a course: complete and not failed. */
export function isDone({ completion, success }: Outcome): boolean {
  return completion === 'completed' && success !== 'failed';
}
