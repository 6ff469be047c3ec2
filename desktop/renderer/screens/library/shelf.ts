import type { LibraryMark, LibraryQuery } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';

import type { Filters } from './filters.ts';

/** A shelf of the library: the set of guides that the screen shows. */
export type Shelf =
  | { kind: 'all' }
  | { kind: 'category'; category: string }
  | { kind: 'favorites' }
  | { kind: 'ready-offline' }
  | { kind: 'drafts' };

/** The query for the guides of a shelf, narrowed by filters and a search text. */
export function shelfQuery(shelf: Shelf, { marks, difficulty, type }: Filters, search: string): LibraryQuery {
  const words = search.trim();
  const own: readonly LibraryMark[] = shelf.kind === 'all' || shelf.kind === 'category' ? [] : [shelf.kind];
  const only = [...new Set([...own, ...marks])];
  return {
    category: shelf.kind === 'category' ? shelf.category : null,
    ...(only.length > 0 && { only }),
    ...(difficulty !== null && { difficulty }),
    ...(type !== null && { type }),
    ...(words !== '' && { search: words }),
  };
}

/** The heading of a shelf. `nameOf`: the names of categories (`useCategoryName`). */
export function shelfTitle(shelf: Shelf, nameOf: (category: string) => string): string {
  switch (shelf.kind) {
    case 'all':
      return text.library.allGuides;
    case 'category':
      return nameOf(shelf.category);
    case 'favorites':
      return text.library.favorites;
    case 'ready-offline':
      return text.library.readyOffline;
    case 'drafts':
      return text.library.drafts;
    default:
      return shelf satisfies never;
  }
}

/** The address of a shelf. */
export function shelfHref(shelf: Shelf): string {
  switch (shelf.kind) {
    case 'all':
      return '/';
    case 'category':
      return `/library/${encodeURIComponent(shelf.category)}`;
    case 'favorites':
      return '/favorites';
    case 'ready-offline':
    case 'drafts':
      return `/library?only=${shelf.kind}`;
    default:
      return shelf satisfies never;
  }
}

/** The shelf at an address under `/library`. */
export function shelfAt(category: string | undefined, search: string): Shelf {
  if (category !== undefined) return { kind: 'category', category: decodeURIComponent(category) };
  const only = new URLSearchParams(search).get('only');
  return only === 'ready-offline' || only === 'drafts' ? { kind: only } : { kind: 'all' };
}

export function isSameShelf(a: Shelf, b: Shelf): boolean {
  return shelfHref(a) === shelfHref(b);
}
