import { combineLatest, distinctUntilChanged, map, type Observable, switchMap } from 'rxjs';

import type { ReleasedGuide } from '#shared/model/guide.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import { mediaNeeds } from '../features/media/needs.ts';
import type { Services } from '../features/services.ts';
import { guide, playable, readiness } from '../features/records/guide.ts';
import type { LocalGuide } from '../features/records/overlay/guide.ts';
import { readinessOf } from '../features/records/readiness.ts';
import type { PlayableGuide, ReleaseView } from '../api/records.ts';
import { factsOfRelease, releasedIn } from '../features/records/pinned-releases.ts';

/**
 * A prerequisite in the release that guide `by` pins. If it pins none, or the site has turned releases off, the present
 * version of the guide.
 */
export function pinnedGuideView(
  services: Services,
  { guideid, by }: { guideid: string; by: string },
): Observable<PlayableGuide | null> {
  services.index.start();
  services.media.opened(by);
  const { sources } = services;
  const asked = combineLatest([sources.core.mirror.one('guides', by), sources.site]).pipe(
    map(([record, site]) => {
      if (record === null || !site.releases) return null;
      const released = releasedIn(record.facts).find(({ guide: one }) => String(one.guideid) === guideid);
      return released === undefined ? null : { released, title: record.facts.title };
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
  return asked.pipe(
    switchMap((found) => {
      if (found === null) return guide(services, guideid);
      return releasedGuide(services, found.released, { guideid: by, title: found.title });
    }),
  );
}

function releasedGuide(
  services: Services,
  released: ReleasedGuide,
  by: ReleaseView['by'],
): Observable<PlayableGuide> {
  const { sources } = services;
  const facts = factsOfRelease(released);
  const guideid = String(facts.guideid);
  const content = contentOf(facts);
  const local: LocalGuide = {
    guideid,
    facts,
    content,
    public: facts.public,
    pending: false,
    editState: 'none',
    modifiedAt: facts.modified_date * 1000,
    ...(released.forms === undefined ? {} : { forms: released.forms }),
  };
  const files = mediaNeeds(content, facts).map(({ key }) => key);
  const present = sources.core.mirror.one('guides', guideid).pipe(
    map((record) => new Set(record?.facts.steps.map(({ stepid }) => stepid))),
    distinctUntilChanged((a, b) => sameValue([...a], [...b])),
  );
  return combineLatest([
    playable(services, local),
    present,
    readiness(services, (find) =>
      readinessOf(guideid, { ...find, find: () => ({ files, prerequisites: [] }) }),
    ),
  ]).pipe(
    map(([view, steps, ready]) => ({
      ...view,
      canEdit: false,
      editState: 'none',
      readiness: ready,
      release: {
        title: released.title,
        by,
        goneSteps: facts.steps.flatMap(({ stepid }) => (steps.has(stepid) ? [] : [String(stepid)])),
      },
    })),
  );
}
