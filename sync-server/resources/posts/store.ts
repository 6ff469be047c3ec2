import type { Selectable } from 'kysely';

import type { NewStory } from '#shared/api/posts.ts';
import { invalid, Problem } from '#shared/api/problem.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { mustUserid, type Context } from '#server/http/context.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { postRemoved } from '../merits/deeds.ts';
import { ownImage } from '../users/own-image.ts';

export type PostRow = Selectable<Tables['posts']>;
type Kind = 'story' | 'post';

/** A person tells at most one story in this time (API facts 0.6). */
const secondsBetweenStories = 60;

/** The story or post, unless it was deleted. */
export async function findPost(db: Db, kind: Kind, postid: number): Promise<PostRow | undefined> {
  return db
    .selectFrom('posts')
    .selectAll()
    .where('postid', '=', postid)
    .where('kind', '=', kind)
    .where('deleted', '=', 0)
    .executeTakeFirst();
}

export async function listPosts(
  ctx: Context,
  kind: Kind,
  page: { order: 'ASC' | 'DESC'; offset: number; limit: number },
): Promise<PostRow[]> {
  const select = ctx.db
    .selectFrom('posts')
    .selectAll()
    .where('kind', '=', kind)
    .where('deleted', '=', 0)
    .orderBy('postid', page.order === 'ASC' ? 'asc' : 'desc');
  return readPage(ctx, select, page);
}

/** Titles by id, of deleted ones too. */
export async function titlesOfPosts(db: Db, postids: number[]): Promise<Pick<PostRow, 'postid' | 'title'>[]> {
  if (postids.length === 0) return [];
  return db.selectFrom('posts').select(['postid', 'title']).where('postid', 'in', postids).execute();
}

/** Stores a story or post. 422 for a picture that is not the caller's or an unknown category, 429 for haste. */
export async function createPost(ctx: Context, kind: Kind, body: NewStory): Promise<PostRow> {
  const userid = mustUserid(ctx);
  const image: ImageRef | null = (await ownImage(ctx, body.image)) ?? null;
  const category = body.category ?? null;
  if (category !== null) await requireCategory(ctx.db, category);
  if (kind === 'story') await requirePatience(ctx, userid);
  return ctx.db
    .insertInto('posts')
    .values({
      kind,
      userid,
      langid: body.langid ?? ctx.services.site.langid,
      title: body.title,
      text_raw: body.text,
      image: image === null ? null : JSON.stringify(image),
      category,
      date: ctx.seconds,
      modified_date: ctx.seconds,
      deleted: 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function requireCategory(db: Db, category: string): Promise<void> {
  const known = await db
    .selectFrom('wikis')
    .select('wikiid')
    .where('namespace', '=', 'CATEGORY')
    .where('title', '=', category)
    .where('deleted', '=', 0)
    .executeTakeFirst();
  if (known === undefined) throw invalid('category', `There is no category "${category}"`);
}

async function requirePatience(ctx: Context, userid: number): Promise<void> {
  const last = await ctx.db
    .selectFrom('posts')
    .select('date')
    .where('userid', '=', userid)
    .where('kind', '=', 'story')
    .orderBy('date', 'desc')
    .limit(1)
    .executeTakeFirst();
  const wait = last === undefined ? 0 : last.date + secondsBetweenStories - ctx.seconds;
  if (wait > 0)
    throw new Problem('too-many-requests', `Tell the next story in ${wait} seconds`, {
      retryAfterSeconds: wait,
    });
}

/** Deletes a story or post, and takes the comments on it from devices. */
export async function removePost(ctx: Context, kind: Kind, postid: number): Promise<void> {
  await ctx.db
    .updateTable('posts')
    .set({ deleted: 1, modified_date: ctx.seconds })
    .where('postid', '=', postid)
    .execute();
  const comments = await ctx.db
    .selectFrom('comments')
    .select('commentid')
    .where('context', '=', kind)
    .where('contextid', '=', postid)
    .where('status', '!=', 'deleted')
    .execute();
  for (const { commentid } of comments) ctx.changes.remove('comments', commentid);
  await postRemoved(ctx, kind, postid);
}
