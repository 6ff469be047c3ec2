import { invalid, notFound } from '#shared/api/problem.ts';
import type { NewArchive } from '#shared/api/omanual.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { chunks } from '#server/storage/chunks.ts';
import { findDocuments, visibleAudiences } from '#server/storage/feed.ts';

import { ancestorTitles } from '../wikis/relatives.ts';
import { byTitle } from '../wikis/tree.ts';

/** The guides of an archive, ordered by id, and its categories, the root first. */
export interface Selection {
  title: string;
  langid: string;
  categories: WikiFacts[];
  /** Titles above the root category, nearest first. */
  ancestors: string[];
  guideids: number[];
}

/** All guides and categories that the viewer may see. */
export async function wholeSite(ctx: Context): Promise<Selection> {
  const { title, langid } = ctx.services.site;
  const categories = inTreeOrder(await allCategories(ctx));
  return { title, langid, categories, ancestors: [], guideids: await visibleGuides(ctx) };
}

/** A category with the categories below it, and their guides; undefined if the category does not exist. */
export async function subtree(ctx: Context, title: string): Promise<Selection | undefined> {
  const all = await allCategories(ctx);
  const root = all.find((one) => one.title === title);
  if (root === undefined) return undefined;
  const categories = subtreeOf(all, root);
  return {
    title,
    langid: root.langid,
    categories,
    ancestors: await ancestorTitles(ctx.db, title, root.parent),
    guideids: await visibleGuides(
      ctx,
      categories.map((one) => one.title),
    ),
  };
}

/** The selection that a person requested. Throws 404 for records that they may not see, 422 if it has no guides. */
export async function chosen(ctx: Context, wanted: Omit<NewArchive, 'media'>): Promise<Selection> {
  const selection = await selectionOf(ctx, wanted);
  if (selection.guideids.length === 0)
    throw invalid('guideids', 'There is no guide that you could take along');
  return selection;
}

async function selectionOf(ctx: Context, wanted: Omit<NewArchive, 'media'>): Promise<Selection> {
  if (wanted.site === true) return wholeSite(ctx);
  if (wanted.category !== undefined) {
    const found = await subtree(ctx, wanted.category);
    if (found === undefined) throw notFound('Category');
    return found;
  }
  const { langid } = ctx.services.site;
  if (wanted.tag !== undefined) {
    const guideids = await taggedGuides(ctx, wanted.tag);
    return { title: wanted.tag, langid, categories: [], ancestors: [], guideids };
  }
  const guideids = [...new Set(wanted.guideids ?? [])].toSorted((a, b) => a - b);
  const guides = await findDocuments(ctx.db, 'guides', guideids);
  if (guides.length < guideids.length || !guides.every((one) => can(ctx.viewer, 'guide.see', one)))
    throw notFound('Guide');
  const [first] = guides;
  const title = guides.length === 1 && first !== undefined ? first.title : ctx.services.site.title;
  return { title, langid: first?.langid ?? langid, categories: [], ancestors: [], guideids };
}

/** Every category once, in its source language, ordered by title. */
export async function allCategories(ctx: Context): Promise<WikiFacts[]> {
  const rows = await ctx.db
    .selectFrom('wikis')
    .select('wikiid')
    .where('namespace', '=', 'CATEGORY')
    .where('deleted', '=', 0)
    .where('source_revisionid', 'is', null)
    .execute();
  const found = await findDocuments(
    ctx.db,
    'wikis',
    rows.map((row) => row.wikiid),
  );
  return byTitle(found.filter((one) => can(ctx.viewer, 'wiki.see', one)));
}

/** A category and all categories below it, parents first. Stops at a cycle of parents. */
export function subtreeOf<T extends { title: string; parent: string | null }>(
  all: readonly T[],
  root: T,
): T[] {
  const children = Map.groupBy(all, ({ parent }) => parent);
  const seen = new Set([root.title]);
  const found = [root];
  for (const one of found)
    for (const child of children.get(one.title) ?? [])
      if (!seen.has(child.title)) {
        seen.add(child.title);
        found.push(child);
      }
  return found;
}

function inTreeOrder(all: readonly WikiFacts[]): WikiFacts[] {
  const titles = new Set(all.map((one) => one.title));
  const roots = all.filter(({ parent }) => parent === null || !titles.has(parent));
  const found = roots.flatMap((root) => subtreeOf(all, root));
  const placed = new Set(found.map((one) => one.title));
  return [...found, ...all.filter((one) => !placed.has(one.title))];
}

async function visibleGuides(ctx: Context, categories?: readonly string[]): Promise<number[]> {
  const audiences = [...(await visibleAudiences(ctx.db, ctx.viewer.principals))];
  const found: number[] = [];
  for (const some of categories === undefined ? [undefined] : chunks(categories)) {
    const rows = await ctx.db
      .selectFrom('guides')
      .innerJoin('documents', (join) =>
        join
          .on((on) => on('documents.id', '=', on.cast<string>('guides.guideid', 'text')))
          .on('documents.collection', '=', 'guides'),
      )
      .select('guides.guideid')
      .where('deleted', '=', 0)
      .where('audience', 'in', audiences)
      .$if(some !== undefined, (query) => query.where('guides.category', 'in', [...(some ?? [])]))
      .execute();
    found.push(...rows.map((row) => row.guideid));
  }
  return found.toSorted((a, b) => a - b);
}

async function taggedGuides(ctx: Context, tag: string): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('guide_tags')
    .innerJoin('tags', 'tags.tagid', 'guide_tags.tagid')
    .select('guideid')
    .where('name', '=', tag)
    .execute();
  const guides = await findDocuments(
    ctx.db,
    'guides',
    rows.map((row) => row.guideid),
  );
  return guides
    .filter((one) => can(ctx.viewer, 'guide.see', one))
    .map((one) => one.guideid)
    .toSorted((a, b) => a - b);
}
