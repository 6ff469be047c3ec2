import type { SurveyAnswers } from '#shared/model/quiz.ts';

import type { CallKind, OutboxCall } from '#desktop/engine/platform/ports.ts';

/** What every call of an attempt knows of it, so that it can be shown before the server has told of it. */
export interface QuizContext {
  quizid: number;
  title: string;
  guideid: string | null;
  passingScore: number;
}

const kinds: ReadonlySet<CallKind> = new Set(['quiz-begin', 'quiz-save', 'quiz-submit', 'quiz-cancel']);

/** The attempt that a call is about; undefined for any other call. */
export function quizContextOf(call: Pick<OutboxCall, 'kind' | 'context'>): QuizContext | undefined {
  return kinds.has(call.kind) ? (call.context as QuizContext) : undefined;
}

/** The answers that a call carries. */
export function answersOf({ body }: Pick<OutboxCall, 'body'>): SurveyAnswers {
  return (body as { response_json?: SurveyAnswers } | undefined)?.response_json ?? {};
}

/** The lane of a quiz: an attempt must not overtake the one before it. */
export function quizLane(quizid: number): string {
  return `quiz:${quizid}`;
}
