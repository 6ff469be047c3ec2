import { type Observable, combineLatest, distinctUntilChanged, map } from 'rxjs';

import { sameValue } from '#shared/rules/same-value.ts';

import { overlayTags } from './overlay/tags.ts';
import type { Sources } from './sources.ts';

/** Tags of a guide or wiki page, alphabetical, waiting calls on top. `id`: the real one if there is one. */
export function tagsOf(
  { core, calls, resolve }: Sources,
  kind: 'guide' | 'wiki',
  id: string,
): Observable<string[]> {
  return combineLatest([core.mirror.one('viewer', `${kind}Tags:${id}`), calls]).pipe(
    map(([record, waiting]) => {
      const facts = record?.facts;
      const isTags = facts?.kind === 'guideTags' || facts?.kind === 'wikiTags';
      const mirrored = record === null || !isTags ? null : { seq: record.seq, tags: facts.tags };
      return overlayTags(kind, id, mirrored, waiting, resolve);
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}
