import { combineLatest, distinctUntilChanged, map, type Observable } from 'rxjs';

import type { GuideFacts, MediaFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { archivedUrl, type ArchivedGuide, type ArchivedMedia } from '#shared/omanual/archive.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import type { WikiContext } from '#shared/wikitext/context.ts';

import { archivedFileAddress, archivedFileId, archivedGuideId } from '../archives/ids.ts';
import type { ArchiveIndex, IndexedGuide } from '../archives/rows.ts';
import type { Services } from '../services.ts';
import { libraryTwins } from './archive-twins.ts';
import type { LocalGuide } from './overlay/guide.ts';
import type { PlayableGuide, StepView } from './records.ts';
import { renderGuide, renderSteps, wikiContext } from './rendering.ts';

/** Where the app shows a guide of an archive. */
export function archivedGuideAddress(archiveid: string, place: number): string {
  return `/archives/${archiveid}/guides/${place}`;
}

/** A guide of an archive, made ready to be played like one of the library; null while it is not read, or gone. */
export function archivedGuideView(
  services: Services,
  archiveid: string,
  place: number,
): Observable<PlayableGuide | null> {
  const { shelf } = services.archives;
  return combineLatest([
    shelf.archives.pipe(
      map((archives) => archives.find(({ record }) => record.archiveid === archiveid)?.index ?? null),
      distinctUntilChanged((a, b) => sameValue(a, b)),
    ),
    shelf.guides(archiveid),
    libraryTwins(services),
  ]).pipe(
    map(([index, guides, twins]) => {
      const found = guides.find((one) => one.place === place);
      if (index === null || found === undefined) return null;
      const same = twins(index, found.guide);
      return playable(archiveid, index, guides, found, same);
    }),
  );
}

function playable(
  archiveid: string,
  index: ArchiveIndex,
  guides: readonly IndexedGuide[],
  { place, guide }: IndexedGuide,
  same: string | null,
): PlayableGuide {
  const guideid = archivedGuideId(archiveid, place);
  const facts = inArchive(archiveid, guide.facts);
  const local: LocalGuide = {
    guideid,
    facts,
    content: contentOf(facts),
    public: true,
    pending: false,
    editState: 'none',
    modifiedAt: facts.modified_date * 1000,
  };
  const byNumber = new Map(guides.map((one) => [one.guide.facts.guideid, one]));
  const wiki = archiveContext(archiveid, index.base, byNumber, guide.media);
  return {
    ...renderGuide(local, wiki),
    documents: facts.documents.map(({ guid, text, extension }) => ({
      guid,
      title: text,
      extension,
      url: linkOf(archiveid, guide, guid),
    })),
    prerequisites: facts.prerequisites.flatMap((number) => {
      const first = byNumber.get(number);
      if (first === undefined) return [];
      const { title, steps } = first.guide.facts;
      return [
        { guideid: archivedGuideId(archiveid, first.place), title, steps: steps.length, release: null },
      ];
    }),
    steps: renderSteps(local, wiki, index.base, new Map(), new Map()).map((step) =>
      withVideoInside(archiveid, guide, step),
    ),
    comments: [],
    author: guide.author,
    tags: guide.tags,
    canTag: false,
    canEdit: false,
    favorite: false,
    completed: false,
    editState: 'none',
    readiness: { state: 'ready' },
    archive: { archiveid, title: index.title, same },
    release: null,
  };
}

/** How texts of an archive are rendered: numbers of guides and pictures are the archive's own. */
export function archiveContext(
  archiveid: string,
  base: string,
  byNumber: ReadonlyMap<number, IndexedGuide>,
  media: readonly ArchivedMedia[],
): WikiContext {
  return {
    ...wikiContext(base, []),
    guideTitle: (number) => {
      const found = byNumber.get(Number(number));
      if (found === undefined) return null;
      return { title: found.guide.facts.title, url: archivedGuideAddress(archiveid, found.place) };
    },
    guideTitled: (title) => {
      const found = [...byNumber].find(([, { guide }]) => guide.facts.title === title);
      if (found === undefined) return null;
      const [guideid, { place }] = found;
      return { guideid, title, url: archivedGuideAddress(archiveid, place) };
    },
    image: (imageid) => {
      const found = media.find(({ kind, id }) => kind === 'image' && id === imageid);
      if (found === undefined) return null;
      const address = archivedFileAddress(archiveid, found.guid);
      return { id: found.id, guid: found.guid, url: () => address };
    },
  };
}

/** The same facts with files named so that views find them in the archive. */
export function inArchive(archiveid: string, facts: GuideFacts): GuideFacts {
  const image = (one: ImageRef): ImageRef => ({ ...one, guid: archivedFileId(archiveid, one.guid) });
  const media = (one: MediaFacts): MediaFacts =>
    one.type === 'image' ? { type: 'image', data: one.data.map(image) } : one;
  return {
    ...facts,
    image: facts.image === null ? null : image(facts.image),
    documents: facts.documents.map((one) => ({ ...one, guid: archivedFileId(archiveid, one.guid) })),
    steps: facts.steps.map((step) => ({ ...step, media: media(step.media) })),
  };
}

/** A video inside is named like every other file of the archive; its address is none that a page can load. */
function withVideoInside(archiveid: string, guide: ArchivedGuide, step: StepView): StepView {
  const { video } = step;
  if (video === null) return step;
  const inside = guide.media.find((one) => one.member !== null && archivedUrl(one.guid) === video.url);
  const name = inside === undefined ? video.videoid : archivedFileId(archiveid, inside.guid);
  return { ...step, video: { ...video, videoid: name, url: inside ? '' : video.url, poster: null } };
}

/** The address of a file that the archive only links to. */
function linkOf(archiveid: string, guide: ArchivedGuide, guid: string): string | null {
  return guide.media.find((one) => archivedFileId(archiveid, one.guid) === guid)?.url ?? null;
}
