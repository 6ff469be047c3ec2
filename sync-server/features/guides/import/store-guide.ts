import type { GuideFacts } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { guideAudience } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import { nextCount } from '#server/features/guides/counted.ts';
import { replaceGuide, writeGuide } from '#server/features/guides/store.ts';
import { guideImported } from '#server/features/merits/reputation-events.ts';

import { factsHere, type Placing } from './facts-here.ts';
import type { ImportedComment, ImportedGuide } from './guide-from-answer.ts';
import { emptyGuideRow, type IdChoice, type ImportedIds } from './ids.ts';

/** Stores a guide with its pictures, documents and comments. People and categories exist, and ids are reserved. */
export async function storeGuide(
  ctx: Context,
  ids: ImportedIds,
  guide: ImportedGuide,
  choice: IdChoice,
): Promise<{ facts: GuideFacts; notes: string[] }> {
  const { facts, people, text, notes } = await factsHere(ctx, guide, { ids, choice });
  const { guideid, userid } = facts;
  await ctx.db
    .insertInto('guides')
    .values({ ...emptyGuideRow(userid), guideid, created_date: facts.created_date })
    .execute();
  const stored = await writeGuide(ctx, facts, userid);
  await guideImported(ctx, stored);
  await storeComments(ctx, ids, guide.comments, { facts, people, text }, choice);
  return { facts: stored, notes };
}

/**
 * Stores a guide of another site as the next version of the guide here, without comments. Steps and lines keep their
 * identity. A guide without a difference is not written.
 */
export async function updateGuide(
  ctx: Context,
  guide: ImportedGuide,
  placing: Placing & { before: GuideFacts },
): Promise<{ facts: GuideFacts; notes: string[] }> {
  const { before } = placing;
  const { facts, notes } = await factsHere(ctx, guide, placing);
  const isSame =
    sameValue(contentOf(before), contentOf(facts)) &&
    before.public === facts.public &&
    before.userid === facts.userid &&
    before.langid === facts.langid &&
    sameValue(before.intro_video, facts.intro_video);
  if (isSame) return { facts: before, notes };
  const next = { ...before, ...facts, revision: nextCount(before, facts.modified_date) };
  return { facts: await replaceGuide(ctx, before, next, facts.userid), notes };
}

async function storeComments(
  ctx: Context,
  ids: ImportedIds,
  comments: readonly ImportedComment[],
  around: { facts: GuideFacts; people: Map<number, number>; text: (raw: string) => string },
  choice: IdChoice,
): Promise<void> {
  const { guideid } = around.facts;
  for (const comment of comments) {
    const { context, contextid: source } = comment;
    const contextid = context === 'guide' ? guideid : must(await ids.find('step', source), 'the step');
    const userid = must(around.people.get(comment.userid), 'the author of a comment');
    const placed = { ...comment, contextid, guideid, userid, text_raw: around.text(comment.text_raw) };
    await storeComment(ctx, ids, placed, guideAudience(around.facts), choice);
  }
}

/** Stores a comment, which has the ids of this site except its own and that of its parent. Returns its id. */
export async function storeComment(
  ctx: Context,
  ids: ImportedIds,
  comment: ImportedComment,
  principals: ReturnType<typeof guideAudience>,
  choice: IdChoice,
): Promise<number> {
  const { commentid: source, key: _key, uid: _uid, title, feedback, ...facts } = comment;
  const parentid =
    facts.parentid === null ? null : must(await ids.find('comment', facts.parentid), 'the parent');
  const row = { ...facts, parentid };
  const keepsId = choice === 'keep' && !(await commentExists(ctx, source));
  const { commentid } = await ctx.db
    .insertInto('comments')
    .values({
      ...(keepsId ? { commentid: source } : {}),
      ...row,
      title,
      key: null,
      feedback_reason: feedback?.reason ?? null,
      feedback_done_by: feedback?.done?.userid ?? null,
      feedback_done_date: feedback?.done?.date ?? null,
    })
    .returning('commentid')
    .executeTakeFirstOrThrow();
  await ids.remember('comment', source, commentid);
  const stored = { commentid, ...row, ...(feedback === undefined ? {} : { feedback }) };
  ctx.changes.put('comments', commentid, stored, principals);
  return commentid;
}

async function commentExists(ctx: Context, commentid: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('comments')
    .select('commentid')
    .where('commentid', '=', commentid)
    .executeTakeFirst();
  return row !== undefined;
}
