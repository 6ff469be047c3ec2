import type { DocumentRef, GuideFacts, VideoFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

import type { Finding } from './archive.ts';
import type { ReadLimits } from './limits.ts';

/** A reference to a guide, from another guide or from an index. */
export interface GuideMention {
  guideid: number;
  title: string;
  subject: string;
  type: string;
  langid: string;
  image: ImageRef | null;
  /** Whether the archive contains the guide itself. */
  included: boolean;
}

/** A guide to write, with the parts of its document that are not in its facts. */
export interface GuideToWrite {
  facts: GuideFacts;
  /** Name of the author. */
  author: string;
  tags: readonly string[];
  /** Its prerequisites in order, as far as the reader of the archive may see them; others are left out everywhere. */
  prerequisites: readonly GuideMention[];
  /** The forms of its steps, for printed pages; the archive format has no place for them. */
  forms?: readonly StepForm[];
  /** Resolves links, pictures and templates in its texts, as the reader of the archive may see them. */
  wiki: WikiContext;
}

/** The site from which documents come. */
export interface SiteOfOrigin {
  /** Address without a trailing slash, e.g. `https://guides.example.com`. */
  base: string;
  /** Titles and texts of the site's flags; a missing flag is shown by its id. */
  flags: ReadonlyMap<string, { title: string; text: string }>;
}

/** A picture, video or document that a document shows, whose bytes may go into the archive. */
export type MediaRef =
  | { kind: 'image'; image: ImageRef }
  | { kind: 'video'; video: VideoFacts; encoding: VideoFacts['encodings'][number] }
  | { kind: 'document'; document: DocumentRef };

/** The bytes of a picture, video or document. */
export interface MediaBytes {
  /** The media type by content, such as `image/jpeg`. */
  mime: string;
  size: number;
  /** Opens the bytes from the start. It is called twice for large files, which must not change in between. */
  open(): Promise<AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>>;
}

/**
 * The content of an archive. The same content in the same order gives the same bytes, so provide the guides in a fixed
 * order (by guideid).
 */
export interface ArchiveContent extends SiteOfOrigin {
  /** The name of the site, which is the title of an index that is no category. */
  title: string;
  /** The language of such an index. */
  langid: string;
  /** Time of the last change in UNIX seconds; recorded in the round-trip member only. */
  modified: number;
  /** The categories to write: one tree with its root first, several trees, or none. */
  categories: readonly WikiFacts[];
  /** Titles above the root category, nearest first. */
  ancestors: readonly string[];
  /** Resolves links, pictures and templates in the texts of categories. */
  wiki: WikiContext;
  guides: AsyncIterable<GuideToWrite> | Iterable<GuideToWrite>;
  /** Number of members that the archive will have with media inside, if it is known before the guides are read. */
  members?: number;
  /** The bytes of a medium; null when they are not available, so that the archive only links to it. */
  media(ref: MediaRef): Promise<MediaBytes | null>;
}

export interface WriteOptions {
  /** `inside`: the archive contains pictures, videos and documents. `links`: it contains their addresses. */
  media: 'inside' | 'links';
  /**
   * Draws the markers of a picture (`image.markup`) into a copy of it, in the same file format. Without this function,
   * markers are only stored as data in the round-trip member.
   */
  marked?: (
    image: ImageRef,
    bytes: Uint8Array<ArrayBuffer>,
    mime: string,
  ) => Promise<Uint8Array<ArrayBuffer>>;
  /** Called after each guide with the number of guides and bytes written so far. */
  progress?: (guides: number, bytes: number) => void;
  /** Limits of the reader that is to open the archive. Default: those of our own. */
  limits?: ReadLimits;
  /** Aborts writing with its reason. */
  signal?: AbortSignal;
}

export interface WriteReport {
  /** What the format cannot represent, or represents differently. */
  findings: Finding[];
  guides: number;
  /** Number of pictures, videos and documents inside. */
  media: number;
  /** Size of the archive in bytes. */
  bytes: number;
}
