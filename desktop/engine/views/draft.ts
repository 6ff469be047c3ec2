import { type Observable, combineLatest, distinctUntilChanged, map } from 'rxjs';

import { type ContentPath, pathId } from '#shared/rules/guide-content.ts';

import { refusedPlaces } from '../features/editing/refused-places.ts';
import { documentOf } from '../features/media/documents.ts';
import type { OpenDraft } from '../drafts/open-draft.ts';
import type { Services } from '../features/services.ts';
import { canShare } from '../features/records/guide-access.ts';
import type { DraftState } from '../api/records.ts';
import type { Me } from '../features/records/sources.ts';

/** The open draft of a guide; null when none is open, and in tabs that do not lead (see `DraftManager`). */
export function draft(services: Services, guideid: string): Observable<DraftState | null> {
  const { sources, drafts } = services;
  const categories = sources.core.mirror.all('wikis').pipe(
    map((records) => {
      const titles = records.flatMap(({ facts }) => (facts.namespace === 'CATEGORY' ? [facts.title] : []));
      return titles.toSorted((a, b) => a.localeCompare(b));
    }),
  );
  const documents = sources.core.mirror
    .all('media')
    .pipe(
      map((records) =>
        records.flatMap(({ facts }) => (facts.kind === 'document' ? [documentOf(facts)] : [])),
      ),
    );
  const isPublic = combineLatest([sources.rows, sources.calls]).pipe(
    map(([rows]) => rows.find(({ id }) => id === sources.resolve(guideid))?.public ?? false),
    distinctUntilChanged(),
  );
  return combineLatest([
    drafts.drafts,
    sources.calls,
    categories,
    sources.site,
    sources.me,
    isPublic,
    documents,
  ]).pipe(
    map(([, , titles, site, me, shown, ownDocuments]) => {
      const open = drafts.find(guideid);
      if (open === undefined || !drafts.leads) return null;
      return {
        ...stateOf(open, services, me),
        public: shown,
        categories: titles,
        guideTypes: site.guideTypes,
        flags: me.flags,
        ownDocuments,
      };
    }),
  );
}

function stateOf(
  open: OpenDraft,
  { sources, drafts }: Services,
  me: Me,
): Omit<DraftState, 'public' | 'categories' | 'guideTypes' | 'flags' | 'ownDocuments'> {
  const { draft: edited } = open;
  return {
    guideid: sources.resolve(open.id),
    content: edited.content(),
    canUndo: edited.canUndo,
    canRedo: edited.canRedo,
    dirty: drafts.hasUnsaved(open),
    saved: open.isSaving ? 'saving' : 'device',
    problems: [
      ...edited
        .flaws()
        .map(({ place, ...flaw }) => ({ ...flaw, place: pathId(place satisfies ContentPath) })),
      ...refusedPlaces(drafts.openSaves(open.id), edited.content()),
    ],
    canPublish: edited.base !== null && canShare(me, edited.base.userid),
    isNew: edited.base === null,
  };
}
