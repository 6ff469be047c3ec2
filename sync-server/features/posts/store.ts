import type { Selectable } from 'kysely';

import type { NewPost, NewStory, StoryEdit, StoryFilter } from '#shared/api/posts.ts';
import { invalid, Problem } from '#shared/api/problem.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { findVisibleGuide } from '../guides/policy.ts';
import { postRemoved } from '../merits/reputation-events.ts';
import { ownImage } from '../media/manager.ts';

export type PostRow = Selectable<Tables['posts']>;
type Kind = 'story' | 'post';

/** Shortest time between two stories of a person, seconds (API facts 0.6). */
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

/**
 * A page of stories, optionally of a guide or a category.
 *
 * - POST-1 A story has a title, a beginning (`intro`), a description (`body`) and a result (`conclusion`). Stories are
 *   listed oldest first by default, at most 50 at once; `product` names a category.
 * - POST-2 A story may be about a guide that its author sees. People who may not see that guide do not get its number,
 *   and cannot find the story by it.
 */
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

/** Titles of posts, including deleted ones. */
export async function titlesOfPosts(db: Db, postids: number[]): Promise<Pick<PostRow, 'postid' | 'title'>[]> {
  if (postids.length === 0) return [];
  return db.selectFrom('posts').select(['postid', 'title']).where('postid', 'in', postids).execute();
}

/** Stores a post. Throws 422 for a picture that is not the caller's. */
export async function createNews(ctx: Context, body: NewPost): Promise<number> {
  return insertPost(ctx, 'post', {
    title: body.title,
    text_raw: body.text,
    image: imageJson((await ownImage(ctx, body.image)) ?? null),
    langid: body.langid,
  });
}

/**
 * Stores a story. Throws 422 as for an edit.
 *
 * - POST-4 A person can write one story per minute; more are 429.
 * - POST-5 A refusal names the wrong field.
 */
export async function createStory(ctx: Context, { langid, ...body }: NewStory): Promise<number> {
  const columns = await storyColumns(ctx, body);
  await requirePatience(ctx, mustUserid(ctx));
  return insertPost(ctx, 'story', { ...columns, title: body.title, text_raw: body.body, langid });
}

/** Edits a story. Throws 422 for pictures of others, unknown categories, and guides that the caller may not see. */
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

/** The columns of the fields that a body names. */
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

/**
 * Deletes a story or post.
 *
 * - POST-7 Comments on a story or post show its title, and are deleted with it.
 */
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
