import { conflict } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { QuizAssociation, QuizAttachment } from '#shared/model/quiz.ts';
import { withoutCorrectAnswers } from '#shared/rules/quiz-survey.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { nextNumber } from '#server/storage/feed.ts';

import { mustSeeGuide } from '../guides/policy.ts';
import { fullGuide } from '../guides/record.ts';
import { nextCount } from '../guides/counted.ts';
import { writeGuide } from '../guides/store.ts';
import { namedGuide, namedQuiz } from './policy.ts';
import { publishGuideQuizzes } from './publish.ts';
import { currentSurvey } from './quiz-rows.ts';

/** The quizzes of a guide, ordered by id. */
export function associationsOf(ctx: Context, guideid: number): Promise<QuizAssociation[]> {
  return ctx.db
    .selectFrom('quiz_associations')
    .innerJoin('quizzes', 'quizzes.quizid', 'quiz_associations.quizid')
    .select(['guideid', 'quizzes.quizid', 'quiz_revisionid', 'title'])
    .where('guideid', '=', guideid)
    .where('deleted', '=', 0)
    .orderBy('quizzes.quizid')
    .execute();
}

/** Associates a guide with quizzes; existing associations stay. Throws 422 for missing guides and quizzes. */
export async function associate(
  ctx: Context,
  { guideid, quizids }: { guideid: number; quizids: number[] },
): Promise<void> {
  await namedGuide(ctx, guideid);
  for (const [index, quizid] of quizids.entries()) {
    await namedQuiz(ctx, quizid, 'quizids', index);
    await ctx.db
      .insertInto('quiz_associations')
      .values({ guideid, quizid })
      .onConflict((pair) => pair.doNothing())
      .execute();
  }
  await publishGuideQuizzes(ctx, guideid);
}

/** Removes quizzes from a guide; other quizzes are ignored. */
export async function dissociate(
  ctx: Context,
  { guideid, quizids }: { guideid: number; quizids: number[] },
): Promise<void> {
  await namedGuide(ctx, guideid);
  await ctx.db
    .deleteFrom('quiz_associations')
    .where('guideid', '=', guideid)
    .where('quizid', 'in', quizids)
    .execute();
  await publishGuideQuizzes(ctx, guideid);
}

/**
 * Attaches the current version of a quiz to a guide; `quizid` null removes it. Attaching the same version again changes
 * nothing.
 *
 * - QUIZ-13 People who can edit a guide associate quizzes with it. Attaching a quiz creates a revision of the guide,
 *   paired with the current version of the quiz. It needs the guide's `revisionid`; a 409 has the current guide. Later
 *   versions of the quiz do not change the attached one. The guide carries the quiz to devices, without correct
 *   answers.
 */
export async function attachQuiz(
  ctx: Context,
  { guideid, quizid }: { guideid: number; quizid: number | null },
  revisionid: number,
): Promise<QuizAttachment> {
  const before = await namedGuide(ctx, guideid);
  const row = quizid === null ? null : await namedQuiz(ctx, quizid);
  if (revisionid !== before.revisionid) throw conflict(await fullGuide(ctx, before, { ownStepsOnly: true }));
  if ((before.attached_quiz?.quiz_revisionid ?? null) === (row?.quiz_revisionid ?? null))
    return attachmentOf(before);
  const { attached_quiz: _before, ...rest } = before;
  const survey = row === null ? null : withoutCorrectAnswers(await currentSurvey(ctx.db, row));
  const after: GuideFacts = {
    ...rest,
    ...(row === null || survey === null
      ? {}
      : {
          attached_quiz: {
            quizid: row.quizid,
            quiz_revisionid: row.quiz_revisionid,
            title: row.title,
            survey,
          },
        }),
    revisionid: await nextNumber(ctx.db, 'revision'),
    guide_revisionid: await nextNumber(ctx.db, 'guide_revision'),
    revision: nextCount(before, ctx.seconds),
    modified_date: ctx.seconds,
    modified_userid: mustUserid(ctx),
  };
  await writeGuide(ctx, after, mustUserid(ctx));
  if (row === null) return attachmentOf(after);
  const { guide_revisionid } = after;
  await ctx.db
    .insertInto('guide_quiz_revisions')
    .values({ guide_revisionid, guideid, quiz_revisionid: row.quiz_revisionid })
    .execute();
  await associate(ctx, { guideid, quizids: [row.quizid] });
  return attachmentOf(after);
}

/** The quiz that is currently attached to the guide. */
export async function representAttachment(ctx: Context, guideid: number): Promise<QuizAttachment> {
  return attachmentOf(await mustSeeGuide(ctx, guideid));
}

function attachmentOf({ guideid, revisionid, guide_revisionid, attached_quiz }: GuideFacts): QuizAttachment {
  const { quizid = null, quiz_revisionid = null } = attached_quiz ?? {};
  return { guideid, revisionid, guide_revisionid, quizid, quiz_revisionid };
}
