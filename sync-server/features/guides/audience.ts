import type { GuideFacts } from '#shared/model/guide.ts';
import { guideAudience } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import { findDocument, findDocuments } from '#server/storage/feed.ts';

import { republishEntries } from '../work-log/store.ts';
import { publishRelease, republishReleases } from './release-facts.ts';

/**
 * Gives the records that depend on a guide (forms, comments, offered work log entries, tags) the current audience of
 * the guide. Publishes the guides that have it as a prerequisite again, because they show it to those who may see it.
 * `facts` is null if the guide was deleted.
 */
export async function republishGuideAudience(
  ctx: Context,
  guideid: number,
  facts: GuideFacts | null,
): Promise<void> {
  const audience = facts === null ? null : guideAudience(facts);
  const forms = await ctx.db
    .selectFrom('step_forms')
    .select('stepid')
    .where('guideid', '=', guideid)
    .execute();
  const comments = await ctx.db
    .selectFrom('comments')
    .select('commentid')
    .where('guideid', '=', guideid)
    .where('status', '!=', 'deleted')
    .execute();
  for (const { stepid } of forms) {
    const form = (await findDocuments(ctx.db, 'stepForms', [stepid]))[0];
    if (audience === null || form === undefined) ctx.changes.remove('stepForms', stepid);
    else ctx.changes.put('stepForms', stepid, form, audience);
  }
  for (const { commentid } of comments) {
    const comment = await findDocument(ctx.db, 'comments', commentid);
    if (audience === null || comment === undefined) ctx.changes.remove('comments', commentid);
    else ctx.changes.put('comments', commentid, comment, audience);
  }
  await republishEntries(ctx, guideid, facts);
  await republishReleases(ctx, guideid, facts);
  await republishDependents(ctx, guideid);
  const tags = await findDocument(ctx.db, 'viewer', `guideTags:${guideid}`);
  if (tags !== undefined && audience !== null)
    ctx.changes.put('viewer', `guideTags:${guideid}`, tags, audience);
  if (audience === null) ctx.changes.remove('viewer', `guideTags:${guideid}`);
  const quizzes = await findDocument(ctx.db, 'training', `guideQuizzes:${guideid}`);
  if (quizzes !== undefined && audience !== null)
    ctx.changes.put('training', `guideQuizzes:${guideid}`, quizzes, audience);
  if (audience === null) ctx.changes.remove('training', `guideQuizzes:${guideid}`);
}

/** Publishes a new release, and the guides again that show the latest release of its guide. */
export async function followNewRelease(ctx: Context, guideid: number, releaseid: number): Promise<void> {
  await publishRelease(ctx, releaseid);
  await republishDependents(ctx, guideid, ({ prerequisite_releases: pins = [] }) =>
    pins.some((pin) => pin.guideid === guideid && pin.releaseid === null),
  );
}

/** Publishes the guides again that have a guide as a prerequisite and for which `concerned` returns true. */
async function republishDependents(
  ctx: Context,
  guideid: number,
  concerned: (facts: GuideFacts) => boolean = () => true,
): Promise<void> {
  const rows = await ctx.db
    .selectFrom('guide_prerequisites')
    .select('guideid')
    .where('prerequisiteid', '=', guideid)
    .execute();
  const dependents = await findDocuments(
    ctx.db,
    'guides',
    rows.map((row) => row.guideid),
  );
  for (const facts of dependents.filter((one) => concerned(one)))
    ctx.changes.put('guides', facts.guideid, facts, guideAudience(facts));
}

/** Removes the forms of deleted steps, and the comments on them, from the feed. */
export async function withdrawSteps(ctx: Context, stepids: number[]): Promise<void> {
  const comments = await ctx.db
    .selectFrom('comments')
    .select('commentid')
    .where('context', '=', 'step')
    .where('contextid', 'in', stepids)
    .execute();
  for (const { commentid } of comments) ctx.changes.remove('comments', commentid);
  for (const stepid of stepids) ctx.changes.remove('stepForms', stepid);
}
