import { sql } from 'kysely';

import type { WikiFilter } from '#shared/api/wikis.ts';
import { invalid } from '#shared/api/problem.ts';
import type { CategoryObjects, Hierarchy, OrderedCategory, WikiLight } from '#shared/model/wiki-record.ts';
import type { WikiFacts, WikiNamespace } from '#shared/model/wiki.ts';
import { wikiLightRecord } from '#shared/rules/wiki-record.ts';
import type { Context } from '#server/http/context.ts';
import { findDocuments, visibleAudiences } from '#server/storage/feed.ts';

import { wikiContextFor } from '../guides/wiki-context.ts';
import { inLanguage } from './store.ts';
import {
  byTitle,
  categoryTree,
  displayTitlesOf,
  hierarchyOf,
  leavesOf,
  objectsOf,
  orderedOf,
  type CategoryBranch,
} from './tree.ts';

type Listed =
  | WikiLight[]
  | { hierarchy: Hierarchy; display_titles: Record<string, string> }
  | OrderedCategory[];

/** GET /wikis/{namespace}: light wikis, and of CATEGORY the tree in the wanted form. */
export async function listWikis(ctx: Context, namespace: WikiNamespace, query: WikiFilter): Promise<Listed> {
  if (query.display === 'objects') return lightPage(ctx, await wikisOf(ctx, namespace, query.langid), query);
  if (namespace !== 'CATEGORY') throw invalid('display', 'Only categories have a hierarchy');
  const branches = await readTree(ctx, query);
  switch (query.display) {
    case 'hierarchy':
      return { hierarchy: hierarchyOf(branches), display_titles: displayTitlesOf(branches) };
    case 'hierarchyOrder':
      return orderedOf(branches);
    case 'leaves': {
      const leaves = new Set(leavesOf(branches));
      const all = await wikisOf(ctx, namespace, query.langid);
      return lightPage(
        ctx,
        all.filter((one) => leaves.has(one.title)),
        query,
      );
    }
  }
}

/** A page in the order of titles, or of the latest change when asked for what changed since a moment. */
async function lightPage(
  ctx: Context,
  wikis: WikiFacts[],
  query: Pick<WikiFilter, 'modifiedSince' | 'offset' | 'limit'>,
): Promise<WikiLight[]> {
  const since = query.modifiedSince;
  const sorted =
    since === undefined
      ? byTitle(wikis)
      : wikis
          .filter((one) => one.modified_date >= since)
          .toSorted((a, b) => a.modified_date - b.modified_date || a.revisionid - b.revisionid);
  ctx.total(sorted.length);
  const page = sorted.slice(query.offset, query.offset + query.limit);
  const wiki = await wikiContextFor(
    ctx,
    page.map((facts) => facts.contents_raw),
  );
  return page.map((facts) => wikiLightRecord(facts, ctx.baseUrl, wiki));
}

/** The wikis of a namespace, each in the wanted language where there is a translation, else as it was written. */
export async function wikisOf(
  ctx: Context,
  namespace: WikiNamespace,
  langid: string | undefined,
): Promise<WikiFacts[]> {
  const rows = await ctx.db
    .selectFrom('wikis')
    .select('wikiid')
    .where('namespace', '=', namespace)
    .where('deleted', '=', 0)
    .execute();
  const all = await findDocuments(
    ctx.db,
    'wikis',
    rows.map((row) => row.wikiid),
  );
  return [...Map.groupBy(all, (facts) => facts.title).values()].flatMap(
    (versions) => inLanguage(versions, langid ?? ctx.services.site.langid, ctx.services.site.langid) ?? [],
  );
}

/** The tree of categories that `query` keeps. */
export async function readTree(
  ctx: Context,
  query: { requireGuides: boolean; includeStubs: boolean; langid?: string | undefined },
): Promise<CategoryBranch[]> {
  const published = query.requireGuides ? await publishedCategories(ctx) : new Set<string>();
  return categoryTree(await wikisOf(ctx, 'CATEGORY', query.langid), published, query);
}

async function publishedCategories(ctx: Context): Promise<Set<string>> {
  const rows = await ctx.db
    .selectFrom('guides')
    .select('category')
    .distinct()
    .where('deleted', '=', 0)
    .where('public', '=', 1)
    .execute();
  return new Set(rows.map((row) => row.category));
}

/** GET /categories: the tree as nested objects, with the titles to show when asked for. */
export async function listCategories(
  ctx: Context,
  query: Parameters<typeof readTree>[1] & { withDisplayTitles: boolean },
): Promise<CategoryObjects | { hierarchy: CategoryObjects; display_titles: Record<string, string> }> {
  const branches = await readTree(ctx, query);
  const hierarchy = objectsOf(branches);
  return query.withDisplayTitles ? { hierarchy, display_titles: displayTitlesOf(branches) } : hierarchy;
}

/** GET /categories/all: every category that a guide can be put into, stubs included. */
export async function listCategoryTitles(
  ctx: Context,
  page: { offset: number; limit?: number | undefined },
): Promise<string[]> {
  const titles = byTitle(await wikisOf(ctx, 'CATEGORY', undefined)).map((facts) => facts.title);
  ctx.total(titles.length);
  return titles.slice(page.offset, page.limit === undefined ? undefined : page.offset + page.limit);
}

/** Ids of the guides of a category that the viewer may see. */
export async function guideidsIn(ctx: Context, category: string): Promise<number[]> {
  const audiences = [0, ...(await visibleAudiences(ctx.db, ctx.viewer.principals))];
  const rows = await ctx.db
    .selectFrom('guides')
    .innerJoin('documents', (join) =>
      join.onRef('documents.id', '=', sql`CAST(guides.guideid AS TEXT)`).on('collection', '=', 'guides'),
    )
    .select('guides.guideid')
    .where('guides.category', '=', category)
    .where('deleted', '=', 0)
    .where('audience', 'in', audiences)
    .orderBy('guides.guideid')
    .execute();
  return rows.map((row) => row.guideid);
}
