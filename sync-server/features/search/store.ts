import type { SearchFilter } from '#shared/api/search.ts';
import type { GuideSummary } from '#shared/model/guide-record.ts';
import type { WikiLight } from '#shared/model/wiki-record.ts';
import { shownVersion, wikiLightRecord } from '#shared/rules/wiki-record.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { findDocuments, visibleAudiences } from '#server/storage/feed.ts';
import { searchIndex, searchKinds, type SearchKind } from '#server/storage/search.ts';

import { guideSummaries } from '../guides/record.ts';
import { wikiContextFor } from '../guides/wiki-context.ts';
import type { Memoize } from '../memoize-until-changed.ts';
import { indexAll } from './indexing.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /** Caches search results for paging and frequent words, because ranking the records takes longest. */
    searchHits: Memoize;
  }
}

/** Kinds of the index by filter. `question` finds nothing, because the server has no questions. */
const kindsOf: Record<SearchFilter, readonly SearchKind[]> = {
  guide: ['guide', 'teardown'],
  teardown: ['teardown'],
  wiki: ['wiki', 'info', 'category', 'item', 'team', 'user'],
  category: ['category'],
  device: ['category'],
  item: ['item'],
  product: ['item'],
  info: ['info'],
  question: [],
};

interface Wanted {
  words: string;
  filters: readonly SearchFilter[];
  titlesOnly?: boolean;
  limit: number;
  offset: number;
}

/** A page of records that match and the viewer may see, and the total number. */
export async function findRecords(
  ctx: Context,
  { filters, ...wanted }: Wanted,
): Promise<{ results: (GuideSummary | WikiLight)[]; total: number }> {
  const kinds = filters.length === 0 ? searchKinds : [...new Set(filters.flatMap((one) => kindsOf[one]))];
  const isCurrent = await catchUp(ctx);
  const visible = await visibleAudiences(ctx.db, ctx.viewer.principals);
  const search = { ...wanted, kinds, audiences: [...visible].toSorted((a, b) => a - b) };
  const weigh = (): ReturnType<typeof searchIndex> => searchIndex(ctx.db, search);
  const { searchHits } = ctx.services;
  const { hits, total } = isCurrent ? await searchHits(ctx, JSON.stringify(search), weigh) : await weigh();
  const idsIn = (collection: 'guides' | 'wikis'): number[] =>
    hits.filter((hit) => hit.collection === collection).map((hit) => hit.id);
  const seen = (await findDocuments(ctx.db, 'guides', idsIn('guides'))).filter((one) =>
    can(ctx.viewer, 'guide.see', one),
  );
  const guides = await guideSummaries(ctx, seen);
  const wikis = (await findDocuments(ctx.db, 'wikis', idsIn('wikis'))).map(shownVersion);
  const texts = await wikiContextFor(
    ctx,
    wikis.map((one) => one.contents_raw),
  );
  const records = new Map<string, GuideSummary | WikiLight>([
    ...guides.map((one) => [`guides/${one.guideid}`, one] as const),
    ...wikis.map((one) => [`wikis/${one.wikiid}`, wikiLightRecord(one, ctx.baseUrl, texts)] as const),
  ]);
  // Records deleted since the search are left out.
  const results = hits.flatMap(({ collection, id }) => records.get(`${collection}/${id}`) ?? []);
  return { results, total };
}

/**
 * Makes earlier writes findable. Returns false if the index cannot be written (a full disk); then the search uses the
 * old index.
 */
async function catchUp({ services }: Context): Promise<boolean> {
  try {
    await indexAll(services);
    return true;
  } catch (error) {
    services.log.error({ err: error }, 'words could not be indexed');
    return false;
  }
}
