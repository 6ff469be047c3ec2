import { type Observable, map } from 'rxjs';

import type { TaggedGuides } from '../api/archive-records.ts';
import type { Sources } from '../features/records/sources.ts';

/** The tags of the guides on this device, by name. */
export function taggedGuides({ guideTags }: Pick<Sources, 'guideTags'>): Observable<TaggedGuides[]> {
  return guideTags.pipe(
    map((tagsOf) => {
      const pairs = [...tagsOf].flatMap(([guideid, tags]) => tags.map((tag) => ({ tag, guideid })));
      return [...Map.groupBy(pairs, ({ tag }) => tag)]
        .map(([tag, some]) => ({ tag, guideids: some.map(({ guideid }) => guideid) }))
        .toSorted((a, b) => a.tag.localeCompare(b.tag));
    }),
  );
}
