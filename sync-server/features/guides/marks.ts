import { notFound } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { isReservedTag } from '#shared/model/tag.ts';
import { guideAudience } from '#server/features/audiences.ts';
import { type Context, mustUserid } from '#server/core/context.ts';

import { completeDocument } from '../courses/progress.ts';
import { guideMarked, guideUnmarked } from '../merits/reputation-events.ts';
import { tagidOf } from '../tags/store.ts';

const kinds = { favorites: 'favorite', completions: 'completion' } as const;

/**
 * Marks a guide as the caller's favourite or as completed; repeating it changes nothing.
 *
 * - GUIDE-TAG-2 Favourites and completions can be set and removed any number of times.
 * - GUIDE-REVISION-5 Tags, favourites and completions change no revision.
 * - PEOPLE-12 A guide that the caller may not see cannot be marked: 404.
 */
export async function mark(ctx: Context, table: keyof typeof kinds, guideid: number): Promise<void> {
  const userid = mustUserid(ctx);
  const row = { userid, guideid, date: ctx.seconds };
  const inserted = await ctx.db
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.columns(['userid', 'guideid']).doNothing())
    .returning('guideid')
    .executeTakeFirst();
  // Completing a guide again counts for courses that were assigned since.
  if (table === 'completions')
    await completeDocument(ctx, { userid, doctype: 'guide', docid: guideid, score: null });
  if (inserted === undefined) return;
  const kind = kinds[table];
  ctx.changes.put('viewer', `${kind}:${userid}:${guideid}`, { kind, guideid, date: ctx.seconds }, [
    `user:${userid}`,
  ]);
  await guideMarked(ctx, table, guideid, userid);
}

/** Removes the mark, if there is one. */
export async function unmark(ctx: Context, table: keyof typeof kinds, guideid: number): Promise<void> {
  const userid = mustUserid(ctx);
  await ctx.db.deleteFrom(table).where('userid', '=', userid).where('guideid', '=', guideid).execute();
  ctx.changes.remove('viewer', `${kinds[table]}:${userid}:${guideid}`);
  await guideUnmarked(ctx, table, guideid, userid);
}

/** Tags of a guide in alphabetical order. */
export async function listTags(ctx: Context, guideid: number): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('guide_tags')
    .innerJoin('tags', 'tags.tagid', 'guide_tags.tagid')
    .select('name')
    .where('guideid', '=', guideid)
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name).filter((name) => !isReservedTag(name));
}

/**
 * Adds a tag to a guide and creates it if needed.
 *
 * - GUIDE-TAG-1 A tag can be added once and removed. Tags are listed alphabetically. Removing a missing tag is 404.
 */
export async function addTag(ctx: Context, facts: GuideFacts, name: string): Promise<void> {
  const tagid = await tagidOf(ctx.db, name);
  await ctx.db
    .insertInto('guide_tags')
    .values({ guideid: facts.guideid, tagid })
    .onConflict((conflict) => conflict.columns(['guideid', 'tagid']).doNothing())
    .execute();
  await publishTags(ctx, facts);
}

/** Removes a tag from a guide; throws 404 if the guide does not have it. */
export async function removeTag(ctx: Context, facts: GuideFacts, name: string): Promise<void> {
  const tag = await ctx.db
    .selectFrom('guide_tags')
    .innerJoin('tags', 'tags.tagid', 'guide_tags.tagid')
    .select('tags.tagid')
    .where('guideid', '=', facts.guideid)
    .where('name', '=', name)
    .executeTakeFirst();
  if (tag === undefined) throw notFound('Tag');
  await ctx.db
    .deleteFrom('guide_tags')
    .where('guideid', '=', facts.guideid)
    .where('tagid', '=', tag.tagid)
    .execute();
  await publishTags(ctx, facts);
}

async function publishTags(ctx: Context, facts: GuideFacts): Promise<void> {
  const tags = await listTags(ctx, facts.guideid);
  ctx.changes.put(
    'viewer',
    `guideTags:${facts.guideid}`,
    { kind: 'guideTags', guideid: facts.guideid, tags },
    guideAudience(facts),
  );
}
