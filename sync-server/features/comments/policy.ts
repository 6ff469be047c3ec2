import { forbidden, notFound } from '#shared/api/problem.ts';
import type { CommentFacts, Feedback } from '#shared/model/comment.ts';
import { guideAudience } from '#server/features/audiences.ts';
import { can } from '#server/features/can.ts';
import { postAudience } from '#server/features/posts/access.ts';
import type { Context } from '#server/core/context.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { findStored, type Principal } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';

import { findVisibleGuide, mustEditGuide } from '../guides/policy.ts';
import { findPost } from '../posts/store.ts';

/** The commented document, as the viewer may see it. */
export interface Target {
  title: string;
  guideid: number | null;
  principals: Principal[];
}

/** The commented document; undefined if it does not exist or may not be seen. */
export async function findTarget(
  ctx: Context,
  context: CommentFacts['context'],
  contextid: number,
): Promise<Target | undefined> {
  switch (context) {
    case 'guide':
      return guideTarget(ctx, contextid);
    case 'step': {
      const [step] = await livingStep(ctx.db, { stepid: contextid });
      return step === undefined ? undefined : guideTarget(ctx, step.guideid);
    }
    case 'wiki':
    case 'info':
      return wikiTarget(ctx, contextid, context === 'info');
    case 'story':
    case 'post': {
      const post = await findPost(ctx.db, context, contextid);
      return post === undefined || !can(ctx.viewer, 'post.see', { kind: context })
        ? undefined
        : { title: post.title, guideid: null, principals: postAudience() };
    }
    default:
      return context satisfies never;
  }
}

const livingStep = prepared<{ stepid: number }, { guideid: number }>((db, value) =>
  db.selectFrom('steps').select('guideid').where('stepid', '=', value('stepid')).where('deleted', '=', 0),
);

async function guideTarget(ctx: Context, guideid: number): Promise<Target | undefined> {
  const facts = await findVisibleGuide(ctx, guideid);
  return facts === undefined ? undefined : { title: facts.title, guideid, principals: guideAudience(facts) };
}

async function wikiTarget(ctx: Context, wikiid: number, mustBeInfo: boolean): Promise<Target | undefined> {
  const facts = await findStored(ctx, 'wikis', wikiid);
  if (facts === undefined || (mustBeInfo && facts.namespace !== 'INFO')) return undefined;
  const row = await ctx.db
    .selectFrom('documents')
    .innerJoin('audiences', 'audiences.audience', 'documents.audience')
    .select('principals')
    .where('collection', '=', 'wikis')
    .where('id', '=', String(wikiid))
    .executeTakeFirstOrThrow();
  const principals = row.principals.split(' ') as Principal[];
  if (!can(ctx.viewer, 'comment.see', { principals })) return undefined;
  return { title: facts.display_title || facts.title, guideid: null, principals };
}

/** The commented document; throws the same 404 if it does not exist or may not be seen. */
export async function mustSeeTarget(
  ctx: Context,
  context: CommentFacts['context'],
  contextid: number,
): Promise<Target> {
  const target = await findTarget(ctx, context, contextid);
  if (target === undefined) throw notFound('Document');
  return target;
}

/** Throws 404 as above, and 403 if the document may be seen but not commented on. */
export async function mustComment(
  ctx: Context,
  context: CommentFacts['context'],
  contextid: number,
): Promise<void> {
  const target = await mustSeeTarget(ctx, context, contextid);
  if (!can(ctx.viewer, 'comment.write', target)) throw forbidden('You may read this but not comment on it');
}

/** Throws 403 unless the viewer wrote the comment within the last five minutes or is an administrator. */
export function mustEdit(
  viewer: Viewer,
  comment: Pick<CommentFacts, 'userid' | 'date'>,
  seconds: number,
): void {
  if (can(viewer, 'comment.edit', { userid: comment.userid, age: seconds - comment.date })) return;
  throw comment.userid === viewer.userid
    ? forbidden('A comment can be edited within five minutes of posting it', ['Admin'])
    : forbidden('Only its author edits a comment', ['Admin']);
}

/** Throws 403 unless the viewer wrote the comment or is an administrator. */
export function mustRemove(viewer: Viewer, comment: Pick<CommentFacts, 'userid'>): void {
  if (!can(viewer, 'comment.remove', comment))
    throw forbidden('Only its author deletes a comment', ['Admin']);
}

/** The facts of a comment that is feedback on a step. */
export type FeedbackFacts = CommentFacts & { feedback: Feedback };

/**
 * The comment as feedback that the viewer may close and reopen; throws 404 if it is none.
 *
 * - FEEDBACK-2 Whoever may edit the guide closes feedback on it and opens it again; others get 403, also those who gave it:
 *   they delete theirs.
 */
export async function mustHandle(ctx: Context, comment: CommentFacts): Promise<FeedbackFacts> {
  const { feedback, guideid } = comment;
  if (feedback === undefined || guideid === null) throw notFound('Comment');
  await mustEditGuide(ctx, guideid);
  return { ...comment, feedback };
}
