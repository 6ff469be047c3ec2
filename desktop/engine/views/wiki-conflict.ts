import { type Observable, combineLatest, map } from 'rxjs';

import type { Place } from '#shared/rules/guide-content.ts';
import { shownTitle } from '#shared/rules/wiki-record.ts';

import { wikiSaveOf } from '../outbox/kinds/pages.ts';
import { conflictView } from './conflict.ts';
import { callsOf } from '../features/records/overlay/applies.ts';
import type { GuideConflicts, GuideConflictView } from '../api/conflict-records.ts';
import type { Sources } from '../features/records/sources.ts';

/** The contradictions between a waiting save of a page and the server's version; null when there are none. */
export function wikiConflict(sources: Sources, wikiid: string): Observable<GuideConflicts | null> {
  return combineLatest([sources.calls, sources.names]).pipe(
    map(([calls, names]) => {
      const call = callsOf(calls, 'wikis', wikiid, sources.resolve).find(({ state }) => state === 'conflict');
      const save = call === undefined ? undefined : wikiSaveOf(call);
      if (save?.contest === undefined) return null;
      const { theirs, conflicts, merges, mineAt, theirsAt } = save.contest;
      return {
        guideid: `wiki:${sources.resolve(wikiid)}`,
        title: shownTitle(save.content),
        theirName: names.get(theirs.userid) ?? '',
        conflicts: conflicts.map((one) => conflictView(one, placeOf(one.place), { mineAt, theirsAt })),
        merged: merges.map(({ kind, place }) => `${kind}:${place.list ?? place.field ?? ''}`),
      };
    }),
  );
}

/** A fact or a supplier is named by its own words; a document by a guid, which tells nobody anything. */
function placeOf({ list, element, field }: Place): GuideConflictView['place'] {
  const isNamed = list === 'info' || list === 'suppliers';
  return {
    ...((list ?? field) === undefined ? {} : { field: list ?? field }),
    ...(isNamed && element !== undefined ? { element: element.trim() } : {}),
  };
}
