import { z } from 'zod';

import type { SurveyAnswers } from '#shared/model/quiz.ts';

import type { CallKind, OutboxCall } from '#desktop/engine/platform/ports.ts';
import { type CallKindSpec, joined } from './kind.ts';

/** Context of every call of an attempt: enough to show the attempt before it comes from the server. */
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

/** The answers in a call. */
export function answersOf({ body }: Pick<OutboxCall, 'body'>): SurveyAnswers {
  return (body as { response_json?: SurveyAnswers } | undefined)?.response_json ?? {};
}

/** The lane of a quiz: its attempts are sent in order. */
export function quizLane(quizid: number): string {
  return `quiz:${quizid}`;
}

const attempt = {
  activity: 'quiz',
  context: z.looseObject({ quizid: z.int(), title: z.string() }).partial(),
  about: (call) => {
    const guideid = quizContextOf(call)?.guideid ?? null;
    return guideid === null ? null : { collection: 'guides', id: guideid };
  },
  strip: (call) => {
    const context = quizContextOf(call);
    if (context === undefined || context.title === '') return call;
    return { ...call, subject: '', context: { ...context, title: '' } };
  },
  detail: ({ kind }) => kind.slice('quiz-'.length),
} as const satisfies Partial<CallKindSpec>;

/** OUTBOX-18: replaces unsent answers of the same attempt. */
function isSameAttempt(last: OutboxCall, incoming: OutboxCall): boolean {
  return last.kind === 'quiz-save' && last.target.id === incoming.target.id;
}

/** Calls of an attempt at a quiz. */
export const quizKinds = {
  'quiz-begin': attempt,
  'quiz-save': {
    ...attempt,
    join: (last, incoming) => (isSameAttempt(last, incoming) ? joined(last, incoming, incoming.body) : null),
  },
  'quiz-submit': {
    ...attempt,
    join: (last, incoming) =>
      isSameAttempt(last, incoming) ? { put: [incoming], drop: [last.id], result: incoming } : null,
  },
  'quiz-cancel': attempt,
} satisfies Record<string, CallKindSpec>;
