import type { GuideSummaryCard, WorkOrder } from '#desktop/engine/api/records.ts';
import { foldWord } from '#desktop/engine/features/records/search-text.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { paletteText } from '#desktop/renderer/text/en/palette.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { numberKey } from '#shared/rules/tracing.ts';

import { guideHref } from '../library/guide-address.ts';
import { useCategoryName } from '../library/category-name.ts';
import { shelfHref } from '../library/shelf.ts';
import { placeOfOrder } from '../work-orders/order-groups.ts';
import { traceHref } from '../work-orders/number-link.tsx';
import { readCode, type ScannedCode } from './code-address.ts';
import { placesFor } from './places.ts';

const words = paletteText;
const mostGuides = 8;
const mostRecent = 5;

export type TargetKind = 'guide' | 'order' | 'category' | 'page' | 'screen' | 'number' | 'search' | 'code';

/** Something to go to. */
export interface Target {
  id: string;
  kind: TargetKind;
  name: string;
  /** What tells it from others of the same name. */
  note?: string;
  imageGuid?: string | null;
  href: string;
}

export interface TargetGroup {
  id: string;
  title: string;
  targets: Target[];
}

export interface Results {
  groups: TargetGroup[];
  /** The only thing that has exactly this code; null: none. */
  exact: Target | null;
  code: ScannedCode;
}

/**
 * What the palette offers for a text. Suspends while it is found.
 *
 * - PALETTE-2 It leads to guides, work orders, serial numbers, categories, pages and screens. Without a text it offers the
 *   person's running and paused orders, the guides that they opened last, and the screens.
 */
export function useResults(query: string): Results {
  const { user, server } = useLive('session');
  const isStation = useLive('station') !== null;
  const search = query.trim();
  const { guides } = useLive('library', search === '' ? { category: null } : { category: null, search });
  const found = useLive('find', search);
  const numbers = useLive('numbersHere', search);
  const recent = useLive('recentGuides');
  const own = useLive('workOrders').filter((order) => isOpen(order) && order.mine);
  const nameOf = useCategoryName();
  const places = placesFor({ user, isStation });
  const guide = (card: GuideSummaryCard): Target => ({
    id: `guide-${card.guideid}`,
    kind: 'guide',
    name: card.title === '' ? text.library.unnamed : card.title,
    note: nameOf(card.category),
    imageGuid: card.imageGuid,
    href: guideHref(card.guideid),
  });
  const screen = ({ name, words: shown, href }: (typeof places)[number]): Target => {
    return { id: `screen-${name}`, kind: 'screen', name: shown, href };
  };
  if (search === '') {
    return {
      groups: filled([
        { id: 'continue', title: words.groups.continue, targets: own.map(continued) },
        { id: 'recent', title: words.groups.recent, targets: recent.slice(0, mostRecent).map(guide) },
        { id: 'screens', title: words.groups.screens, targets: places.map(screen) },
      ]),
      exact: null,
      code: null,
    };
  }
  const code = readCode(search, [location.origin, server ?? location.origin], isStation);
  const coded: Target[] =
    code !== null && 'path' in code
      ? [{ id: 'code', kind: 'code', name: words.openAddress, note: code.path, href: code.path }]
      : [];
  const orders = found.orders.map(order);
  const traced = isStation ? [] : numbers.map(number);
  const groups = filled([
    { id: 'code', title: words.groups.code, targets: coded },
    { id: 'screens', title: words.groups.screens, targets: places.filter(named(search)).map(screen) },
    { id: 'orders', title: words.groups.orders, targets: orders },
    { id: 'numbers', title: words.groups.numbers, targets: traced },
    { id: 'guides', title: words.groups.guides, targets: guides.slice(0, mostGuides).map(guide) },
    {
      id: 'categories',
      title: words.groups.categories,
      targets: found.categories.map(({ title, displayTitle, path }) => ({
        id: `category-${title}`,
        kind: 'category',
        name: displayTitle,
        note: [path.join(' › '), text.library.guides(count(title, found.categories))]
          .filter((part) => part !== '')
          .join(' · '),
        href: shelfHref({ kind: 'category', category: title }),
      })),
    },
    {
      id: 'pages',
      title: words.groups.pages,
      targets: (isStation ? [] : found.pages).map(({ wikiid, displayTitle, description, imageGuid }) => ({
        id: `page-${wikiid}`,
        kind: 'page',
        name: displayTitle,
        note: description,
        imageGuid,
        href: `/pages/${encodeURIComponent(wikiid)}`,
      })),
    },
    {
      id: 'more',
      title: words.groups.more,
      targets:
        guides.length > mostGuides
          ? [{ id: 'all', kind: 'search', name: words.searchAll(search), href: searchHref(search) }]
          : [],
    },
  ]);
  const key = numberKey(search);
  const isExact = (one: string): boolean => numberKey(one) === key;
  const exact =
    coded[0] ??
    orders.find((_, at) => isExact(found.orders[at]?.workorderid ?? '')) ??
    traced.find(({ note }) => isExact(note ?? '')) ??
    orders.find((_, at) => found.orders[at]?.serials.some(isExact) === true) ??
    null;
  return { groups, exact, code };
}

function filled(groups: TargetGroup[]): TargetGroup[] {
  return groups.filter(({ targets }) => targets.length > 0);
}

function count(title: string, categories: readonly { title: string; guides: number }[]): number {
  return categories.find((one) => one.title === title)?.guides ?? 0;
}

function isOpen({ status, frozen }: WorkOrder): boolean {
  return !frozen && (status === 'started' || status === 'paused');
}

function continued(one: WorkOrder): Target {
  return {
    ...order(one),
    name: words.continueOrder(one.workorderid),
    note: one.running ? one.guideTitle : words.paused(one.guideTitle),
  };
}

function order(one: WorkOrder): Target {
  const { entryid, workorderid, guideTitle, status, imageGuid } = one;
  return {
    id: `order-${entryid}`,
    kind: 'order',
    name: workorderid,
    note: `${guideTitle} · ${text.workOrders.states[status]}`,
    imageGuid,
    href: isOpen(one) && one.mine ? placeOfOrder(one) : `/work-orders/${encodeURIComponent(entryid)}`,
  };
}

function number(one: string): Target {
  return { id: `number-${one}`, kind: 'number', name: words.trace(one), note: one, href: traceHref(one) };
}

/** The address of a search in all guides. */
export function searchHref(search: string): string {
  return `/?${new URLSearchParams({ q: search }).toString()}`;
}

/** Whether the name of a screen contains the text. */
function named(search: string): (place: { words: string }) => boolean {
  const wanted = foldWord(search);
  return (place) => foldWord(place.words).includes(wanted);
}
