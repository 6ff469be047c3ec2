import type { WikiFilter } from '#shared/api/wikis.ts';
import { invalid } from '#shared/api/problem.ts';
import { inLanguage, languageId } from '#shared/model/language.ts';
import type { CategoryObjects, Hierarchy, OrderedCategory, WikiLight } from '#shared/model/wiki-record.ts';
import type { WikiNamespace } from '#shared/model/wiki.ts';
import { shownVersion, wikiLightRecord } from '#shared/rules/wiki-record.ts';
import type { Context } from '#server/core/context.ts';
import { findDocuments, visibleAudiences } from '#server/storage/feed.ts';
import { prepared, preparedList } from '#server/storage/prepared.ts';

import { wikiContextFor } from '../guides/wiki-context.ts';
import { translateTitles } from '../translation/translate.ts';
import {
  allBranches,
  byTitle,
  categoryTree,
  displayTitlesOf,
  hierarchyOf,
  leavesOf,
  objectsOf,
  orderedOf,
  withDisplayTitles,
  type CategoryBranch,
} from './tree.ts';

type Listed =
  | WikiLight[]
  | { hierarchy: Hierarchy; display_titles: Record<string, string> }
  | OrderedCategory[];

/** GET /wikis/{namespace}: light wikis, or for CATEGORY the tree in the requested form. */
export async function listWikis(ctx: Context, namespace: WikiNamespace, query: WikiFilter): Promise<Listed> {
  if (query.display === 'objects') return lightPage(ctx, await wikisOf(ctx, namespace, query.langid), query);
  if (namespace !== 'CATEGORY') throw invalid('display', 'Only categories have a hierarchy');
  switch (query.display) {
    case 'hierarchy':
    case 'hierarchyOrder':
      return shownTree(ctx, query, query.display);
    case 'leaves': {
      const leaves = new Set(await shownTree(ctx, query, 'leaves'));
      const all = await wikisOf(ctx, namespace, query.langid);
      return lightPage(
        ctx,
        all.filter((one) => leaves.has(one.title)),
        query,
      );
    }
  }
}

/** The columns by which lists filter and sort wikis, without reading documents. */
interface ListedWiki {
  wikiid: number;
  title: string;
  display_title: string;
  langid: string;
  parent: string | null;
  isStub: boolean;
  revisionid: number;
  modified_date: number;
  isUnpatrolled: boolean;
}

/** A page ordered by title, or by the latest change if `modifiedSince` is given. */
async function lightPage(
  ctx: Context,
  wikis: ListedWiki[],
  query: Pick<WikiFilter, 'modifiedSince' | 'offset' | 'limit' | 'needsPatrol' | 'langid'>,
): Promise<WikiLight[]> {
  const since = query.modifiedSince;
  const wanted = query.needsPatrol ? wikis.filter((one) => one.isUnpatrolled) : wikis;
  const sorted =
    since === undefined
      ? byTitle(wanted)
      : wanted
          .filter((one) => one.modified_date >= since)
          .toSorted((a, b) => a.modified_date - b.modified_date || a.revisionid - b.revisionid);
  ctx.total(sorted.length);
  const page = sorted.slice(query.offset, query.offset + query.limit);
  return lightRecords(
    ctx,
    page.map(({ wikiid }) => wikiid),
    query.langid,
  );
}

async function lightRecords(
  ctx: Context,
  wikiids: number[],
  langid: string | undefined,
): Promise<WikiLight[]> {
  const facts = (await findDocuments(ctx.db, 'wikis', wikiids)).map(shownVersion);
  const wiki = await wikiContextFor(
    ctx,
    facts.map((one) => one.contents_raw),
    langid,
  );
  return facts.map((one) => wikiLightRecord(one, ctx.baseUrl, wiki));
}

/**
 * The wikis of a namespace, each in the requested language if there is a translation, or else in its source language.
 * The parent of a category, and whether it is a stub, are those of its source in every language.
 */
async function wikisOf(
  ctx: Context,
  namespace: WikiNamespace,
  langid: string | undefined,
): Promise<ListedWiki[]> {
  const rows = await ctx.db
    .selectFrom('wikis')
    .select([
      'wikiid',
      'title',
      'display_title',
      'langid',
      'parent',
      'stub',
      'revisionid',
      'modified_date',
      'source_revisionid',
      'unpatrolled_revisionid',
    ])
    .where('namespace', '=', namespace)
    .where('deleted', '=', 0)
    .execute();
  const siteLangid = ctx.services.site.langid;
  return [...Map.groupBy(rows, (row) => row.title).values()].flatMap((versions) => {
    const shown = inLanguage(versions, langid, siteLangid);
    const source = versions.find((one) => one.source_revisionid === null) ?? shown;
    if (shown === undefined || source === undefined) return [];
    const { stub: _stub, unpatrolled_revisionid: waiting, source_revisionid: _source, ...row } = shown;
    return [{ ...row, parent: source.parent, isStub: source.stub === 1, isUnpatrolled: waiting !== null }];
  });
}

