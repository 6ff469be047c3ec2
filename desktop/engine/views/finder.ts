import MiniSearch from 'minisearch';
import { type Observable, combineLatest, distinctUntilChanged, from, map, of, switchMap } from 'rxjs';

import { plainText } from '#shared/formats/wikitext/plain-text.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { numberKey } from '#shared/rules/tracing.ts';

import type { FinderViews, Found, FoundCategory, NamedSupply } from '../api/finder.ts';
import type { PageCard } from '../api/page-records.ts';
import type { CategoryNode, GuideSummaryCard, WorkOrder } from '../api/records.ts';
import { toLive } from '../features/live.ts';
import { categoryEdgesIn, categoryTree } from '../features/records/category-tree.ts';
import { sampled } from '../features/records/sampled.ts';
import { findWords, indexOptions } from '../features/records/search-index.ts';
import { type Sources, shared } from '../features/records/sources.ts';
import type { Services } from '../features/services.ts';
import { shelfOf } from './library.ts';
import { localPageCards } from './pages.ts';
import { workOrders } from './work-orders.ts';

/** How many of each kind a search finds. */
const most = 5;

/** The named supplies are counted again at most once in this time while guides are read, ms. */
const readAgainMs = 500;

/** Live reads by which a person finds their way. */
export function finderViews(services: Services): FinderViews {
  const { sources } = services;
  const pages = pageIndex(sources);
  const categories = categoryIndex(sources);
  const orders = workOrders(sources).pipe(shared());
  return {
    find: (words) => toLive(find(words, { pages, categories, orders })),
    categoryNames: () => toLive(categoryNames(sources)),
    recentGuides: () => toLive(recent(services)),
    namedSupplies: (field) => toLive(namedSupplies(services, field)),
  };
}

interface Indexes {
  pages: Observable<Indexed<PageCard>>;
  categories: Observable<Indexed<FoundCategory>>;
  orders: Observable<WorkOrder[]>;
}

/** Records with an index of their words. */
interface Indexed<T> {
  find(words: string): T[];
}

/**
 * - FIND-4 A search finds pages by title and text, categories by name, and work orders by number, serial number and title
 *   of the guide. The number alone, without the letters before it, suffices.
 */
function find(words: string, { pages, categories, orders }: Indexes): Observable<Found> {
  if (words.trim() === '') return of({ categories: [], pages: [], orders: [] });
  return combineLatest([pages, categories, orders]).pipe(
    map(([ofPages, ofCategories, ofOrders]) => ({
      pages: ofPages.find(words),
      categories: ofCategories.find(words),
      orders: ordersWith(words, ofOrders),
    })),
  );
}

/** An index of records, built in pieces, so that the page can respond meanwhile. */
async function indexed<T extends object>(
  records: readonly T[],
  texts: (record: T) => Record<string, string>,
  boost: Record<string, number>,
): Promise<Indexed<T>> {
  const index = new MiniSearch<Record<string, string>>(indexOptions(Object.keys(boost), boost));
  await index.addAllAsync(
    records.map((record, place) => ({ ...texts(record), id: String(place) })),
    { chunkSize: 50 },
  );
  return {
    find: (words) =>
      findWords(index, words)
        .slice(0, most)
        .flatMap(({ id }) => records[Number(id)] ?? []),
  };
}

function pageIndex(sources: Sources): Observable<Indexed<PageCard>> {
  return localPageCards(sources).pipe(
    // Templates are no pages to read, and categories lead to their guides.
    map((cards) => cards.filter(({ card: { namespace } }) => namespace !== 'WIKI')),
    distinctUntilChanged((a, b) => sameValue(a, b)),
    switchMap((cards) =>
      from(
        indexed(
          cards,
          ({ card, contents }) => ({
            title: `${card.displayTitle}\n${card.title}`,
            description: card.description,
            contents: plainText(contents),
          }),
          { title: 6, description: 3, contents: 1 },
        ),
      ),
    ),
    map((index) => ({ find: (words: string) => index.find(words).map(({ card }) => card) })),
    shared(),
  );
}

function categoryIndex(sources: Sources): Observable<Indexed<FoundCategory>> {
  return categoryTree(sources).pipe(
    map((nodes) => flattened(nodes, [])),
    distinctUntilChanged((a, b) => sameValue(a, b)),
    switchMap((found) =>
      from(
        indexed(
          found.filter(({ guides }) => guides > 0),
          ({ displayTitle, title }) => ({ name: displayTitle, title }),
          { name: 2, title: 1 },
        ),
      ),
    ),
    shared(),
  );
}

function flattened(nodes: readonly CategoryNode[], path: string[]): FoundCategory[] {
  return nodes.flatMap(({ children, ...node }) => [
    { ...node, path },
    ...flattened(children, [...path, node.displayTitle]),
  ]);
}

/** Those whose number begins with the words, then those that contain them; open ones first. */
function ordersWith(words: string, orders: readonly WorkOrder[]): WorkOrder[] {
  const key = numberKey(words);
  const rank = ({ workorderid, serials, guideTitle }: WorkOrder): number => {
    const numbers = [workorderid, ...serials].map(numberKey);
    if (numbers.some((one) => one === key)) return 0;
    if (numbers.some((one) => one.startsWith(key))) return 1;
    if (numbers.some((one) => one.includes(key))) return 2;
    return numberKey(guideTitle).includes(key) ? 3 : 4;
  };
  return orders
    .map((order) => ({ order, at: rank(order) }))
    .filter(({ at }) => at < 4)
    .toSorted((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ order }) => order);
}

/**
 * - FIND-7 A category has one name everywhere: the one that its page shows, in the tree, on guides and above lists.
 */
function categoryNames(sources: Sources): Observable<Readonly<Record<string, string>>> {
  return categoryEdgesIn(sources).pipe(
    map((edges) =>
      Object.fromEntries(
        edges
          .filter(({ title, displayTitle }) => title !== displayTitle)
          .map(({ title, displayTitle }) => [title, displayTitle]),
      ),
    ),
  );
}

function recent(services: Services): Observable<GuideSummaryCard[]> {
  const { recent: opened, sources } = services;
  return combineLatest([opened.guides, shelfOf(services)]).pipe(
    map(([guideids, cards]) => {
      const byId = new Map(cards.map((card) => [card.guideid, card]));
      return guideids.flatMap((id) => byId.get(sources.resolve(id)) ?? []);
    }),
  );
}

/**
 * - SUPPLIES-1 The editor suggests the parts and tools of other guides while a person types a name, and takes their type and
 *   address too.
 */
function namedSupplies({ index, sources }: Services, field: 'parts' | 'tools'): Observable<NamedSupply[]> {
  index.start();
  const { environment } = sources.core;
  return index.version.pipe(
    sampled(environment, readAgainMs),
    map(() => index.supplies(field)),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}
