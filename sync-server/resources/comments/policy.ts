import { forbidden, notFound } from '#shared/api/problem.ts';
import type { CommentFacts } from '#shared/model/comment.ts';
import { guideAudience } from '#server/access/audience.ts';
import { can } from '#server/access/can.ts';
import { postAudience } from '#server/access/posts.ts';
import type { Context, Viewer } from '#server/http/context.ts';
import { findDocument, visibleAudiences, type Principal } from '#server/storage/feed.ts';

import { findVisibleGuide } from '../guides/policy.ts';
import { findPost } from '../posts/store.ts';

/** How long an author may edit a comment after its date, in seconds (spec, "Limits"). */
export const editSeconds = 5 * 60;

/** What is commented on, as the viewer may see it. */
export interface Target {
  title: string;
  guideid: number | null;
  principals: Principal[];
}

/**
 * The commented document, or undefined when it is missing or may not be seen.
 */
export async function findTarget(
  ctx: Context,
  context: CommentFacts['context'],
  contextid: number,
): Promise<Target | undefined> {
  switch (context) {
    case 'guide':
      return guideTarget(ctx, contextid);
    case 'step': {
      const step = await ctx.db
        .selectFrom('steps')
        .select('guideid')
        .where('stepid', '=', contextid)
        .where('deleted', '=', 0)
        .executeTakeFirst();
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

async function guideTarget(ctx: Context, guideid: number): Promise<Target | undefined> {
  const facts = await findVisibleGuide(ctx, guideid);
  return facts === undefined ? undefined : { title: facts.title, guideid, principals: guideAudience(facts) };
}

async function wikiTarget(ctx: Context, wikiid: number, mustBeInfo: boolean): Promise<Target | undefined> {
  const facts = await findDocument(ctx.db, 'wikis', wikiid);
  if (facts === undefined || (mustBeInfo && facts.namespace !== 'INFO')) return undefined;
  const row = await ctx.db
    .selectFrom('documents')
    .innerJoin('audiences', 'audiences.audience', 'documents.audience')
    .select(['documents.audience', 'principals'])
    .where('collection', '=', 'wikis')
    .where('id', '=', String(wikiid))
    .executeTakeFirstOrThrow();
  const visible = await visibleAudiences(ctx.db, ctx.viewer.principals);
  if (!visible.has(row.audience)) return undefined;
  return {
    title: facts.display_title || facts.title,
    guideid: null,
    principals: row.principals.split(' ') as Principal[],
  };
}

/** The commented document; 404 when it is missing or may not be seen, alike. */
export async function mustSeeTarget(
  ctx: Context,
  context: CommentFacts['context'],
  contextid: number,
): Promise<Target> {
  const target = await findTarget(ctx, context, contextid);
  if (target === undefined) throw notFound('Document');
  return target;
}

/** 403 unless the viewer wrote the comment within the last five minutes; administrators always may. */
export function mustEdit(
  viewer: Viewer,
  comment: Pick<CommentFacts, 'userid' | 'date'>,
  seconds: number,
): void {
  if (viewer.isAdmin) return;
  if (comment.userid !== viewer.userid) throw forbidden('Only its author edits a comment', ['Admin']);
  if (seconds - comment.date > editSeconds)
    throw forbidden('A comment can be edited within five minutes of posting it', ['Admin']);
}

/** 403 unless the viewer wrote the comment or administers the site. */
export function mustRemove(viewer: Viewer, comment: Pick<CommentFacts, 'userid'>): void {
  if (!viewer.isAdmin && comment.userid !== viewer.userid)
    throw forbidden('Only its author deletes a comment', ['Admin']);
}