/** The tree of categories, filtered by `query`. */
async function readTree(
  ctx: Context,
  query: { requireGuides: boolean; includeStubs: boolean; langid?: string | undefined },
): Promise<CategoryBranch[]> {
  const published = query.requireGuides ? await publishedCategories(ctx) : new Set<string>();
  return categoryTree(await wikisOf(ctx, 'CATEGORY', query.langid), published, query);
}

/** The tree; titles without a translation into `machineTranslateLangid` are translated by the provider. */
async function translatedTree(
  ctx: Context,
  query: Parameters<typeof readTree>[1] & { machineTranslateLangid?: string | undefined },
): Promise<CategoryBranch[]> {
  const target = query.machineTranslateLangid;
  if (target === undefined) return readTree(ctx, query);
  const branches = await readTree(ctx, { ...query, langid: query.langid ?? target });
  const untranslated = allBranches(branches).filter((one) => languageId(one.langid) !== languageId(target));
  const titles = await translateTitles(
    ctx.services,
    untranslated.map(({ title, displayTitle, langid }) => ({ title, text: displayTitle, langid })),
    target,
  );
  return withDisplayTitles(branches, titles);
}

const forms = {
  hierarchy: (branches: CategoryBranch[]) => ({
    hierarchy: hierarchyOf(branches),
    display_titles: displayTitlesOf(branches),
  }),
  hierarchyOrder: orderedOf,
  leaves: leavesOf,
  objects: objectsOf,
  titledObjects: (branches: CategoryBranch[]) => ({
    hierarchy: objectsOf(branches),
    display_titles: displayTitlesOf(branches),
  }),
};
type Form = keyof typeof forms;

/** The tree in a form. It is the same for everyone who may read the site. */
async function shownTree<F extends Form>(
  ctx: Context,
  query: Parameters<typeof translatedTree>[1],
  form: F,
): Promise<ReturnType<(typeof forms)[F]>> {
  return forms[form](await translatedTree(ctx, query)) as ReturnType<(typeof forms)[F]>;
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

/** GET /categories: the tree as nested objects, on request with the display titles. */
export async function listCategories(
  ctx: Context,
  query: Parameters<typeof readTree>[1] & { withDisplayTitles: boolean },
): Promise<CategoryObjects | { hierarchy: CategoryObjects; display_titles: Record<string, string> }> {
  return query.withDisplayTitles ? shownTree(ctx, query, 'titledObjects') : shownTree(ctx, query, 'objects');
}

/** GET /categories/all: every category that a guide can have, including stubs. */
export async function listCategoryTitles(
  ctx: Context,
  page: { offset: number; limit?: number | undefined },
): Promise<string[]> {
  const titles = byTitle(await wikisOf(ctx, 'CATEGORY', undefined)).map((facts) => facts.title);
  ctx.total(titles.length);
  return titles.slice(page.offset, page.limit === undefined ? undefined : page.offset + page.limit);
}

/** Ids of the guides of a category that the viewer may see, in their order. */
export async function guideidsIn(ctx: Context, category: string): Promise<number[]> {
  const guideids = (await guidesInCategory(ctx.db, { category })).map((row) => row.guideid);
  if (guideids.length === 0) return [];
  const visible = await visibleAudiences(ctx.db, ctx.viewer.principals);
  const audiences = new Map(
    (await audiencesOfGuides(ctx.db, guideids.map(String), {})).map(({ id, audience }) => [
      Number(id),
      audience,
    ]),
  );
  return guideids.filter((guideid) => visible.has(audiences.get(guideid) ?? 0)).toSorted((a, b) => a - b);
}

const guidesInCategory = prepared<{ category: string }, { guideid: number }>((db, value) =>
  db
    .selectFrom('guides')
    .select('guideid')
    .where('category', '=', value('category'))
    .where('deleted', '=', 0),
);

const audiencesOfGuides = preparedList<Record<never, never>, string, { id: string; audience: number }>(
  (db, ids) =>
    db
      .selectFrom('documents')
      .select(['id', 'audience'])
      .where('collection', '=', 'guides')
      .where('id', 'in', ids),
);
