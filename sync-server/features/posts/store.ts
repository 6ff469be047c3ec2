import type { Selectable } from 'kysely';

import type { NewPost, NewStory, StoryEdit, StoryFilter } from '#shared/api/posts.ts';
import { invalid, Problem } from '#shared/api/problem.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { findVisibleGuide } from '../guides/policy.ts';
import { postRemoved } from '../merits/reputation-events.ts';
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

interface Page {
  order: 'ASC' | 'DESC';
  offset: number;
  limit: number;
}

export async function listPosts(ctx: Context, kind: Kind, page: Page): Promise<PostRow[]> {
  return readPage(ctx, ordered(ctx.db, kind, page.order), page);
}

/** Stories, of one guide or category alone where the filter says so; of a guide that may not be seen there are none. */
export async function listStories(ctx: Context, filter: StoryFilter): Promise<PostRow[]> {
  const { guideid, product, order } = filter;
  let select = ordered(ctx.db, 'story', order);
  if (guideid !== undefined) {
    const isSeen = (await findVisibleGuide(ctx, guideid)) !== undefined;
    select = select.where('guideid', '=', isSeen ? guideid : null);
  }
  if (product !== undefined) select = select.where('category', '=', product);
  return readPage(ctx, select, filter);
}

function ordered(db: Db, kind: Kind, order: Page['order']) {
  return db
    .selectFrom('posts')
    .selectAll()
    .where('kind', '=', kind)
    .where('deleted', '=', 0)
    .orderBy('postid', order === 'ASC' ? 'asc' : 'desc');
}

/** Titles by id, of deleted ones too. */
export async function titlesOfPosts(db: Db, postids: number[]): Promise<Pick<PostRow, 'postid' | 'title'>[]> {
  if (postids.length === 0) return [];
  return db.selectFrom('posts').select(['postid', 'title']).where('postid', 'in', postids).execute();
}

/** Stores news of the site. 422 for a picture that is not the caller's. */
export async function createNews(ctx: Context, body: NewPost): Promise<number> {
  return insertPost(ctx, 'post', {
    title: body.title,
    text_raw: body.text,
    image: imageJson((await ownImage(ctx, body.image)) ?? null),
    langid: body.langid,
  });
}

/** Stores a story. 422 as for an edit, 429 for haste. */
export async function createStory(ctx: Context, { langid, ...body }: NewStory): Promise<number> {
  const columns = await storyColumns(ctx, body);
  await requirePatience(ctx, mustUserid(ctx));
  return insertPost(ctx, 'story', { ...columns, title: body.title, text_raw: body.body, langid });
}

/** 422 for a picture that is not the caller's, a category that is none, or a guide that the caller does not see. */
export async function editStory(ctx: Context, { postid }: PostRow, edit: StoryEdit): Promise<void> {
  const columns = await storyColumns(ctx, edit);
  if (Object.keys(columns).length === 0) return;
  await ctx.db
    .updateTable('posts')
    .set({ ...columns, modified_date: ctx.seconds })
    .where('postid', '=', postid)
    .execute();
}

type StoryColumns = Partial<
  Pick<PostRow, 'title' | 'intro_raw' | 'text_raw' | 'conclusion_raw' | 'image' | 'category' | 'guideid'>
>;

/** The columns of what a body names. */
async function storyColumns(ctx: Context, edit: StoryEdit): Promise<StoryColumns> {
  const { title, intro, body, conclusion, category, guideid } = edit;
  const image = await ownImage(ctx, edit.image);
  if (category != null) await requireCategory(ctx.db, category);
  if (guideid != null && (await findVisibleGuide(ctx, guideid)) === undefined)
    throw invalid('guideid', `There is no guide ${guideid}`);
  const columns = {
    title,
    intro_raw: intro,
    text_raw: body,
    conclusion_raw: conclusion,
    image: image === undefined ? undefined : imageJson(image),
    category,
    guideid,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

function imageJson(image: ImageRef | null): string | null {
  return image === null ? null : JSON.stringify(image);
}

async function insertPost(
  ctx: Context,
  kind: Kind,
  {
    langid = ctx.services.site.langid,
    ...columns
  }: StoryColumns & Pick<PostRow, 'title' | 'text_raw'> & { langid: string | undefined },
): Promise<number> {
  const { postid } = await ctx.db
    .insertInto('posts')
    .values({
      kind,
      userid: mustUserid(ctx),
      langid,
      date: ctx.seconds,
      modified_date: ctx.seconds,
      deleted: 0,
      ...columns,
    })
    .returning('postid')
    .executeTakeFirstOrThrow();
  return postid;
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
