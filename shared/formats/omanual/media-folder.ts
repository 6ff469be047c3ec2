import type { ImageRef } from '#shared/model/image.ts';
import { must } from '#shared/must.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';
import { parseMarkup } from '#shared/formats/wikitext/markup.ts';

import type { ArchiveContent, MediaBytes, MediaRef, WriteOptions } from './content.ts';
import { mediaAddress } from './document-parts.ts';
import { pictureInTextRef, type PlacedMedia } from './media-of.ts';
import { extensionOf, NameBook, plainName, slug } from './names.ts';
import type { Notes } from './findings.ts';
import type { RoundTripMedia } from './round-trip.ts';
import type { ZipWriter } from './zip-writer.ts';

/** Maximum size of a file that is held in memory, in bytes; a larger file is read twice. */
const mostHeld = 8 << 20;

/** Number of media that are read ahead. */
const readAhead = 8;

/** The parts that all media folders of one archive share. */
export interface MediaWriting {
  content: Pick<ArchiveContent, 'base' | 'media'>;
  options: Pick<WriteOptions, 'media' | 'marked'>;
  zip: ZipWriter;
}

/** The `media` folder of one document: adds files to the archive and remembers their paths. */
export class MediaFolder {
  readonly #writing: MediaWriting;
  readonly #folder: string;
  readonly #notes: Notes;
  readonly #names = new NameBook();
  /** How the document refers to a medium: a path relative to it, or an address. */
  readonly #paths = new Map<string, string>();
  /** Members with original bytes, by kind and guid: a picture used with several markers is stored once. */
  readonly #originals = new Map<string, string>();
  readonly #entries = new Map<string, RoundTripMedia>();
  #count = 0;

  /** `folder`: the folder of the document, with its slash; '' at the root. */
  constructor(writing: MediaWriting, folder: string, notes: Notes) {
    this.#writing = writing;
    this.#folder = folder;
    this.#notes = notes;
  }

  /** The entries about the files in the round-trip member. */
  get entries(): readonly RoundTripMedia[] {
    return [...this.#entries.values()];
  }

  /** The entries about some of the files. */
  entriesFor(refs: readonly MediaRef[]): RoundTripMedia[] {
    const keys = new Set(refs.map(keyOf));
    return [...this.#entries].filter(([key]) => keys.has(key)).map(([, entry]) => entry);
  }

  /** Number of files written. */
  get count(): number {
    return this.#count;
  }

  /** The path of an added medium relative to the document, or its address. */
  path(ref: MediaRef): string {
    return this.#paths.get(keyOf(ref)) ?? mediaAddress(ref, this.#writing.content.base);
  }

  /** Path or address of a picture in running text; null: unknown. */
  pictureInText(imageid: number, wiki: WikiContext): string | null {
    const ref = pictureInTextRef(imageid, wiki);
    return ref === null ? null : this.path(ref);
  }

  /** Adds media to the archive unless they are there already; the next ones are read meanwhile. */
  async add(media: readonly PlacedMedia[]): Promise<void> {
    const wanted = new Map(media.map((one) => [keyOf(one.ref), one]));
    const missing = [...wanted].filter(([key]) => !this.#paths.has(key)).map(([, one]) => one);
    const reading: Promise<MediaBytes | null>[] = [];
    const readNext = (): void => {
      const next = missing[reading.length];
      if (next === undefined) return;
      const bytes = this.#bytes(next.ref);
      // A failure is reported when its turn comes.
      bytes.catch(() => undefined);
      reading.push(bytes);
    };
    for (let ahead = 0; ahead < readAhead; ahead += 1) readNext();
    for (const [index, { ref, place }] of missing.entries()) {
      const bytes = await must(reading[index], 'what is being read');
      readNext();
      await this.#add(ref, place, bytes);
    }
  }

  async #bytes(ref: MediaRef): Promise<MediaBytes | null> {
    return this.#writing.options.media === 'inside' ? this.#writing.content.media(ref) : null;
  }

  async #add(ref: MediaRef, place: string, bytes: MediaBytes | null): Promise<void> {
    const key = keyOf(ref);
    const entry = bytes === null ? this.#link(ref, place) : await this.#store(ref, bytes, place);
    const shown = entry.marked ?? entry.member;
    this.#paths.set(key, shown === null ? (entry.url ?? '') : shown.slice(this.#folder.length));
    this.#entries.set(key, entry);
  }

  #link(ref: MediaRef, place: string): RoundTripMedia {
    if (this.#writing.options.media === 'inside') {
      this.#notes.add(
        'unresolved',
        'medium-not-inside',
        place,
        'A file is not at hand, so that the archive links to it',
      );
    }
    return { ...describe(ref), member: null, url: mediaAddress(ref, this.#writing.content.base), mime: '' };
  }

  async #store(ref: MediaRef, bytes: MediaBytes, place: string): Promise<RoundTripMedia> {
    const described = describe(ref);
    const ending = extensionOf(bytes.mime, ref.kind === 'document' ? ref.document.extension : undefined);
    const same = `${ref.kind} ${described.guid} ${described.encoding ?? ''}`;
    const known = this.#originals.get(same);
    const member = known ?? `${this.#folder}media/${this.#names.take(stemOf(ref), ending)}`;
    this.#originals.set(same, member);
    const isMarked = ref.kind === 'image' && parseMarkup(ref.image.markup ?? '').draw.length > 0;
    const held = isMarked || bytes.size <= mostHeld ? await collect(bytes) : null;
    if (known === undefined) await this.#write(member, held, bytes);
    const marked = isMarked && held !== null ? await this.#mark(ref.image, held, bytes.mime, place) : null;
    return { ...described, member, ...(marked === null ? {} : { marked }), mime: bytes.mime };
  }

