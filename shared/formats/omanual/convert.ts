import type { GuideFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { PageFormat } from '#shared/formats/pages/parse-page.ts';
import {
  writePage,
  type PageOptions,
  type PageReport,
  type PageSink,
} from '#shared/formats/pages/write-page.ts';
import { plainContext, type WikiContext } from '#shared/formats/wikitext/context.ts';

import {
  type Archive,
  type ArchiveEntry,
  type ArchivedGuide,
  type ArchivedMedia,
  ArchiveRefused,
  type Finding,
} from './archive.ts';
import type {
  ArchiveContent,
  GuideMention,
  GuideToWrite,
  MediaBytes,
  MediaRef,
  WriteOptions,
} from './content.ts';
import type { ByteSink } from './source.ts';
import { writeArchive } from './write.ts';

/**
 * Writes an opened archive of any version as an archive of version 1.0. Guides keep their original numbers if each has
 * one. The report includes the findings of reading and writing. Throws ArchiveRefused, before anything is written, when
 * the archive has no guide.
 */
export async function convertArchive(
  archive: Archive,
  sink: ByteSink,
  options: Omit<WriteOptions, 'media'> = {},
): Promise<{ findings: Finding[]; guides: number; media: number; bytes: number }> {
  const { content, findings } = contentOf(archive);
  const written = await writeArchive(content, sink, { ...options, media: 'inside' });
  return { ...written, findings: [...findings(), ...written.findings] };
}

/**
 * Writes the guides of an opened archive as a page in Markdown or HTML. The report includes the findings of reading and
 * writing. Throws ArchiveRefused, before anything is written, when the archive has no guide.
 */
export async function convertToPage(
  archive: Archive,
  format: PageFormat,
  sink: PageSink,
  options: PageOptions = {},
): Promise<PageReport> {
  const { content, findings } = contentOf(archive);
  const written = await writePage(content, format, sink, options);
  return { ...written, findings: [...findings(), ...written.findings] };
}

/** The content of an archive to write again. `findings`: those of reading and of this, when the guides were taken. */
function contentOf(archive: Archive): { content: ArchiveContent; findings: () => Finding[] } {
  if (archive.entries.length === 0)
    throw new ArchiveRefused('no-guides', '', 'There is no guide in the archive; nothing was written.');
  const conversion = new Conversion(archive);
  return { content: conversion.content(), findings: () => [...archive.findings, ...conversion.lost] };
}

class Conversion {
  readonly lost: Finding[] = [];
  readonly #archive: Archive;
  readonly #numbers: ReadonlyMap<number, number>;
  readonly #byNumber: ReadonlyMap<number, ArchiveEntry>;
  readonly #byId: ReadonlyMap<number, ArchiveEntry>;
  readonly #byTitle: ReadonlyMap<string, ArchiveEntry>;
  readonly #titles: ReadonlySet<string>;
  readonly #ofCategories: KnownMedia;
  /** The media of the guide being written; those of all guides would use most of the memory. */
  #ofGuide = new KnownMedia([]);

  constructor(archive: Archive) {
    this.#archive = archive;
    this.#numbers = numbersOf(archive);
    const { entries, categories } = archive;
    this.#byNumber = firstBy(entries, ({ guideid }) => this.#numberOf(guideid));
    this.#byId = firstBy(entries, ({ guideid }) => guideid);
    this.#byTitle = firstBy(entries, ({ title }) => title);
    this.#titles = new Set(categories.map(({ facts }) => facts.title));
    this.#ofCategories = new KnownMedia(archive.categories.flatMap(({ media }) => media));
  }

  content(): ArchiveContent {
    const { base, categories, title } = this.#archive;
    const [first] = categories;
    return {
      base,
      title: title || (first?.facts.display_title ?? 'Guides'),
      langid: first?.facts.langid ?? 'en',
      modified: 0,
      flags: new Map(),
      categories: categories.map(({ facts, member }) => ({
        ...facts,
        parent: this.#parentOf(facts.parent),
        image: this.#ownPicture(facts.image, member),
      })),
      ancestors: first === undefined || first.facts.parent === null ? [] : [first.facts.parent],
      wiki: this.#wiki(),
      guides: this.#guides(),
      media: (ref) => this.#bytes(ref),
    };
  }

  /** The parent category, or null when the archive does not contain it. */
  #parentOf(parent: string | null): string | null {
    return parent !== null && this.#titles.has(parent) ? parent : null;
  }

  async *#guides(): AsyncGenerator<GuideToWrite> {
    for (const { member } of this.#archive.entries) {
      const guide = await this.#archive.guide(member);
      this.#ofGuide = new KnownMedia(guide.media);
      const facts = this.#factsOf(guide);
      const prerequisites = facts.prerequisites.flatMap((guideid) => this.#mention(guideid));
      yield { facts, author: guide.author, tags: guide.tags, prerequisites, wiki: this.#wiki() };
    }
  }

  #factsOf({ facts, member }: ArchivedGuide): GuideFacts {
    return {
      ...facts,
      guideid: this.#numberOf(facts.guideid),
      prerequisites: facts.prerequisites.map((guideid) => this.#numberOf(guideid)),
      image: this.#ownPicture(facts.image, member),
      steps: facts.steps.map((step) => {
        if (step.media.type !== 'image') return step;
        const data = step.media.data
          .map((image) => this.#ownPicture(image, member))
          .filter((image) => image !== null);
        return { ...step, media: { type: 'image', data } };
      }),
    };
  }

  #numberOf(guideid: number): number {
    return this.#numbers.get(guideid) ?? guideid;
  }

  #mention(guideid: number): GuideMention[] {
    const entry = this.#byNumber.get(guideid);
    if (entry === undefined) return [];
    const { title, subject, type } = entry;
    return [{ guideid, title, subject, type, langid: 'en', image: null, included: true }];
  }

  /** Keeps a linked picture if its address is one of the site's own; facts cannot refer to another. */
  #ownPicture(image: ImageRef | null, member: string): ImageRef | null {
    const url = image === null ? null : (this.#named(`image ${image.guid}`)?.url ?? null);
    if (image === null || url === null) return image;
    const { base } = this.#archive;
    if (base !== '' && url.startsWith(`${base}/`)) return { ...image, path: url.slice(base.length) };
    const message = `The picture ${url} is only linked and was left out.`;
    this.lost.push({ kind: 'dropped', code: 'picture-linked', member, place: '', message });
    return null;
  }

  #named(key: string): ArchivedMedia | undefined {
    return this.#ofGuide.named.get(key) ?? this.#ofCategories.named.get(key);
  }

  #wiki(): WikiContext {
    return {
      ...plainContext,
      image: (id) => {
        const found = this.#ofGuide.pictures.get(id) ?? this.#ofCategories.pictures.get(id);
        return found === undefined ? null : { id, guid: found.guid, url: () => found.url ?? '' };
      },
      guideTitle: (guideid) => {
        const entry = this.#byId.get(guideid);
        return entry === undefined
          ? null
          : {
              title: entry.title,
              url: `/Guide/${encodeURIComponent(entry.title)}/${this.#numberOf(guideid)}`,
            };
      },
      guideTitled: (title) => {
        const entry = this.#byTitle.get(title);
        if (entry === undefined) return null;
        const number = this.#numberOf(entry.guideid);
        return { guideid: number, title, url: `/Guide/${encodeURIComponent(title)}/${number}` };
      },
    };
  }

  async #bytes(ref: MediaRef): Promise<MediaBytes | null> {
    const found = this.#named(keyOf(ref));
    const member = found?.member ?? null;
    if (found === undefined || member === null) return null;
    return {
      mime: found.mime,
      size: found.size,
      open: async () => chunksOf(await this.#archive.media(member)),
    };
  }
}

