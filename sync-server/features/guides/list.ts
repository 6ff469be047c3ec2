import { sql } from 'kysely';

import { guideTypes, type GuideFacts } from '#shared/model/guide.ts';
import type { GuideCollection, GuideSummary } from '#shared/model/guide-record.ts';
import { invalid } from '#shared/api/problem.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import type { JsonText } from '#server/http/json-text.ts';
import { findDocuments, visibleAudiences } from '#server/storage/feed.ts';
import { readPage } from '#server/storage/read-page.ts';

import { summariesOf, summaryList } from './summaries.ts';

/** Most ids that are read from `guideids` (API facts 5). */
const mostGuideids = 50;

interface Filter {
  guideids?: string | undefined;
  filter?: string | undefined;
  order: 'ASC' | 'DESC';
  offset: number;
  limit: number;
  modifiedSince?: number | undefined;
  includePrivate: boolean;
}

/**
 * GET /guides: public guides ordered by guideid.
 *
 * - GUIDE-PRIVATE-4 Administrators can list private guides too, with `includePrivate`.
 */
export async function listGuides(ctx: Context, query: Filter): Promise<JsonText<GuideSummary[]>> {
  if (query.guideids !== undefined) return summaryList(ctx, idList(query.guideids));
  let select = ctx.db.selectFrom('guides').select('guideid').where('deleted', '=', 0);
  if (!query.includePrivate) select = select.where('public', '=', 1);
  if (query.filter !== undefined && query.filter !== '')
    select = select.where('type', 'in', typeList(query.filter));
  if (query.modifiedSince !== undefined) select = select.where('modified_date', '>=', query.modifiedSince);
  const ordered = select.orderBy('guideid', query.order === 'ASC' ? 'asc' : 'desc');
  const rows = await readPage(ctx, ordered, query);
  return summaryList(
    ctx,
    rows.map((row) => row.guideid),
  );
}

function idList(text: string): number[] {
  const ids = text.split(',').map((part) => Number(part.trim()));
  if (ids.some((id) => !Number.isSafeInteger(id)))
    throw invalid('guideids', 'guideids is a list of integers separated by commas');
  return [...new Set(ids)].slice(0, mostGuideids).toSorted((a, b) => a - b);
}

function typeList(text: string): string[] {
  const types = text.split(',').map((part) => part.trim());
  const unknown = types.find((type) => !(guideTypes as readonly string[]).includes(type));
  if (unknown !== undefined) throw invalid('filter', `There is no guide type "${unknown}"`);
  return types;
}

/** GET /guides/featured: public guides with one of the featured flags. */
export async function listFeatured(
  ctx: Context,
  page: { offset: number; limit: number },
): Promise<GuideSummary[]> {
  const featured = ctx.db
    .selectFrom('guides')
    .select('guideid')
    .where('deleted', '=', 0)
    .where('public', '=', 1)
    .where('featured', '=', 1)
    .orderBy('guideid');
  const rows = await readPage(ctx, featured, page);
  return summariesOf(
    ctx,
    rows.map((row) => row.guideid),
  );
}

/** Most guides in a collection: the largest page size. */
const mostInCollection = 200;

/** GET /collections: a site has one collection, its featured guides; without featured guides it has none. */
export async function listCollections(
  ctx: Context,
  page: { offset: number; limit: number },
): Promise<GuideCollection[]> {
  const guides = await listFeatured(ctx, { offset: 0, limit: mostInCollection });
  const collections =
    guides.length === 0
      ? []
      : [
          {
            collectionid: 1,
            title: 'Featured guides',
            date: Math.max(...guides.map((guide) => guide.modified_date)),
            image: guides.find((guide) => guide.image !== null)?.image ?? null,
            guides,
          },
        ];
  ctx.total(collections.length);
  return collections.slice(page.offset, page.offset + page.limit);
}

/** Guides that a person contributed to (in any revision) and the viewer may see, ordered by guideid. */
export async function listContributed(
  ctx: Context,
  userid: number,
  page: { offset: number; limit: number },
): Promise<GuideSummary[]> {
  const audiences = [...(await visibleAudiences(ctx.db, ctx.viewer.principals))];
  if (audiences.length === 0) return [];
  const contributed = ctx.db.selectFrom('guide_revisions').select('guideid').where('userid', '=', userid);
  const select = ctx.db
    .selectFrom('guides')
    .innerJoin('documents', (join) =>
      join.onRef('documents.id', '=', sql`CAST(guides.guideid AS TEXT)`).on('collection', '=', 'guides'),
    )
    .select('guides.guideid')
    .where('deleted', '=', 0)
    .where('audience', 'in', audiences)
    .where((where) =>
      where.or([where('guides.userid', '=', userid), where('guides.guideid', 'in', contributed)]),
    )
    .orderBy('guides.guideid');
  const rows = await readPage(ctx, select, page);
  return summariesOf(
    ctx,
    rows.map((row) => row.guideid),
  );
}

/**
 * Favourites or completions of a person with their dates: favourites newest first, completions ordered by guideid.
 *
 * - PEOPLE-11 Lists of a person's guides, favourites and completions contain only guides that the reader may see.
 */
export async function listMarked(
  ctx: Context,
  table: 'favorites' | 'completions',
  userid: number,
  page: { offset: number; limit: number },
): Promise<{ date: number; guide: GuideSummary }[]> {
  const marked = await ctx.db
    .selectFrom(table)
    .select(['guideid', 'date'])
    .where('userid', '=', userid)
    .execute();
  const dates = new Map(marked.map((row) => [row.guideid, row.date]));
  const facts = (await findDocuments(ctx.db, 'guides', [...dates.keys()])).filter((one) =>
    can(ctx.viewer, 'guide.see', one),
  );
  const date = (one: GuideFacts): number => dates.get(one.guideid) ?? 0;
  const sorted = facts.toSorted((a, b) =>
    table === 'favorites' ? date(b) - date(a) || b.guideid - a.guideid : a.guideid - b.guideid,
  );
  ctx.total(sorted.length);
  const slice = sorted.slice(page.offset, page.offset + page.limit);
  const summaries = await summariesOf(
    ctx,
    slice.map(({ guideid }) => guideid),
  );
  return summaries.map((guide) => ({ date: dates.get(guide.guideid) ?? 0, guide }));
}
