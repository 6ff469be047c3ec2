import type { GuideFacts } from '#shared/model/guide.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';

/** The versions of the format; 1.0 is IEEE 1874. */
export type ArchiveVersion = '0.2' | '0.3' | '0.4' | '1.0';

/**
 * What the reader did with a part of the file: left it out, guessed its meaning, repaired it, or could not resolve its
 * reference.
 */
export type FindingKind = 'dropped' | 'guessed' | 'repaired' | 'unresolved';

/** A finding of reading or writing an archive. */
export interface Finding {
  kind: FindingKind;
  /** Stable code in kebab-case; README.md lists all codes. */
  code: string;
  /** The member that it is about; '' for the package itself. */
  member: string;
  /** The place in the member: the path of elements (`guide/steps/step[3]/lines/line[2]`) with line and column. */
  place: string;
  /** A sentence for people. */
  message: string;
}

/** Thrown for a package or document that is dangerous, damaged or not oManual. Nothing of it may be used. */
export class ArchiveRefused extends Error {
  /** Stable code of the reason in kebab-case; README.md lists all codes. */
  readonly code: string;
  /** The member that caused the refusal; '' for the package itself. */
  readonly member: string;

  constructor(code: string, member: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ArchiveRefused';
    this.code = code;
    this.member = member;
  }
}

/**
 * A picture, video or document of the archive. Facts refer to it by `guid`, which is made from the path of the member
 * or from the address, or is the original's guid. Videos and documents inside the archive have the URL
 * `archivedUrl(guid)` in the facts.
 */
export interface ArchivedMedia {
  /** The id that the facts and `[image|id]` in wiki text use; 0 for videos and documents that are only linked. */
  id: number;
  guid: string;
  kind: 'image' | 'video' | 'document';
  /** The member with its bytes; null when the archive only links to `url`. */
  member: string | null;
  url: string | null;
  /** The media type by content; '' if only linked. */
  mime: string;
  filename: string;
  /** Size in bytes; 0 if only linked. */
  size: number;
  /** For a video: the `url` of its encoding in the facts. */
  encoding?: string;
}

/** The URL in facts for a file inside the archive. */
export function archivedUrl(guid: string): string {
  return `omanual:${guid}`;
}

/**
 * A guide of an archive as facts. Its ids are numbers within the archive (guides, steps, lines and images from 1 on),
 * or the original ids if the round-trip member is trusted. They are never ids on the reader's site.
 */
export interface ArchivedGuide {
  /** The member with its XML, which identifies it in the archive; '' for a lone document. */
  member: string;
  /** Its number on the site that made the archive, from the index or the name of the folder; null: unknown. */
  foreignId: number | null;
  /** Its address on that site; '' : unknown. */
  foreignUrl: string;
  /** Name of the author on that site. */
  author: string;
  facts: GuideFacts;
  /** The names of its tags, if the round-trip member has them. */
  tags: string[];
  /** Prerequisites that are not in the archive, with what the archive says about them. */
  missingPrerequisites: MissingPrerequisite[];
  /** The signatures of this version on that site, as sentences with meaning and time; '': none. They are no proof. */
  signatures: string;
  media: ArchivedMedia[];
}

/** A prerequisite that the archive does not contain. */
export interface MissingPrerequisite {
  foreignId: number | null;
  title: string;
  url: string;
}

/** A category of an archive, as a wiki of the namespace CATEGORY. `parent` is null if the archive does not name it. */
export interface ArchivedCategory {
  member: string;
  facts: WikiFacts;
  /** The titles of its children in the archive. */
  children: string[];
  media: ArchivedMedia[];
}

/** An entry of the index, available before the guide's document is read. */
export interface ArchiveEntry {
  member: string;
  /** Its id in the facts: from 1 on within the archive, or the original id. Prerequisites refer to it. */
  guideid: number;
  foreignId: number | null;
  title: string;
  subject: string;
  type: string;
  category: string;
}

/** An opened archive. Documents are read on request; media are never held in memory as a whole. */
export interface Archive {
  readonly version: ArchiveVersion;
  /** `benchbook` when the round-trip member is trusted, else the producer as guessed from the file. */
  readonly producer: 'benchbook' | 'ifixit' | 'dita' | 'unknown';
  /** Base address of the site that made it, without a trailing slash; '': unknown. */
  readonly base: string;
  /** The title of its index, which is its topmost category or its site; '' without an index or with several. */
  readonly title: string;
  readonly entries: readonly ArchiveEntry[];
  readonly categories: readonly ArchivedCategory[];
  /** Reads the guide of an entry by its member. */
  guide(member: string): Promise<ArchivedGuide>;
  /** The bytes of a picture, video or document inside, by its member. */
  media(member: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** The same as a whole, for small files; faster than a stream. Refused for more than `most` bytes. */
  bytes(member: string, most: number): Promise<Uint8Array<ArrayBuffer>>;
  /** The findings so far; grows while guides are read. */
  readonly findings: readonly Finding[];
}
