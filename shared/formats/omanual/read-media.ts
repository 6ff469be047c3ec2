import type { ImageRef } from '#shared/model/image.ts';

import { archivedUrl, ArchiveRefused, type ArchivedMedia } from './archive.ts';
import { claimedType, documentMime, pictureSize, recognisedType } from './media-kinds.ts';
import type { PackageFiles } from './package-files.ts';
import { resolvePath, type PathMeaning } from './package-paths.ts';
import type { DocumentReport } from './findings.ts';
import type { XmlElement } from './xml-tree.ts';

/** How many bytes of a picture are searched for its size. */
const sizeSteps = [4 * 1024, 64 * 1024, 512 * 1024];

/** The parts that the documents of one package share: its files, its root folder, and the numbers of linked media. */
export interface PackageAround {
  readonly files: PackageFiles;
  /** '' or ending with a slash. */
  readonly root: string;
  readonly linked: Map<string, number>;
}

interface Size {
  width: number;
  height: number;
}

/** Finds the pictures, videos and documents to which one document refers, and inspects them. */
export class DocumentMedia {
  readonly #around: PackageAround;
  readonly #report: DocumentReport;
  readonly #media = new Map<string, ArchivedMedia>();
  /** Objects that get the size of a picture, by its guid. */
  readonly #sizes = new Map<string, Size[]>();

  constructor(around: PackageAround, report: DocumentReport) {
    this.#around = around;
    this.#report = report;
  }

