import type { NotNull } from 'kysely';

import type { Comment, CommentFacts } from '#shared/model/comment.ts';
import { must } from '#shared/must.ts';
import { commentAuthorRecord } from '#shared/rules/people.ts';
import { RenderBudget, renderLimits } from '#shared/formats/wikitext/budget.ts';
import { renderComment } from '#shared/formats/wikitext/html.ts';
import type { Context } from '#server/core/context.ts';
import { findPresent } from '#server/storage/feed.ts';
import { preparedList } from '#server/storage/prepared.ts';

import { wikiContextFor } from '../guides/wiki-context.ts';
import { titlesOfPosts } from '../posts/store.ts';
import { findPeople } from '../users/store.ts';

/**
 * Comments as records: the given top-level comments in their order, each with its replies. `tops` may contain a reply,
 * if its parent is not included.
 *
 * - COMMENT-4 `title` is the title of what is commented; an imported comment keeps the title that it came with.
 */
export async function commentRecords(
  ctx: Context,
  tops: CommentFacts[],
  replies: CommentFacts[],
): Promise<Comment[]> {
  const all = [...tops, ...replies];
  const people = await findPeople(
    ctx.db,
    all.map((one) => one.userid),
  );
  const wiki = await wikiContextFor(
    ctx,
    all.map((one) => one.text_raw),
    undefined,
    { lists: false },
  );
  const budget = new RenderBudget(renderLimits.comments);
  const titles = await titlesOf(ctx, all);
  const kept = await keptTitles(ctx, all);
  const flat = (facts: CommentFacts): Omit<Comment, 'replies'> => ({
    commentid: facts.commentid,
    locale: facts.langid,
    context: facts.context,
    contextid: facts.contextid,
    parentid: facts.parentid,
    author: commentAuthorRecord(must(people.get(facts.userid), 'the author'), ctx.baseUrl),
    title: kept.get(facts.commentid) ?? titles.get(documentKey(facts)) ?? '',
    text_raw: facts.text_raw,
    text_rendered: renderComment(facts.text_raw, wiki, budget),
    rating: facts.rating,
    date: facts.date,
    modified_date: facts.modified_date,
    replied_date: facts.replied_date,
    numberOfReplies: replies.filter((reply) => reply.parentid === facts.commentid).length,
    status: facts.status,
    status_reason: facts.status_reason,
    ...(facts.stationid === undefined ? {} : { stationid: facts.stationid }),
    ...(facts.feedback === undefined ? {} : { feedback: facts.feedback }),
  });
  return tops.map((top) => {
    const own = replies.filter((reply) => reply.parentid === top.commentid);
    return { ...flat(top), replies: own.map((reply) => ({ ...flat(reply), replies: [] })) };
  });
}

function documentKey(facts: CommentFacts): string {
  if (facts.guideid !== null) return `guides/${facts.guideid}`;
  return isOnPost(facts) ? `posts/${facts.contextid}` : `wikis/${facts.contextid}`;
}

function isOnPost({ context }: CommentFacts): boolean {
  return context === 'story' || context === 'post';
}

/** The titles with which comments were imported, by commentid. */
async function keptTitles(ctx: Context, all: CommentFacts[]): Promise<Map<number, string>> {
  const rows = await titlesIn(
    ctx.db,
    all.map((one) => one.commentid),
    {},
  );
  return new Map(rows.map(({ commentid, title }) => [commentid, title]));
}

const titlesIn = preparedList<Record<never, never>, number, { commentid: number; title: string }>(
  (db, commentids) =>
    db
      .selectFrom('comments')
      .select(['commentid', 'title'])
      .where('commentid', 'in', commentids)
      .where('title', 'is not', null)
      .$narrowType<{ title: NotNull }>(),
);

/** Titles of the commented documents, by `documentKey`. */
async function titlesOf(ctx: Context, all: CommentFacts[]): Promise<Map<string, string>> {
  const guideids = new Set(all.flatMap((one) => (one.guideid === null ? [] : [one.guideid])));
  const others = all.filter((one) => one.guideid === null);
  const wikiids = new Set(others.filter((one) => !isOnPost(one)).map((one) => one.contextid));
  const posts = await titlesOfPosts(
    ctx.db,
    others.filter(isOnPost).map((one) => one.contextid),
  );
  const guides = await findPresent(ctx, 'guides', [...guideids]);
  const wikis = await findPresent(ctx, 'wikis', [...wikiids]);
  return new Map([
    ...guides.map((facts): [string, string] => [`guides/${facts.guideid}`, facts.title]),
    ...posts.map((post): [string, string] => [`posts/${post.postid}`, post.title]),
    ...wikis.map((facts): [string, string] => [`wikis/${facts.wikiid}`, facts.display_title || facts.title]),
  ]);
}
