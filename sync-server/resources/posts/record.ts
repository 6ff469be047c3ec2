import { imageObjectOf, type ImageRef } from '#shared/model/image.ts';
import type { NewsPost, Story } from '#shared/model/post.ts';
import { userSummaryRecord } from '#shared/rules/people.ts';

import { renderBlocks } from '#shared/wikitext/html.ts';
import type { Context } from '#server/http/context.ts';

import { wikiContextFor } from '../guides/wiki-context.ts';
import { findPeople } from '../users/store.ts';
import type { PostRow } from './store.ts';

async function common(ctx: Context, rows: PostRow[]): Promise<Omit<NewsPost, 'postid' | 'url'>[]> {
  const people = await findPeople(
    ctx.db,
    rows.map((row) => row.userid),
  );
  const wiki = await wikiContextFor(
    ctx,
    rows.map((row) => row.text_raw),
  );
  return rows.map((row) => {
    const author = people.get(row.userid);
    return {
      langid: row.langid,
      title: row.title,
      text_raw: row.text_raw,
      text_rendered: renderBlocks(row.text_raw, wiki),
      image: row.image === null ? null : imageObjectOf(JSON.parse(row.image) as ImageRef, ctx.baseUrl),
      author: author === undefined ? null : userSummaryRecord(author, ctx.baseUrl),
      date: row.date,
      modified_date: row.modified_date,
    };
  });
}

export async function storyRecords(ctx: Context, rows: PostRow[]): Promise<Story[]> {
  const records = await common(ctx, rows);
  return rows.map(({ postid, category }, index) => ({
    storyid: postid,
    category,
    ...(records[index] as (typeof records)[number]),
    url: `${ctx.baseUrl}/Story/${postid}`,
  }));
}

export async function postRecords(ctx: Context, rows: PostRow[]): Promise<NewsPost[]> {
  const records = await common(ctx, rows);
  return rows.map(({ postid }, index) => ({
    postid,
    ...(records[index] as (typeof records)[number]),
    url: `${ctx.baseUrl}/News/${postid}`,
  }));
}
