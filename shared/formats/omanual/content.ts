import type { DocumentRef, GuideFacts, VideoFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

import type { Finding } from './archive.ts';

/** A guide that another one, or an index, names. */
export interface GuideMention {
  guideid: number;
  title: string;
  subject: string;
  type: string;
  langid: string;
  image: ImageRef | null;
  /** Whether the same archive holds the guide itself. */
  included: boolean;
}

/** A guide to write, with what its document says that is no fact of its own. */
export interface GuideToWrite {
  facts: GuideFacts;
  /** Name of the author. */
  author: string;
  tags: readonly string[];
  /** Its prerequisites in order, as far as the reader of the archive may see them; others are left out everywhere. */
  prerequisites: readonly GuideMention[];
  /** Forms of its steps: for pages; the format has no place for them. */
  forms?: readonly StepForm[];
  /** Resolves links, pictures and templates in its texts, for the reader of the archive. */
  wiki: WikiContext;
}

/** The site that documents come from. */
export interface SiteOfOrigin {
  /** Address without a trailing slash, e.g. `https://guides.example.com`. */
  base: string;
  /** What the site's flags say; a flag that is missing shows its id. */
  flags: ReadonlyMap<string, { title: string; text: string }>;
}

/** Something a document shows, for which bytes may go into the archive. */
export type MediaRef =
  | { kind: 'image'; image: ImageRef }
  | { kind: 'video'; video: VideoFacts; encoding: VideoFacts['encodings'][number] }
  | { kind: 'document'; document: DocumentRef };

/** The bytes of a picture, video or document. */
export interface MediaBytes {
  /** By content, e.g. `image/jpeg`. */
  mime: string;
  size: number;
  /** Hands out the bytes from the start; called twice for large files, which must not change meanwhile. */
  open(): Promise<AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>>;
}

/**
 * What goes into an archive. The same content in the same order gives the same bytes, so hand the guides out in a
 * fixed order (by guideid).
 */
export interface ArchiveContent extends SiteOfOrigin {
  /** Name of the site: title of an index that belongs to no category. */
  title: string;
  /** Language of such an index. */
  langid: string;
  /** When the content changed last, in UNIX seconds; said in the round-trip member only. */
  modified: number;
  /** The categories to be written: a tree whose root comes first, several trees, or none. */
  categories: readonly WikiFacts[];
  /** Titles above the root category, nearest first. */
  ancestors: readonly string[];
  /** Resolves what the texts of categories link to. */
  wiki: WikiContext;
  guides: AsyncIterable<GuideToWrite> | Iterable<GuideToWrite>;
  /** How many members the archive will have with media inside, as far as that is known before the guides are read. */
  members?: number;
  /** The bytes of a medium; null: they are not at hand, so that the archive only links to it. */
  media(ref: MediaRef): Promise<MediaBytes | null>;
}

export interface WriteOptions {
  /** `inside`: the archive holds pictures, videos and documents; `links`: it names their addresses. */
  media: 'inside' | 'links';
  /**
   * Draws the markers of a picture (`image.markup`) into a copy of it, in the same file format. Without it markers are
   * only kept as data in the round-trip member.
   */
  marked?: (
    image: ImageRef,
    bytes: Uint8Array<ArrayBuffer>,
    mime: string,
  ) => Promise<Uint8Array<ArrayBuffer>>;
  /** Told after each guide: how many are written, and the bytes so far. */
  progress?: (guides: number, bytes: number) => void;
  /** Most members; those that our own reader opens unless it is said otherwise. */
  mostMembers?: number;
  /** Stops the writing with its reason. */
  signal?: AbortSignal;
}

export interface WriteReport {
  /** What the format could not take, or took otherwise. */
  findings: Finding[];
  guides: number;
  /** Pictures, videos and documents inside. */
  media: number;
  /** Size of the archive. */
  bytes: number;
}