  async #write(member: string, held: Uint8Array<ArrayBuffer> | null, bytes: MediaBytes): Promise<void> {
    if (held === null) await this.#writing.zip.addStream(member, bytes);
    else await this.#writing.zip.addStored(member, held);
    this.#count += 1;
  }

  /** Adds a copy of a picture with its markers drawn in; null when none could be made. */
  async #mark(
    image: ImageRef,
    bytes: Uint8Array<ArrayBuffer>,
    mime: string,
    place: string,
  ): Promise<string | null> {
    const draw = this.#writing.options.marked;
    const drawn = await draw?.(image, bytes, mime).catch(() => undefined);
    if (drawn === undefined) {
      this.#notes.add(
        'dropped',
        'markers-not-drawn',
        place,
        'The markers of a picture are kept as data, but not drawn',
      );
      return null;
    }
    const name = this.#names.take(`${plainName(image.guid)}-marked`, extensionOf(mime));
    const member = `${this.#folder}media/${name}`;
    await this.#writing.zip.addStored(member, drawn);
    this.#count += 1;
    return member;
  }
}

function keyOf(ref: MediaRef): string {
  switch (ref.kind) {
    case 'image':
      return `image ${ref.image.id} ${ref.image.guid} ${ref.image.markup ?? ''}`;
    case 'video':
      return `video ${ref.video.videoid} ${ref.encoding.url}`;
    case 'document':
      return `document ${ref.document.documentid} ${ref.document.guid}`;
  }
}

function describe(ref: MediaRef): Pick<RoundTripMedia, 'kind' | 'id' | 'guid' | 'encoding'> {
  switch (ref.kind) {
    case 'image':
      return { kind: 'image', id: ref.image.id, guid: ref.image.guid };
    case 'video':
      return { kind: 'video', id: ref.video.videoid, guid: videoName(ref), encoding: ref.encoding.url };
    case 'document':
      return { kind: 'document', id: ref.document.documentid, guid: ref.document.guid };
  }
}

/** The format identifies documents by name, so their names are readable. */
function stemOf(ref: MediaRef): string {
  if (ref.kind === 'document') {
    return [slug(ref.document.text).replaceAll(/[^A-Za-z0-9-]+/g, ''), plainName(ref.document.guid)]
      .filter((part) => part !== '')
      .join('-');
  }
  return plainName(ref.kind === 'image' ? ref.image.guid : videoName(ref));
}

/** Videos have no guid, so the name is made from the video's id and encoding. */
function videoName({ video, encoding }: Extract<MediaRef, { kind: 'video' }>): string {
  return `video-${video.videoid}-${encoding.column || encoding.label || encoding.format}`;
}

async function collect(bytes: MediaBytes): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of await bytes.open()) chunks.push(chunk);
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
