import { type Observable, combineLatest, distinctUntilChanged, map, switchMap } from 'rxjs';

import { sameValue } from '#shared/rules/same-value.ts';

import {
  isAbout,
  type KeptWords,
  type UnreadableWords,
  needsPerson,
  keptIdOf,
  unreadableIdOf,
} from '../account/leaving/quarantine.ts';
import type { Sources } from '../features/records/sources.ts';
import type { KeptRecord } from '../api/sync-records.ts';

/** What the person wrote in guides and pages that they can no longer see, latest first (leaving README, LEAVING-4). */
export function keptRecords({ core }: Sources): Observable<KeptRecord[]> {
  const readable = core.leaving.kept.pipe(
    switchMap((items) => {
      const groups = [...Map.groupBy(items.filter(needsPerson), keptIdOf).values()];
      const records = groups.map((group) => {
        const first = group[0] ?? fail();
        return core.mirror
          .one(first.collection, first.recordid)
          .pipe(map((record) => keptRecord(group, record !== null && isAbout(first, record.facts))));
      });
      return records.length === 0 ? [[]] : combineLatest(records);
    }),
  );
  return combineLatest([readable, core.leaving.unreadable]).pipe(
    map(([records, unread]) => [...records, ...unread.map(unreadableRecord)]),
    map((records) => records.toSorted((a, b) => b.at - a.at)),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

function unreadableRecord(item: UnreadableWords): KeptRecord {
  return { id: unreadableIdOf(item), guideid: null, wikiid: null, at: 0, isHere: false, words: [] };
}

function keptRecord(items: readonly KeptWords[], isHere: boolean): KeptRecord {
  const first = items[0] ?? fail();
  const words = items.flatMap(({ words: own, isComment }) =>
    own.map(({ place, value }) => ({
      kind: isComment ? ('comment' as const) : partOf(place),
      field: place.field ?? place.list ?? '',
      text: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  );
  return {
    id: keptIdOf(first),
    guideid: first.collection === 'guides' ? first.recordid : null,
    wikiid: first.collection === 'wikis' ? first.recordid : null,
    at: Math.max(...items.map(({ at }) => at)),
    isHere,
    // A later save repeats the words of the earlier one.
    words: [...new Map(words.map((word) => [JSON.stringify(word), word])).values()].filter(
      ({ text }) => text !== '',
    ),
  };
}

function partOf(place: KeptWords['words'][number]['place']): 'field' | 'step' | 'line' {
  if (place.line !== undefined) return 'line';
  return place.step === undefined ? 'field' : 'step';
}

function fail(): never {
  throw new Error('Nothing is kept here');
}
