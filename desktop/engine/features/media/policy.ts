import { type Observable, combineLatest, distinctUntilChanged, map } from 'rxjs';

import type { GuideFacts } from '#shared/model/guide.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import type { GuideRow } from '#desktop/engine/platform/ports.ts';
import { categoryEdgesIn } from '../records/category-tree.ts';
import type { Sources } from '../records/sources.ts';
import type { ChoiceSources } from './chosen-guides.ts';
import type { OfflineSetting } from './offline-setting.ts';

/** From what follows which guides this device keeps. */
export interface Policy {
  setting: OfflineSetting;
  pins: readonly string[];
  kept: readonly string[];
  choosing: Omit<ChoiceSources, 'teamsOf'> & { rows: readonly GuideRow[] };
}

/** What a choice is decided from. */
export function choiceSourcesIn(sources: Sources): Observable<Policy['choosing']> {
  const teams = sources.people.pipe(
    map((people) => people.teams),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
  return combineLatest([
    sources.rows,
    categoryEdgesIn(sources),
    sources.favorites,
    sources.guideTags,
    teams,
  ]).pipe(
    map(([rows, edges, favorites, tags, known]) => ({
      rows,
      edges,
      favorites: favorites.on,
      tags,
      teams: known,
    })),
  );
}

/** The texts of other versions of guides by which this person works, or is to work. */
export function earlierTexts({ mirror }: Pick<Core, 'mirror'>): Observable<GuideFacts[]> {
  return combineLatest([mirror.all('releaseTexts'), mirror.all('workVersions')]).pipe(
    map((records) => records.flat().map(({ facts: { guide } }) => ({ ...guide, prerequisites: [] }))),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}
