import { type Observable, combineLatest, map, tap } from 'rxjs';

import { difficulties } from '#shared/model/guide.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import { guideSaveOf } from '../outbox/kinds/guides.ts';
import type { OpenDraft } from '../drafts/open-draft.ts';
import type { GuideRow, OutboxCall } from '../platform/ports.ts';
import type { Services } from '../features/services.ts';
import {
  type CategoryEdge,
  categoryEdgesIn,
  categoryWords,
  subtreeOf,
} from '../features/records/category-tree.ts';
import { cardFacts, compareCards, foundCards } from './guide-card.ts';
import { applies, isOpen } from '../features/records/overlay/applies.ts';
import { searchWords } from '../features/records/search-text.ts';
import { readinessOf } from '../features/records/readiness.ts';
import type {
  GuideSummaryCard,
  LibraryMark,
  LibraryPage,
  LibraryQuery,
  OfflineReadiness,
} from '../api/records.ts';
import { sampled } from '../features/records/sampled.ts';
import { shared } from '../features/records/sources.ts';

/** The guides of the library as cards: the mirror's rows with waiting calls and drafts on top. */
export function library(services: Services, query: LibraryQuery): Observable<LibraryPage> {
  const { sources, drafts } = services;
  return combineLatest([shelfOf(services), categoryEdgesIn(sources), drafts.drafts]).pipe(
    map(([cards, edges, open]) => page(cards, query, edges, open, services)),
  );
}

const shelves = new WeakMap<Services, Observable<GuideSummaryCard[]>>();

/** All cards, sorted by title. Computed once for all queries. Unchanged cards stay the same objects. */
export function shelfOf(services: Services): Observable<GuideSummaryCard[]> {
  const { sources, index, media, drafts } = services;
  const known = shelves.get(services);
  if (known !== undefined) return known;
  const { environment } = sources.core;
  let last: GuideSummaryCard[] = [];
  const ofRows: CardsOfRows = new WeakMap();
  const shelf = combineLatest([
    sources.rows,
    sources.calls,
    sources.favorites,
    drafts.drafts,
    index.version.pipe(sampled(environment, 1000)),
    media.changed.pipe(sampled(environment, 1000)),
    categoryEdgesIn(sources).pipe(tap((edges) => index.setCategories(categoryWords(edges)))),
  ]).pipe(
    tap(([rows, calls]) => {
      index.start();
      index.setLocal(localContents(rows, calls, services));
    }),
    map(([rows, calls, favorites, open]) => {
      const cards = sorted(cardsOf(rows, calls, open, favorites.on, services, ofRows), last);
      const isSame = cards.length === last.length && cards.every((card, place) => card === last[place]);
      if (!isSame) last = cards;
      return last;
    }),
    shared(),
  );
  shelves.set(services, shelf);
  return shelf;
}

/** Contents of guides that waiting saves change. */
function localContents(
  rows: readonly GuideRow[],
  calls: readonly OutboxCall[],
  { sources }: Services,
): Map<string, GuideContent> {
  const seqs = new Map(rows.map(({ id, seq }) => [id, seq]));
  const contents = new Map<string, GuideContent>();
  for (const call of calls) {
    const save = guideSaveOf(call);
    const id = sources.resolve(call.target.id);
    if (save !== undefined && applies(call, seqs.get(id) ?? null)) contents.set(id, save.content);
  }
  return contents;
}

function cardsOf(
  rows: readonly GuideRow[],
  calls: readonly OutboxCall[],
  drafts: ReadonlyMap<string, OpenDraft>,
  favorites: ReadonlySet<string>,
  services: Services,
  ofRows: CardsOfRows,
): GuideSummaryCard[] {
  const { resolve } = services.sources;
  const cards = new Map(rows.map((row) => [row.id, cardOfRow(row, favorites, services, ofRows)]));
  const seqs = new Map(rows.map(({ id, seq }) => [id, seq]));
  for (const call of calls) {
    if (call.target.collection !== 'guides') continue;
    const id = resolve(call.target.id);
    const isThere = call.kind === 'guide-create' && seqs.has(id);
    if (!isThere && applies(call, seqs.get(id) ?? null)) applyToCard(cards, id, call, favorites, services);
    const card = cards.get(id);
    if (card !== undefined && isOpen(call) && !isThere) cards.set(id, { ...card, pending: true });
  }
  for (const open of drafts.values()) {
    const id = resolve(open.id);
    if (!services.drafts.hasUnsaved(open)) continue;
    const card = cards.get(id) ?? cardOfContent(id, open.draft.content(), favorites, services);
    cards.set(id, { ...card, pending: true });
  }
  return [...cards.values()];
}

function applyToCard(
  cards: Map<string, GuideSummaryCard>,
  id: string,
  call: OutboxCall,
  favorites: ReadonlySet<string>,
  services: Services,
): void {
  const save = guideSaveOf(call);
  const card = cards.get(id);
  if (save !== undefined && (card !== undefined || call.kind === 'guide-create')) {
    cards.set(id, { ...cardOfContent(id, save.content, favorites, services), public: card?.public ?? false });
  } else if (call.kind === 'guide-delete') cards.delete(id);
  else if (call.kind === 'guide-publish' && card !== undefined)
    cards.set(id, { ...card, public: call.method === 'PUT' });
}

