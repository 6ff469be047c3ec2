import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';

import type { LibraryMark } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';

/** What the shown guides have in common, besides their shelf. */
export interface Filters {
  marks: readonly LibraryMark[];
  difficulty: string | null;
  type: string | null;
}

export const noFilters: Filters = { marks: [], difficulty: null, type: null };

/** The marks, in the order of the menu. */
export const marks: readonly LibraryMark[] = ['ready-offline', 'favorites', 'drafts'];

export const markNames: Record<LibraryMark, string> = {
  'ready-offline': text.library.readyOffline,
  favorites: text.library.favorites,
  drafts: text.library.drafts,
};

/** The filters of an address. Unknown marks are left out. */
export function filtersAt(search: string): Filters {
  const query = new URLSearchParams(search);
  const asked = query.getAll('mark');
  return {
    marks: marks.filter((mark) => asked.includes(mark)),
    difficulty: query.get('difficulty'),
    type: query.get('type'),
  };
}

/** An address with these filters instead of its own. Its other parameters stay. */
export function withFilters(address: string, { marks: chosen, difficulty, type }: Filters): string {
  const [path = '', search = ''] = address.split('?');
  const query = new URLSearchParams(search);
  query.delete('mark');
  for (const mark of chosen) query.append('mark', mark);
  for (const [name, value] of [
    ['difficulty', difficulty],
    ['type', type],
  ] as const) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  return [path, query.toString()].filter((part) => part !== '').join('?');
}

export function hasFilters({ marks: chosen, difficulty, type }: Filters): boolean {
  return chosen.length > 0 || difficulty !== null || type !== null;
}

/** The filters of the present address, and a function that changes them. They stay when one goes back. */
export function useFilters(): [Filters, (filters: Filters) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const change = useCallback(
    (filters: Filters) => navigate(withFilters(search === '' ? path : `${path}?${search}`, filters)),
    [search, path, navigate],
  );
  return [filtersAt(search), change];
}
