import type { Finding } from '#shared/formats/omanual/archive.ts';
import type { ArchiveContent, GuideToWrite, MediaBytes } from '#shared/formats/omanual/content.ts';
import { mediaAddress } from '#shared/formats/omanual/document-parts.ts';
import { notesOf } from '#shared/formats/omanual/findings.ts';
import { mediaOfGuide } from '#shared/formats/omanual/media-of.ts';
import { extensionOf, NameBook, plainName } from '#shared/formats/omanual/names.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { must } from '#shared/must.ts';

import { GuideNodes, type PicturePaths } from './guide-nodes.ts';
import { htmlText, pageEnd, pageStart } from './html-page.ts';
import { markdownText } from './markdown.ts';
import { mostCharacters, mostGuides, mostNodes, mostPictures, mostSteps } from './page-limits.ts';
import { nodesIn, type PageElement } from './page-nodes.ts';
import type { PageFormat } from './parse-page.ts';

/** Where a page is written to. */
export interface PageSink {
  /** Writes the next part of the page. */
  text(part: string): Promise<void>;
  /** Writes a picture of a page in Markdown as a file with this name in the folder `pictures`. */
  picture(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

export interface PageOptions {
  /** The folder of the pictures, as the page names it. Default: `pictures`. */
  pictures?: string;
}

export interface PageReport {
  /** What the page does not contain. */
  findings: Finding[];
  guides: number;
  /** Number of pictures. */
  media: number;
}

/**
 * Writes guides as one page in Markdown, with its pictures as files, or in HTML, which contains them.
 *
 * - PAGE-1 Reading the page again gives the same titles, facts, steps, lines with bullets and levels, pictures, tools,
 *   parts, introduction and conclusion. Whatever else a guide has is reported by name.
 * - PAGE-2 A page in HTML loads nothing and runs nothing, whatever the guides contain. Its headings, lists and texts for
 *   pictures are its structure.
 */
export async function writePage(
  content: ArchiveContent,
  format: PageFormat,
  sink: PageSink,
  { pictures: folder = 'pictures' }: PageOptions = {},
): Promise<PageReport> {
  const writer = new Writer(content, format, sink, folder);
  if (format === 'html') await sink.text(await pageStart(content.title, content.langid));
  for await (const guide of content.guides) await writer.guide(guide);
  if (format === 'html') await sink.text(pageEnd);
  writer.finish();
  for (const { title } of content.categories)
    writer.findings.push({
      kind: 'dropped',
      code: 'category-page',
      member: '',
      place: '',
      message: `The page of the category ${title} is left out`,
    });
  return { findings: writer.findings, guides: writer.guides, media: writer.media };
}

/** Characters of a page around its guides, and more. */
const forFrame = 4096;

class Writer {
  readonly findings: Finding[] = [];
  guides = 0;
  media = 0;
  readonly #content: ArchiveContent;
  readonly #format: PageFormat;
  readonly #sink: PageSink;
  readonly #folder: string;
  readonly #names = new NameBook();
  #characters = 0;
  #nodes = 0;
  /** Whether a guide has too many steps. */
  #isLong = false;

  constructor(content: ArchiveContent, format: PageFormat, sink: PageSink, folder: string) {
    this.#content = content;
    this.#format = format;
    this.#sink = sink;
    this.#folder = folder;
  }

  async guide(guide: GuideToWrite): Promise<void> {
    const pictures = await this.#pictures(guide);
    const notes = notesOf(guide.facts.title, this.findings);
    const article = new GuideNodes(guide, this.#content.base, pictures, notes).article();
    const parts = article.children.filter((child): child is PageElement => typeof child !== 'string');
    const text =
      this.#format === 'html'
        ? htmlText([article])
        : `${this.guides === 0 ? '' : '\n'}${markdownText(parts)}`;
    await this.#sink.text(text);
    this.guides += 1;
    this.#characters += text.length;
    this.#nodes += nodesIn(article);
    if (guide.facts.steps.length > mostSteps) this.#isLong = true;
  }

  /** Reports a page that is too long to be read again. */
  finish(): void {
    const isLong =
      this.#isLong ||
      this.guides > mostGuides ||
      this.media > mostPictures ||
      this.#characters > mostCharacters[this.#format] - forFrame ||
      this.#nodes > mostNodes;
    if (!isLong) return;
    const message =
      'The page is too long to be read again as a whole; convert archives with fewer guides, such as one for each category';
    this.findings.push({ kind: 'dropped', code: 'page-long', member: '', place: '', message });
  }

  async #pictures(guide: GuideToWrite): Promise<PicturePaths> {
    const paths = new Map<string, { src: string; isLink: boolean }>();
    const posters = new Set(postersOf(guide));
    for (const { ref } of mediaOfGuide(guide)) {
      if (ref.kind !== 'image' || paths.has(ref.image.guid) || posters.has(ref.image)) continue;
      const bytes = await this.#content.media(ref);
      const address = mediaAddress(ref, this.#content.base);
      if (bytes !== null)
        paths.set(ref.image.guid, { src: await this.#src(ref.image.guid, bytes), isLink: false });
      else if (/^https?:/i.test(address)) paths.set(ref.image.guid, { src: address, isLink: true });
    }
    return paths;
  }

  async #src(guid: string, source: MediaBytes): Promise<string> {
    const bytes = await collected(source);
    this.media += 1;
    if (this.#format === 'html') return `data:${source.mime};base64,${base64(bytes)}`;
    const name = this.#names.take(plainName(guid), extensionOf(source.mime));
    await this.#sink.picture(name, bytes);
    return `${this.#folder}/${name}`;
  }
}

/** The first pictures of videos, which pages do not show. */
function postersOf({ facts }: GuideToWrite): (ImageRef | undefined)[] {
  const ofSteps = facts.steps.map(({ media }) =>
    media.type === 'video' ? media.data.image?.image : undefined,
  );
  return [...ofSteps, facts.intro_video?.image?.image];
}

async function collected(source: MediaBytes): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of await source.open()) chunks.push(chunk.slice());
  return chunks.length === 1
    ? must(chunks[0], 'the chunk')
    : new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** The bytes in base 64, made of parts, because a call takes a limited number of arguments. */
function base64(bytes: Uint8Array): string {
  const size = 3 * 8192;
  let text = '';
  for (let at = 0; at < bytes.length; at += size)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + size)));
  return text;
}