/** Media by the names that documents use for them. */
class KnownMedia {
  /** By kind and guid; videos also by address. */
  readonly named = new Map<string, ArchivedMedia>();
  /** By the numbers that texts use. */
  readonly pictures = new Map<number, ArchivedMedia>();

  constructor(media: readonly ArchivedMedia[]) {
    for (const one of media) {
      this.named.set(`${one.kind} ${one.guid}`, one);
      if (one.encoding !== undefined) this.named.set(`video ${one.encoding}`, one);
      if (one.kind === 'image') this.pictures.set(one.id, one);
    }
  }
}

function keyOf(ref: MediaRef): string {
  if (ref.kind === 'image') return `image ${ref.image.guid}`;
  return ref.kind === 'video' ? `video ${ref.encoding.url}` : `document ${ref.document.guid}`;
}

/** The original numbers if each guide has a unique one, else the numbers within the archive. */
function numbersOf({ entries }: Archive): ReadonlyMap<number, number> {
  const foreign = entries.map(({ foreignId }) => foreignId ?? 0);
  const isSure = foreign.every((number) => number > 0) && new Set(foreign).size === foreign.length;
  return new Map(
    entries.map(({ guideid, foreignId }) => [guideid, isSure ? (foreignId ?? guideid) : guideid]),
  );
}

/** The first entry of each key. */
function firstBy<K>(
  entries: readonly ArchiveEntry[],
  keyOfEntry: (entry: ArchiveEntry) => K,
): ReadonlyMap<K, ArchiveEntry> {
  return new Map(entries.toReversed().map((entry) => [keyOfEntry(entry), entry]));
}

async function* chunksOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
