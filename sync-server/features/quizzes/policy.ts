import { forbidden, invalid, notFound } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { can } from '#server/features/can.ts';
import { editors } from '#server/core/roles.ts';
import type { Context } from '#server/core/context.ts';

import { findVisibleGuide, mustEditGuide } from '../guides/policy.ts';
import { findQuiz, type QuizRow } from './quiz-rows.ts';

/** Throws 403 for accounts that may not see quizzes, such as kiosks. */
export function mustSeeQuizzes(ctx: Context): void {
  if (!can(ctx.viewer, 'quiz.see', null)) throw forbidden('This account takes no quizzes');
}

/** Throws 403 unless the caller may take quizzes. */
export function mustTakeQuizzes(ctx: Context): void {
  if (!can(ctx.viewer, 'quiz.take', null)) throw forbidden('This account takes no quizzes');
}

/** Throws 403 unless the caller may manage quizzes. */
export function mustManageQuizzes(ctx: Context): void {
  if (!can(ctx.viewer, 'quiz.manage', null)) throw forbidden('Only authors manage quizzes', editors);
}

/** A quiz named in a path; throws 404 if it does not exist. */
export async function mustFindQuiz(ctx: Context, quizid: number): Promise<QuizRow> {
  const row = await findQuiz(ctx.db, quizid);
  if (row === undefined) throw notFound('Quiz');
  return row;
}

/** A quiz named in a body; throws 422 if it does not exist. */
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

/** A guide named in a body; throws 422 if the caller may not see it. */
export async function namedGuide(ctx: Context, guideid: number): Promise<GuideFacts> {
  const facts = await findVisibleGuide(ctx, guideid);
  if (facts === undefined) throw invalid('guideid', `There is no guide ${guideid}`);
  return facts;
}

/** Throws 403 if the body names a guide that the caller may see but not edit. Other guides are checked later. */
export async function mayEditNamedGuide(
  { asked }: { asked: Readonly<Record<string, unknown>> },
  ctx: Context,
): Promise<void> {
  mustSeeQuizzes(ctx);
  const guideid = asked['guideid'];
  if (typeof guideid !== 'number' || !Number.isSafeInteger(guideid)) return;
  if ((await findVisibleGuide(ctx, guideid)) !== undefined) await mustEditGuide(ctx, guideid);
}
