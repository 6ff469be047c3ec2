import type { SearchFilter } from '#shared/api/search.ts';
import type { GuideSummary } from '#shared/model/guide-record.ts';
import type { WikiLight } from '#shared/model/wiki-record.ts';
import { must } from '#shared/must.ts';
import { shownVersion, wikiLightRecord } from '#shared/rules/wiki-record.ts';
import type { Context } from '#server/http/context.ts';
import { findDocuments, visibleAudiences } from '#server/storage/feed.ts';
import { searchIndex, searchKinds, type SearchKind } from '#server/storage/search.ts';

import { guideSummaries } from '../guides/record.ts';
import { wikiContextFor } from '../guides/wiki-context.ts';

/** There are no questions here, so that filter finds nothing. */
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

/** One page of what the viewer may see and the words find, and how much there is. */
export async function findRecords(
  ctx: Context,
  { filters, ...wanted }: Wanted,
): Promise<{ results: (GuideSummary | WikiLight)[]; total: number }> {
  const kinds = filters.length === 0 ? searchKinds : [...new Set(filters.flatMap((one) => kindsOf[one]))];
  const audiences = [...(await visibleAudiences(ctx.db, ctx.viewer.principals))];
  const { hits, total } = await searchIndex(ctx.db, { ...wanted, kinds, audiences });
  const idsIn = (collection: 'guides' | 'wikis'): number[] =>
    hits.filter((hit) => hit.collection === collection).map((hit) => hit.id);
  const guides = await guideSummaries(ctx, await findDocuments(ctx.db, 'guides', idsIn('guides')));
  const wikis = (await findDocuments(ctx.db, 'wikis', idsIn('wikis'))).map(shownVersion);
  const texts = await wikiContextFor(
    ctx,
    wikis.map((one) => one.contents_raw),
  );
  const records = new Map<string, GuideSummary | WikiLight>([
    ...guides.map((one) => [`guides/${one.guideid}`, one] as const),
    ...wikis.map((one) => [`wikis/${one.wikiid}`, wikiLightRecord(one, ctx.baseUrl, texts)] as const),
  ]);
  const results = hits.map(({ collection, id }) =>
    must(records.get(`${collection}/${id}`), 'a found record'),
  );
  return { results, total };
}
