import { isReachable } from '#shared/rules/urls.ts';
import { combineLatest, distinctUntilChanged, map, type Observable } from 'rxjs';

import type { GuideFacts, MediaFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { archivedUrl, type ArchivedGuide, type ArchivedMedia } from '#shared/formats/omanual/archive.ts';
import { isApproved } from '#shared/rules/approvals.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

import {
  archivedFileAddress,
  archivedFileId,
  archivedGuideId,
  type FileOwner,
} from '../features/archives/ids.ts';
import { mayLoadLinks } from '../storage/archive-record.ts';
import type { ArchiveIndex, GuideBrief, IndexedGuide } from '../storage/archive-rows.ts';
import type { Services } from '../features/services.ts';
import { libraryTwins } from './archive-twins.ts';
import type { LocalGuide } from '../features/records/overlay/guide.ts';
import type { PlayableGuide, StepView } from '../api/records.ts';
import { renderGuide, renderSteps, wikiContext } from '../features/records/rendering.ts';

/** The address of a guide of an archive in the app. */
export function archivedGuideAddress(archiveid: string, place: number): string {
  return `/archives/${archiveid}/guides/${place}`;
}

/**
 * A guide of an archive, ready to be played like one of the library; null while it is not read, or after it is gone.
 */
export function archivedGuideView(
  services: Services,
  archiveid: string,
  place: number,
): Observable<PlayableGuide | null> {
  const { store } = services.archives;
  return combineLatest([
    store.archives.pipe(
      map((archives) => {
        const found = archives.find(({ record }) => record.archiveid === archiveid);
        return found === undefined || found.index === null
          ? null
          : { ...found.index, mayLoad: mayLoadLinks(found.record) };
      }),
      distinctUntilChanged((a, b) => sameValue(a, b)),
    ),
    store.briefs(archiveid),
    store.guideAt(archiveid, place),
    libraryTwins(services),
  ]).pipe(
    map(([index, briefs, guide, twins]) => {
      const brief = briefs.find((one) => one.place === place);
      if (index === null || guide === null || brief === undefined) return null;
      return playable(archiveid, index, briefs, { place, guide }, twins(index, brief));
    }),
  );
}

function playable(
  archiveid: string,
  index: ArchiveIndex & { mayLoad: boolean },
  guides: readonly GuideBrief[],
  { place, guide }: IndexedGuide,
  same: string | null,
): PlayableGuide {
  const guideid = archivedGuideId(archiveid, place);
  const facts = inArchive(archiveid, place, guide.facts);
  const local: LocalGuide = {
    guideid,
    facts,
    content: contentOf(facts),
    public: true,
    pending: false,
    editState: 'none',
    modifiedAt: facts.modified_date * 1000,
  };
  const byNumber = new Map(guides.map((one) => [one.guideid, one]));
  const wiki = archiveContext(
    { archiveid, place, media: guide.media, mayLoad: index.mayLoad },
    index.base,
    byNumber,
  );
  return {
    ...renderGuide(local, wiki),
    documents: guide.facts.documents.map(({ guid, text, extension }) => ({
      guid: archivedFileId({ archiveid, place, guid }),
      title: text,
      extension,
      url: linkOf(guide, guid),
    })),
    prerequisites: facts.prerequisites.flatMap((number) => {
      const first = byNumber.get(number);
      if (first === undefined) return [];
      const { title, steps } = first;
      return [
        { guideid: archivedGuideId(archiveid, first.place), title, steps, release: null, completed: false },
      ];
    }),
    steps: renderSteps(local, wiki, index.base, new Map(), new Map()).map((step) =>
      withVideoInside({ archiveid, place, media: guide.media, mayLoad: index.mayLoad }, step),
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
    archive: {
      archiveid,
      title: index.title,
      same,
      signatures: guide.signatures,
      outside: index.mayLoad ? [] : outsideHosts(guide),
      isUnapproved: guide.facts.approval !== undefined && !isApproved(guide.facts),
    },
    release: null,
    revision: null,
  };
}

/** The files that a guide, or the categories, of an archive show. */
interface ShownFiles {
  archiveid: string;
  place: FileOwner;
  media: readonly ArchivedMedia[];
  /** Whether what the archive only links to may be loaded. */
  mayLoad: boolean;
}

/** The context in which texts of an archive are rendered. Numbers of guides and pictures are those of the archive. */
export function archiveContext(
  { archiveid, place, media, mayLoad }: ShownFiles,
  base: string,
  byNumber: ReadonlyMap<number, GuideBrief>,
): WikiContext {
  return {
    // Links to `http://localhost` would lead everybody to their own machine.
    ...wikiContext(isReachable(base) ? base : '', []),
    ...(mayLoad ? {} : { trustedHosts: [] }),
    guideTitle: (number) => {
      const found = byNumber.get(Number(number));
      if (found === undefined) return null;
      return { title: found.title, url: archivedGuideAddress(archiveid, found.place) };
    },
    guideTitled: (title) => {
      const found = [...byNumber.values()].find((one) => one.title === title);
      if (found === undefined) return null;
      return { guideid: found.guideid, title, url: archivedGuideAddress(archiveid, found.place) };
    },
    image: (imageid) => {
      const found = media.find(({ kind, id }) => kind === 'image' && id === imageid);
      if (found === undefined) return null;
      const address = archivedFileAddress({ archiveid, place, guid: found.guid });
      return { id: found.id, guid: found.guid, url: () => address };
    },
  };
}

/** The facts with file ids by which views find the files in the archive. */
function inArchive(archiveid: string, place: number, facts: GuideFacts): GuideFacts {
  const named = <T extends { guid: string }>(one: T): T => ({
    ...one,
    guid: archivedFileId({ archiveid, place, guid: one.guid }),
  });
  const media = (one: MediaFacts): MediaFacts =>
    one.type === 'image' ? { type: 'image', data: one.data.map((image) => named<ImageRef>(image)) } : one;
  return {
    ...facts,
    image: facts.image === null ? null : named(facts.image),
    documents: facts.documents.map(named),
    steps: facts.steps.map((step) => ({ ...step, media: media(step.media) })),
  };
}

/** A step whose video is named by its file id if it is inside the archive: a page cannot load its address. */
function withVideoInside({ archiveid, place, media, mayLoad }: ShownFiles, step: StepView): StepView {
  const { video } = step;
  if (video === null) return mayLoad ? step : { ...step, embedHtml: null };
  const inside = media.find((one) => one.member !== null && archivedUrl(one.guid) === video.url);
  const file = inside === undefined ? video.file : archivedFileId({ archiveid, place, guid: inside.guid });
  return { ...step, video: { ...video, file, url: inside || !mayLoad ? '' : video.url, poster: null } };
}

/** The hosts from which the pictures, videos and pages of a guide would be loaded. */
function outsideHosts({ media, facts }: ArchivedGuide): string[] {
  const linked = media.filter(({ kind, member }) => kind !== 'document' && member === null);
  const pages = facts.steps.flatMap((step) => (step.media.type === 'embed' ? [step.media.data.url] : []));
  const hosts = [...linked.map(({ url }) => url ?? ''), ...pages].flatMap((url) =>
    URL.canParse(url) ? [new URL(url).host] : [],
  );
  return [...new Set(hosts)].toSorted();
}

/** The address of a file to which the archive only links. */
function linkOf({ media }: ArchivedGuide, guid: string): string | null {
  return media.find((one) => one.guid === guid)?.url ?? null;
}
