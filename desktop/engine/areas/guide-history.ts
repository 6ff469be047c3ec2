import { type Observable, combineLatest, map, of, switchMap } from 'rxjs';

import { versionText } from '#shared/rules/work-revision.ts';

import type { GuideHistoryView, RevisionView, VersionText } from '../api/guide-history.ts';
import { toLive } from '../features/live.ts';
import { guide as playableGuide } from '../features/records/guide.ts';
import { realIdOf, type Sources } from '../features/records/sources.ts';
import type { Services } from '../features/services.ts';

/** Live reads of the history of guides. */
export function guideHistoryViews(services: Services) {
  return {
    /** Null: the guide is not on this device. */
    guideHistory: (guideid: string) => toLive(guideHistory(services, guideid)),
  };
}

/** Privileges to release guides. The server decides; this only decides what the app offers. */
const releasers = ['Author', 'Moderator', 'Admin'];

function guideHistory(services: Services, guideid: string): Observable<GuideHistoryView | null> {
  const { sources } = services;
  const { core, names, me, site } = sources;
  return realIdOf(sources, guideid).pipe(
    switchMap((id) =>
      combineLatest([
        playableGuide(services, id),
        id.startsWith('tmp:') ? of(null) : core.mirror.one('guides', id),
        textsOnDevice(sources, id),
        core.mirror.all('releases'),
        names,
        me,
        site,
      ]),
    ),
    map(([guide, record, texts, released, known, person, { releases: areUsed }]) => {
      if (guide === null) return null;
      const facts = record?.facts ?? null;
      const nameOf = (userid: number | undefined): string => known.get(userid ?? 0) ?? '';
      const own = texts.map((text) =>
        revisionOf(
          text,
          text.guide_revisionid === facts?.guide_revisionid ? nameOf(facts.modified_userid) : '',
        ),
      );
      const approvedIds = new Set(
        (facts?.approval?.requests ?? [])
          .filter(({ status }) => status === 'approved')
          .flatMap((one) => [one.guide_revisionid, one.published_guide_revisionid]),
      );
      const present = own.find((one) => one.guide_revisionid === facts?.guide_revisionid);
      return {
        guideid: guide.guideid,
        title: guide.title,
        present:
          facts === null || present === undefined ? null : { ...present, revisionid: facts.revisionid },
        editState: guide.editState,
        canEdit: guide.canEdit,
        canRelease:
          areUsed &&
          facts !== null &&
          guide.editState === 'none' &&
          person.privileges.some((one) => releasers.includes(one)),
        onDevice: uniqueRevisions(own),
        releases: released.flatMap(({ facts: one }) =>
          one.guideid === facts?.guideid && one.revision.counted !== undefined
            ? [{ number: one.revision.counted.number, title: one.title }]
            : [],
        ),
        approved: own.flatMap(({ number, guide_revisionid }) =>
          number !== null && approvedIds.has(guide_revisionid) ? [number] : [],
        ),
      };
    }),
  );
}

/** The texts of a guide on this device: the present one, those of orders, and those of releases for planned orders. */
export function textsOnDevice({ core: { mirror } }: Sources, guideid: string): Observable<VersionText[]> {
  if (guideid.startsWith('tmp:')) return of([]);
  return combineLatest([
    mirror.one('guides', guideid),
    mirror.all('workVersions'),
    mirror.all('releaseTexts'),
  ]).pipe(
    map(([present, worked, released]) => [
      ...(present === null ? [] : [versionText(present.facts)]),
      ...[...worked, ...released]
        .map(({ facts }) => facts.guide)
        .filter((text) => String(text.guideid) === guideid),
    ]),
  );
}

function revisionOf(
  { guide_revisionid, revision, modified_date }: VersionText,
  author: string,
): RevisionView {
  const date = revision?.date ?? modified_date;
  return { number: revision?.number ?? null, guide_revisionid, at: date * 1000, author };
}

/** One revision for each number, newest first. */
export function uniqueRevisions(revisions: readonly RevisionView[]): RevisionView[] {
  const sorted = revisions.toSorted((a, b) => b.guide_revisionid - a.guide_revisionid);
  return sorted.filter((one, index) => {
    const first = sorted.findIndex((other) =>
      one.number === null ? other.guide_revisionid === one.guide_revisionid : other.number === one.number,
    );
    return first === index;
  });
}
