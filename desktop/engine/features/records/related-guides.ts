import { type Observable, combineLatest, distinctUntilChanged, map, of } from 'rxjs';

import { isListed, listCriteria, type GuideNames, type LinkableGuide } from '#shared/rules/linked-guides.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { GuideRow } from '#desktop/engine/platform/ports.ts';
import type { Sources } from './sources.ts';

/** A guide that another record names. */
export interface RelatedGuide extends LinkableGuide {
  id: string;
  steps: number;
}

/** Guides of this device that texts name (`names`), and those of `ids`, by id. */
export function relatedGuides(
  sources: Pick<Sources, 'resolve' | 'rows' | 'guideTags'>,
  names: GuideNames,
  ids: readonly string[] = [],
): Observable<Map<string, RelatedGuide>> {
  const wanted = new Set([...names.ids, ...ids].map((id) => sources.resolve(String(id))));
  const titles = new Set(names.titles);
  const wishes = names.lists.flatMap((options) => listCriteria(options) ?? []);
  if (wanted.size === 0 && titles.size === 0 && wishes.length === 0) return of(new Map());
  const needsTags = wishes.some((wish) => wish.tags.length > 0);
  const none: ReadonlyMap<string, readonly string[]> = new Map();
  return combineLatest([sources.rows, needsTags ? sources.guideTags : of(none)]).pipe(
    map(([rows, tags]) =>
      rows
        .map((row) => relatedGuide(row, tags.get(row.id) ?? []))
        .filter(
          (guide) =>
            wanted.has(guide.id) || titles.has(guide.title) || wishes.some((wish) => isListed(guide, wish)),
        ),
    ),
    distinctUntilChanged((a, b) => sameValue(a, b)),
    map((guides) => new Map(guides.map((guide) => [guide.id, guide]))),
  );
}

function relatedGuide(
  { id, title, steps, type, public: isPublic }: GuideRow,
  tags: readonly string[],
): RelatedGuide {
  return { id, title, steps, type, public: isPublic, tags };
}
