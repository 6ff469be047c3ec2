import { forbidden, invalid, notFound } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { can } from '#server/features/can.ts';
import { editors } from '#server/core/roles.ts';
import type { Context } from '#server/core/context.ts';

import { findVisibleGuide, mustEditGuide } from '../guides/policy.ts';
import { findQuiz, type QuizRow } from './quiz-rows.ts';

/** 403 for those who take part in no quizzes: a kiosk, before which anybody stands. */
export function mustSeeQuizzes(ctx: Context): void {
  if (!can(ctx.viewer, 'quiz.see', null)) throw forbidden('This account takes no quizzes');
}

/** 403 for those who do not take quizzes. */
export function mustTakeQuizzes(ctx: Context): void {
  if (!can(ctx.viewer, 'quiz.take', null)) throw forbidden('This account takes no quizzes');
}

/** 403 for those who do not manage quizzes. */
export function mustManageQuizzes(ctx: Context): void {
  if (!can(ctx.viewer, 'quiz.manage', null)) throw forbidden('Only authors manage quizzes', editors);
}

/** A quiz that a path names; 404 when there is none. */
export async function mustFindQuiz(ctx: Context, quizid: number): Promise<QuizRow> {
  const row = await findQuiz(ctx.db, quizid);
  if (row === undefined) throw notFound('Quiz');
  return row;
}

/** A quiz that a body names; 422 when there is none. */
export async function namedQuiz(
  ctx: Context,
  quizid: number,
  field = 'quizid',
  index?: number,
): Promise<QuizRow> {
  const row = await findQuiz(ctx.db, quizid);
  if (row === undefined) throw invalid(field, `There is no quiz ${quizid}`, index);
  return row;
}

/** A guide that a body names; 422 when the caller sees none. */
export async function namedGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await findVisibleGuide(ctx, guideid);
  if (facts === undefined) throw invalid('guideid', `There is no guide ${guideid}`);
  return facts;
}

/** 403 for a guide that the body names and that the caller sees but does not edit; of any other the body is judged later. */
export async function mayEditNamedGuide(
  { asked }: { asked: Readonly<Record<string, unknown>> },
  ctx: Context,
): Promise<void> {
  mustSeeQuizzes(ctx);
  const guideid = asked['guideid'];
  if (typeof guideid !== 'number' || !Number.isSafeInteger(guideid)) return;
  if ((await findVisibleGuide(ctx, guideid)) !== undefined) await mustEditGuide(ctx, guideid);
}
