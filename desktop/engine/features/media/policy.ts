import { type Observable, combineLatest, distinctUntilChanged, map, of, startWith, switchMap } from 'rxjs';

import type { GuideFacts } from '#shared/model/guide.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import type { GuideRow } from '#desktop/engine/platform/ports.ts';
import { categoryEdgesIn } from '../records/category-tree.ts';
import { sampled } from '../records/sampled.ts';
import { type Sources, createSources } from '../records/sources.ts';
import type { ChoiceSources } from './chosen-guides.ts';
import { mustKeep } from './must-keep.ts';
import type { OfflineSetting, OfflineSettings } from './offline-setting.ts';
import type { PinnedGuides, Pins } from './pins.ts';

/** From what follows which guides this device keeps. */
export interface Policy {
  setting: OfflineSetting;
  pins: PinnedGuides;
  kept: readonly string[];
  choosing: Omit<ChoiceSources, 'teamsOf'> & { rows: readonly GuideRow[] };
  /** Earlier versions of guides by which this person works, or is to work. */
  earlier: readonly GuideFacts[];
  /** Whether all records were on this device when the rest was read. */
  isComplete: boolean;
}

/**
 * From what follows which guides this device keeps; null while that is read anew: when somebody else signs in, and when
 * all records have arrived. Shared streams may then still hold what they read before.
 */
export function policyOf(
  core: Core,
  { settings, pins }: { settings: OfflineSettings; pins: Pins },
): Observable<Policy | null> {
  const homes = core.session.state.pipe(
    map(({ home }) => home),
    distinctUntilChanged(),
  );
  return combineLatest([homes, core.sync.complete.pipe(distinctUntilChanged())]).pipe(
    switchMap(([home, isComplete]) => {
      if (home === null) return of(null);
      const sources = createSources(core);
      return combineLatest([
        settings.setting,
        pins.state,
        mustKeep(sources),
        choiceSourcesIn(sources).pipe(sampled(core.environment, 1000)),
        earlierTexts(core),
      ]).pipe(
        map(([setting, pinned, kept, choosing, earlier]): Policy => {
          return { setting, pins: pinned, kept, choosing, earlier, isComplete };
        }),
        startWith(null),
      );
    }),
  );
}

/** What a choice is decided from. */
function choiceSourcesIn(sources: Sources): Observable<Policy['choosing']> {
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
function earlierTexts({ mirror }: Pick<Core, 'mirror'>): Observable<GuideFacts[]> {
  return combineLatest([mirror.all('releaseTexts'), mirror.all('workVersions')]).pipe(
    map((records) => records.flat().map(({ facts: { guide } }) => ({ ...guide, prerequisites: [] }))),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}