/** The last card of each row. A changed row is a new object. */
type CardsOfRows = WeakMap<GuideRow, GuideSummaryCard>;

function cardOfRow(
  row: GuideRow,
  favorites: ReadonlySet<string>,
  services: Services,
  ofRows: CardsOfRows,
): GuideSummaryCard {
  const favorite = favorites.has(row.id);
  const ready = readiness(row.id, services);
  const last = ofRows.get(row);
  if (last !== undefined && last.favorite === favorite && sameValue(last.readiness, ready)) return last;
  const card = { ...cardFacts(row), favorite, pending: false, readiness: ready };
  ofRows.set(row, card);
  return card;
}

function cardOfContent(
  guideid: string,
  content: GuideContent,
  favorites: ReadonlySet<string>,
  services: Services,
): GuideSummaryCard {
  const { title, category, type, summary, difficulty } = content;
  return {
    guideid,
    title,
    category,
    type,
    summary,
    difficulty,
    timeRequired: content.time_required_max,
    steps: content.steps.length,
    imageGuid: content.image?.guid ?? null,
    public: false,
    favorite: favorites.has(guideid),
    pending: true,
    readiness: readiness(guideid, services),
    snippet: null,
  };
}

function readiness(guideid: string, { index, media, sources }: Services): OfflineReadiness {
  return readinessOf(guideid, {
    find: (id) => index.find(sources.resolve(id)),
    has: (key) => media.cache.has(key),
    isAwaited: (key) => media.cache.isAwaited(key),
    isAppKept: media.isAppKept,
  });
}

/**
 * - FIND-6 Filters combine: by category, difficulty, type, readiness offline, favourites and drafts. The choices are those
 *   of the category, whatever else is chosen.
 */
function page(
  cards: readonly GuideSummaryCard[],
  query: LibraryQuery,
  edges: readonly CategoryEdge[],
  drafts: ReadonlyMap<string, OpenDraft>,
  services: Services,
): LibraryPage {
  const categories = query.category === null ? null : subtreeOf(query.category, edges);
  const drafted = new Set([...drafts.values()].map((open) => services.sources.resolve(open.id)));
  const { only = [], difficulty, type } = query;
  const hasMark: Record<LibraryMark, (card: GuideSummaryCard) => boolean> = {
    favorites: ({ favorite }) => favorite,
    'ready-offline': ({ readiness: { state } }) => state === 'ready',
    drafts: ({ guideid, pending }) => drafted.has(guideid) && pending,
  };
  const ofCategory = categories === null ? cards : cards.filter((card) => categories.has(card.category));
  const chosen = ofCategory.filter(
    (card) =>
      (difficulty === undefined || card.difficulty === difficulty) &&
      (type === undefined || card.type === type) &&
      only.every((mark) => hasMark[mark](card)),
  );
  const search = query.search?.trim() ?? '';
  const guides = search === '' ? chosen : found(chosen, search, services);
  return {
    guides,
    total: guides.length,
    readyOffline: guides.filter(({ readiness: { state } }) => state === 'ready').length,
    mediaBytes: services.media.cache.bytes,
    choices: choicesOf(ofCategory),
  };
}

/** By what these guides differ, and can be filtered. */
function choicesOf(cards: readonly GuideSummaryCard[]): LibraryPage['choices'] {
  const types = new Set(cards.map(({ type }) => type));
  const found = new Set(cards.map((card) => card.difficulty));
  return {
    difficulties: difficulties.filter((one) => found.has(one)),
    types: [...types].filter((type) => type !== '').toSorted(),
  };
}

/** Sorts by title, beginning with the order of `before`: sorting is fast when the cards are almost in order. */
function sorted(cards: readonly GuideSummaryCard[], before: readonly GuideSummaryCard[]): GuideSummaryCard[] {
  const present = new Map(cards.map((card) => [card.guideid, card]));
  const prepared = before.flatMap(({ guideid }) => {
    const card = present.get(guideid);
    present.delete(guideid);
    return card === undefined ? [] : [card];
  });
  return [...prepared, ...present.values()].toSorted(compareCards);
}

/**
 * Search results by relevance. Guides that are not in the index yet are searched by title and summary, and come last.
 */
function found(cards: readonly GuideSummaryCard[], search: string, { index }: Services): GuideSummaryCard[] {
  const hits = index.search(search);
  const isFound = new Set(hits.map(({ id }) => id));
  const words = searchWords(search);
  const rest = cards.filter((card) => {
    if (isFound.has(card.guideid) || index.find(card.guideid) !== undefined) return false;
    const own = searchWords(`${card.title} ${card.summary}`);
    return words.every((word) => own.some((other) => other.startsWith(word)));
  });
  return [...foundCards(cards, hits), ...rest];
}