  resolve(path: string): PathMeaning {
    const { files, root } = this.#around;
    return resolvePath(path, this.#report.member, root, files);
  }

  /** A picture by its path; null, with a finding, when it does not exist. */
  image(path: string, element: XmlElement): ImageRef | null {
    const found = this.#find(path, 'image', element);
    if (found === null) return null;
    const image: ImageRef = { id: found.id, guid: found.guid, width: 0, height: 0 };
    this.sizeOf(image, image);
    return image;
  }

  /** Sets the size of the picture on `target` once the picture was inspected. */
  sizeOf({ guid }: ImageRef, target: Size): void {
    const others = this.#sizes.get(guid);
    if (others === undefined) this.#sizes.set(guid, [target]);
    else others.push(target);
  }

  /** A video or document by its path. */
  file(path: string, kind: 'video' | 'document', element: XmlElement): ArchivedMedia | null {
    return this.#find(path, kind, element);
  }

  /** The address of the thumbnail of a tool or part. */
  thumbnail(path: string, element: XmlElement): string | null {
    const found = path.trim() === '' ? null : this.#find(path, 'image', element);
    return found === null ? null : (found.url ?? archivedUrl(found.guid));
  }

  /** The number of the picture in the archive to which a path leads; null: none. */
  pictureNumber(path: string): number | null {
    const meaning = this.resolve(path);
    if (meaning.kind !== 'member' || meaning.isGuess) return null;
    if (claimedType(meaning.member)?.kind !== 'image') return null;
    return this.#add(meaning, 'image').id;
  }

  /**
   * Inspects the first bytes of all media found so far and fills in sizes and media types. Throws ArchiveRefused when
   * one is not of the type that it claims to be.
   */
  async inspected(): Promise<ArchivedMedia[]> {
    const all = [...this.#media.values()];
    const { files } = this.#around;
    const heads = headsOf(all, files);
    for (const media of all) {
      const size = await inspectMedia(media, files, this.#report, heads);
      for (const target of this.#sizes.get(media.guid) ?? []) Object.assign(target, size);
    }
    return all;
  }

  #find(path: string, kind: ArchivedMedia['kind'], element: XmlElement): ArchivedMedia | null {
    const meaning = this.resolve(path);
    const shown = path.trim().slice(0, 200);
    if (meaning.kind === 'outside') {
      this.#report.add('dropped', 'path-outside', element, `The path ${shown} leads out of the package.`);
      return null;
    }
    const isVectors = /\.svgz?$/i.test(shown) && kind === 'image';
    if (isVectors) {
      this.#report.add(
        'dropped',
        'picture-kind',
        element,
        `${shown} is a picture of a kind that is not taken.`,
      );
      return null;
    }
    if (meaning.kind === 'missing') {
      const what = shown === '' ? `No ${kind} is named` : `The ${kind} ${shown} is not in the package`;
      this.#report.add('unresolved', 'file-missing', element, `${what}.`);
      return null;
    }
    if (meaning.kind === 'member' && meaning.isGuess)
      this.#report.add('guessed', 'path', element, `${shown} was read as ${meaning.member}.`);
    return this.#add(meaning, kind);
  }

  #add(
    meaning: Extract<PathMeaning, { kind: 'url' | 'member' }>,
    kind: ArchivedMedia['kind'],
  ): ArchivedMedia {
    const { files, linked } = this.#around;
    const place = meaning.kind === 'url' ? meaning.url : meaning.member;
    const known = this.#media.get(`${kind} ${place}`);
    if (known !== undefined) return known;
    const isInside = meaning.kind === 'member';
    if (!isInside && !linked.has(place)) linked.set(place, files.names.length * 2 + linked.size + 1);
    const media: ArchivedMedia = {
      id: isInside ? files.numberOf(place) : (linked.get(place) ?? 0),
      guid: guidOf(`${kind} ${place}`),
      kind,
      member: isInside ? place : null,
      url: isInside ? null : place,
      mime: '',
      filename: filenameOf(place),
      size: isInside ? files.size(place) : 0,
    };
    this.#media.set(`${kind} ${place}`, media);
    return media;
  }
}

function filenameOf(place: string): string {
  const path = /^https?:/i.test(place) ? (place.split(/[?#]/, 1)[0] ?? '') : place;
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Number of media whose first bytes are read ahead, because each read waits for a disk or another process. */
const readAhead = 8;

/** Yields the first bytes of media inside the archive, in order. */
export type Heads = AsyncIterator<Uint8Array, void>;

/** Reads the first bytes of all media inside the archive, a few of them ahead. */
export async function* headsOf(
  media: readonly Pick<ArchivedMedia, 'member' | 'kind'>[],
  files: PackageFiles,
): AsyncGenerator<Uint8Array, void> {
  const reading: Promise<Uint8Array>[] = [];
  for (const { member, kind } of media) {
    if (member === null) continue;
    const head = files.head(member, kind === 'image' ? (sizeSteps[0] ?? 64) : 64);
    // A failure is reported when its turn comes.
    head.catch(() => undefined);
    reading.push(head);
    const first = reading.length > readAhead ? reading.shift() : undefined;
    if (first !== undefined) yield await first;
  }
  for (const head of reading) yield await head;
}

/**
 * Fills in the media type of a file inside the archive and returns the size of a picture. Linked media are not changed.
 * `heads`: yields the first bytes of this file next.
 */
export async function inspectMedia(
  media: ArchivedMedia,
  files: PackageFiles,
  report: DocumentReport,
  heads: Heads,
): Promise<Size | null> {
  const { member, kind } = media;
  if (member === null) return null;
  const next = await heads.next();
  if (next.done === true) throw new Error(`Expected the first bytes of ${member}`);
  const head = next.value;
  const recognised = recognisedType(head);
  requireClaimed(member, head, kind);
  media.mime = kind === 'document' ? documentMime(member) : (recognised?.mime ?? '');
  const claimed = claimedType(member);
  if (claimed !== null && recognised !== null && claimed.mime !== recognised.mime)
    report.add(
      'repaired',
      'file-type',
      member,
      `${member} is ${recognised.mime}, which its name does not say.`,
    );
  return kind === 'image' ? sizeOf(member, head, files, report) : null;
}

/**
 * Throws when the first bytes are not of the claimed type: that of the element that uses it, else that of the
 * extension.
 */
export function requireClaimed(member: string, head: Uint8Array, used: ArchivedMedia['kind'] | null): void {
  const recognised = recognisedType(head)?.kind;
  const expected = used === 'image' || used === 'video' ? used : claimedType(member)?.kind;
  if (expected === undefined || expected === recognised) return;
  throw new ArchiveRefused('media-type', member, `${member} is no ${words[expected]}, as it claims to be.`);
}

const words = { image: 'picture', video: 'video', document: 'PDF document' } as const;

async function sizeOf(
  member: string,
  head: Uint8Array,
  files: PackageFiles,
  report: DocumentReport,
): Promise<Size> {
  let size = pictureSize(head);
  for (const length of sizeSteps.slice(1)) {
    if (size !== null || length / 16 >= files.size(member)) break;
    size = pictureSize(await files.head(member, length));
  }
  if (size === null)
    report.add('guessed', 'picture-size', member, `How large ${member} is could not be told.`);
  return size ?? { width: 0, height: 0 };
}

/** A guid of sixteen characters, derived from a path or address in the archive. */
export function guidOf(place: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < place.length; at++) {
    const code = place.charCodeAt(at);
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ code, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
