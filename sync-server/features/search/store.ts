import type { SearchFilter } from '#shared/api/search.ts';
import type { GuideSummary } from '#shared/model/guide-record.ts';
import type { WikiLight } from '#shared/model/wiki-record.ts';
import { shownVersion, wikiLightRecord } from '#shared/rules/wiki-record.ts';
import type { Context } from '#server/core/context.ts';
import { findDocuments, visibleAudiences } from '#server/storage/feed.ts';
import { searchIndex, searchKinds, type SearchKind } from '#server/storage/search.ts';

import { summariesOf } from '../guides/summaries.ts';
import { wikiContextFor } from '../guides/wiki-context.ts';
import { indexAll } from './indexing.ts';

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
  await catchUp(ctx);
  const visible = await visibleAudiences(ctx.db, ctx.viewer.principals);
  const search = { ...wanted, kinds, audiences: [...visible].toSorted((a, b) => a - b) };
  const { hits, total } = await searchIndex(ctx.db, search);
  const idsIn = (collection: 'guides' | 'wikis'): number[] =>
    hits.filter((hit) => hit.collection === collection).map((hit) => hit.id);
  const guides = await summariesOf(ctx, idsIn('guides'));
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

/** Makes earlier writes findable. If the index cannot be written (a full disk), the search uses the old one. */
async function catchUp({ services }: Context): Promise<void> {
  await indexAll(services).catch((error: unknown) =>
    services.log.error({ err: error }, 'words could not be indexed'),
  );
}
