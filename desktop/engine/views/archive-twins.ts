import { combineLatest, distinctUntilChanged, map, type Observable } from 'rxjs';

import type { ArchiveIndex, GuideBrief } from '../storage/archive-rows.ts';
import type { GuideRow } from '../platform/ports.ts';
import type { Services } from '../features/services.ts';
import { foldWord } from '../features/records/search-text.ts';

/** Finds the guide of the library that is the same as one of an archive; null when there is none. */
export type FindTwin = (
  index: ArchiveIndex,
  guide: Pick<GuideBrief, 'foreignId' | 'guideid' | 'title' | 'category'>,
) => string | null;

/**
 * Recognises guides of archives in the library (archives README, ARCHIVE-9): by the site's address and the guide's
 * number, or else by title and category.
 */
export function libraryTwins({ sources }: Services): Observable<FindTwin> {
  return combineLatest([
    sources.rows,
    sources.core.session.state.pipe(
      map(({ server }) => server ?? ''),
      distinctUntilChanged(),
    ),
  ]).pipe(map(([rows, server]) => twinsAmong(rows, server)));
}

/** Finds guides among the rows of the library. `server`: address of the session's server. */
export function twinsAmong(rows: readonly GuideRow[], server: string): FindTwin {
  const ids = new Set(rows.map(({ id }) => id));
  const names = new Map(rows.map(({ id, title, category }) => [nameOf(title, category), id]));
  return (index, guide) => {
    const number = guide.foreignId ?? guide.guideid;
    const isKnown = guide.foreignId !== null || index.producer === 'benchbook';
    if (isKnown && isSameSite(index.base, server) && ids.has(String(number))) return String(number);
    return names.get(nameOf(guide.title, guide.category)) ?? null;
  };
}

function nameOf(title: string, category: string): string {
  return `${foldWord(title.trim())}\n${foldWord(category.trim())}`;
}

/** Whether two addresses are the same site. The scheme is ignored: many sites answer to both. */
function isSameSite(one: string, other: string): boolean {
  const bare = (address: string): string => address.replace(/^https?:\/\//, '').replace(/\/+$/, '');
  return one !== '' && bare(one) === bare(other);
}
