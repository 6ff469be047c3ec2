import type { GuideFacts } from '#shared/model/guide.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';

/** The versions of the format (reference: the standard's site; 1.0 is IEEE 1874). */
export type ArchiveVersion = '0.2' | '0.3' | '0.4' | '1.0';

/** What became of something in the file: left out, read as the likeliest meaning, mended, or pointing nowhere. */
export type FindingKind = 'dropped' | 'guessed' | 'repaired' | 'unresolved';

/** One line of the report of a reading or writing. */
export interface Finding {
  kind: FindingKind;
  /** Stable name of the case, kebab-case; the README lists them. */
  code: string;
  /** The member it is in; '' for the package itself. */
  member: string;
  /** Where in the member: the path of elements (`guide/steps/step[3]/lines/line[2]`) with line and column. */
  place: string;
  /** A sentence for people. */
  message: string;
}

/** Thrown when a package or document is dangerous or no oManual at all. Nothing of it may be used. */
export class ArchiveRefused extends Error {
  /** Stable name of the reason, kebab-case; the README lists them. */
  readonly code: string;
  /** The member that is the reason; '' for the package itself. */
  readonly member: string;

  constructor(code: string, member: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ArchiveRefused';
    this.code = code;
    this.member = member;
  }
}

/**
 * A picture, video or document of the archive. Facts name it by `guid`, made from the member's path or the address, or
 * the original's. Videos and documents inside have the URL `archivedUrl(guid)` in the facts.
 */
export interface ArchivedMedia {
  /** What `[image|id]` in wiki text and the facts call it by; 0 for videos and documents that are only linked. */
  id: number;
  guid: string;
  kind: 'image' | 'video' | 'document';
  /** The member that holds it; null when the archive only links to `url`. */
  member: string | null;
  url: string | null;
  /** By content; '' while only linked. */
  mime: string;
  filename: string;
  /** Bytes; 0 while only linked. */
  size: number;
  /** For a video: `url` of its encoding in the facts. */
  encoding?: string;
}

/** The URL that stands for a file inside the archive. */
export function archivedUrl(guid: string): string {
  return `omanual:${guid}`;
}

/**
 * A guide of an archive as facts. Its numbers count within the archive (guides, steps, lines and images from 1 on) or
 * are the originals' if the round-trip member is believed; either way they are not the reader's.
 */
export interface ArchivedGuide {
  /** The member with its XML; '' for a lone document. Its identity in the archive. */
  member: string;
  /** Its number on the site that made the archive, from the index or the folder's name; null: unknown. */
  foreignId: number | null;
  /** Its address on that site; '' : unknown. */
  foreignUrl: string;
  /** Name of the author on that site. */
  author: string;
  facts: GuideFacts;
  /** Names of the tags, if the round-trip member carries them. */
  tags: string[];
  /** Prerequisites that are not in the archive, as far as it says what they are. */
  missingPrerequisites: MissingPrerequisite[];
  /** Who signed this version on that site, what it means and when, as sentences; '' : nobody. No proof of it. */
  signatures: string;
  media: ArchivedMedia[];
}

/** A guide that another one builds on and that the archive does not hold. */
export interface MissingPrerequisite {
  foreignId: number | null;
  title: string;
  url: string;
}

/** A category of an archive, as a wiki of the namespace CATEGORY. `parent` as far as the archive says. */
export interface ArchivedCategory {
  member: string;
  facts: WikiFacts;
  /** Titles of its children that the archive names. */
  children: string[];
  media: ArchivedMedia[];
}

/** A guide as the index lists it, before its document is read. */
export interface ArchiveEntry {
  member: string;
  /** Its number in the facts: from 1 on within the archive, or the original's. Prerequisites name guides by it. */
  guideid: number;
  foreignId: number | null;
  title: string;
  subject: string;
  type: string;
  category: string;
}

/** An opened archive. Documents are read when asked for; media are never held in memory as a whole. */
export interface Archive {
  readonly version: ArchiveVersion;
  /** `benchbook` when the round-trip member is believed, else the producer as guessed from the file. */
  readonly producer: 'benchbook' | 'ifixit' | 'dita' | 'unknown';
  /** Base address of the site it was made on, without a trailing slash; '' : unknown. */
  readonly base: string;
  /** What its index is headed with: its topmost category or its site; '' : it has no index, or several. */
  readonly title: string;
  readonly entries: readonly ArchiveEntry[];
  readonly categories: readonly ArchivedCategory[];
  /** Reads one guide, by the member of its entry. */
  guide(member: string): Promise<ArchivedGuide>;
  /** The bytes of a picture, video or document inside, by its member. */
  media(member: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** The same as a whole, for what is small: faster than a stream. Refused where it has more than `most` bytes. */
  bytes(member: string, most: number): Promise<Uint8Array<ArrayBuffer>>;
  /** What was found so far; grows while guides are read. */
  readonly findings: readonly Finding[];
}
