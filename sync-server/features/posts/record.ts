import { imageObjectOf, type ImageRef } from '#shared/model/image.ts';
import type { NewsPost, Story } from '#shared/model/post.ts';
import { must } from '#shared/must.ts';
import { userSummaryRecord } from '#shared/rules/people.ts';

import { RenderBudget, renderLimits } from '#shared/formats/wikitext/budget.ts';
import { renderBlocks } from '#shared/formats/wikitext/html.ts';
import { escapeHtml } from '#shared/html.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { findPresent } from '#server/storage/feed.ts';

import { wikiContextFor } from '../guides/wiki-context.ts';
import { findPeople } from '../users/store.ts';
import type { PostRow } from './store.ts';

/** The common fields of stories and posts, in the order of `rows`. */
async function common(
  ctx: Context,
  rows: PostRow[],
): Promise<Pick<NewsPost, 'langid' | 'image' | 'author' | 'date' | 'modified_date'>[]> {
  const people = await findPeople(
    ctx.db,
    rows.map((row) => row.userid),
  );
  return rows.map((row) => {
    const author = people.get(row.userid);
    return {
      langid: row.langid,
      image: row.image === null ? null : imageObjectOf(JSON.parse(row.image) as ImageRef, ctx.baseUrl),
      author: author === undefined ? null : userSummaryRecord(author, ctx.baseUrl),
      date: row.date,
      modified_date: row.modified_date,
    };
  });
}

export async function storyRecords(ctx: Context, rows: PostRow[]): Promise<Story[]> {
  const records = await common(ctx, rows);
  const guides = await guidesSeen(ctx, rows);
  const wiki = await wikiContextFor(
    ctx,
    rows.flatMap((row) => [row.intro_raw, row.text_raw, row.conclusion_raw]),
  );
  const budget = new RenderBudget(renderLimits.guide);
  return rows.map((row, index) => ({
    storyid: row.postid,
    status: 'open',
    view_url: `${ctx.baseUrl}/Story/${row.postid}`,
    title_raw: row.title,
    title_rendered: escapeHtml(row.title),
    intro_raw: row.intro_raw,
    intro_rendered: renderBlocks(row.intro_raw, wiki, budget),
    body_raw: row.text_raw,
    body_rendered: renderBlocks(row.text_raw, wiki, budget),
    conclusion_raw: row.conclusion_raw,
    conclusion_rendered: renderBlocks(row.conclusion_raw, wiki, budget),
    category: row.category,
    guideid: row.guideid !== null && guides.has(row.guideid) ? row.guideid : null,
    ...must(records[index], 'the record'),
  }));
}

/** The ids of those guides of the stories that the viewer may see. */
async function guidesSeen(ctx: Context, rows: PostRow[]): Promise<Set<number>> {
  const guideids = rows.flatMap(({ guideid }) => (guideid === null ? [] : [guideid]));
  const guides = await findPresent(ctx, 'guides', [...new Set(guideids)]);
  return new Set(guides.filter((one) => can(ctx.viewer, 'guide.see', one)).map((one) => one.guideid));
}

export async function postRecords(ctx: Context, rows: PostRow[]): Promise<NewsPost[]> {
  const records = await common(ctx, rows);
  const wiki = await wikiContextFor(
    ctx,
    rows.map((row) => row.text_raw),
  );
  const budget = new RenderBudget(renderLimits.guide);
  return rows.map(({ postid, title, text_raw }, index) => ({
    postid,
    title,
    text_raw,
    text_rendered: renderBlocks(text_raw, wiki, budget),
    url: `${ctx.baseUrl}/News/${postid}`,
    ...must(records[index], 'the record'),
  }));
}
