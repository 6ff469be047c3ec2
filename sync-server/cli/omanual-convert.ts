import { mkdir, open, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

import { BadSetting } from '#server/platform/config.ts';
import { ArchiveRefused, type Finding } from '#shared/formats/omanual/archive.ts';
import type { WriteOptions } from '#shared/formats/omanual/content.ts';
import { convertArchive, convertToPage } from '#shared/formats/omanual/convert.ts';
import { openArchive } from '#shared/formats/omanual/read.ts';
import { writeGuides } from '#shared/formats/omanual/simple-guides.ts';
import { bytesSource, type ByteSource } from '#shared/formats/omanual/source.ts';
import type { PageFormat } from '#shared/formats/pages/parse-page.ts';
import { readPage } from '#shared/formats/pages/read-page.ts';

import type { Answer } from './answers.ts';
import { refusedFile, withFile, writeNewFile } from './files.ts';
import { filesBeside } from './page-files.ts';

/** What `omanual convert` writes. */
export const formats = ['omanual', 'markdown', 'html'] as const;
export type ConvertFormat = (typeof formats)[number];

const endings: Readonly<Record<ConvertFormat, string>> = {
  omanual: '.omanual',
  markdown: '.md',
  html: '.html',
};

/** The format that the ending of a file names; anything else is an archive. */
function formatOf(path: string): ConvertFormat {
  const ending = extname(path).toLowerCase();
  if (ending === '.md' || ending === '.markdown') return 'markdown';
  return ending === '.html' || ending === '.htm' ? 'html' : 'omanual';
}

interface Converted {
  findings: readonly Finding[];
  guides: number;
  media: number;
}

/**
 * Converts an archive or page. A page becomes an archive first, so that a page can become another page. Pictures of a
 * page in Markdown are files in a folder beside it.
 */
export async function convertFile(
  file: string,
  given: string | undefined,
  to: ConvertFormat | undefined,
  drawing: Pick<WriteOptions, 'marked'>,
): Promise<Answer> {
  const format = to ?? (given === undefined ? 'omanual' : formatOf(given));
  const target = given ?? file.slice(0, file.length - extname(file).length) + endings[format];
  const from = formatOf(file);
  const written =
    from === 'omanual'
      ? await withFile(file, (source) => write(source, basename(file), target, format, drawing))
      : await fromPage(file, from, target, format, drawing);
  const counts = `${target}: ${written.guides} guides, ${written.media} files.`;
  return { data: { target, ...written }, lines: [...written.findings.map(findingText), counts] };
}

async function write(
  source: ByteSource,
  name: string,
  target: string,
  format: ConvertFormat,
  drawing: Pick<WriteOptions, 'marked'>,
): Promise<Converted> {
  const archive = await openArchive(source, name);
  if (format === 'omanual') return writeNewFile(target, (sink) => convertArchive(archive, sink, drawing));
  const folder = new PictureFolder(target);
  try {
    return await writeNewFile(target, (sink) =>
      convertToPage(
        archive,
        format,
        {
          text: (part) => sink.write(new TextEncoder().encode(part)),
          picture: (picture, bytes) => folder.add(picture, bytes),
        },
        { pictures: encodeURIComponent(basename(folder.path)) },
      ),
    );
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

async function fromPage(
  file: string,
  from: PageFormat,
  target: string,
  format: ConvertFormat,
  drawing: Pick<WriteOptions, 'marked'>,
): Promise<Converted> {
  const text = await withFile(file, (source) => pageText(source, from, file));
  const title = basename(file, extname(file));
  const { guides, findings } = await readPage(text, from, { title, files: filesBeside(dirname(file)) });
  if (guides.length === 0)
    throw new ArchiveRefused('no-guides', '', 'There is no guide in the page; nothing was written.');
  // The pages name no site, so that paths in their texts lead nowhere.
  const site = { base: '', title, language: guides[0]?.language ?? 'en' };
  if (format === 'omanual') {
    const report = await writeNewFile(target, (sink) => writeGuides(guides, sink, site));
    return { ...report, findings: [...findings, ...report.findings] };
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  await writeGuides(guides, { write: async (bytes) => void chunks.push(bytes.slice()) }, site);
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
  const page = await write(bytesSource(bytes), title, target, format, drawing);
  return { ...page, findings: [...findings, ...page.findings] };
}

/** Maximum size of a page in bytes. */
const largestPage = 512 * 1024 ** 2;

/**
 * The text of a page in UTF-8, in UTF-16 with a byte order mark, or in the encoding that a page in HTML names. Other
 * bytes are refused, because their letters would be lost.
 */
async function pageText(source: ByteSource, format: PageFormat, file: string): Promise<string> {
  if (source.size > largestPage)
    throw new ArchiveRefused('too-large', '', `${file} has more than ${largestPage / 1024 ** 2} MB.`);
  const bytes = await source.read(0, source.size);
  const encoding = encodingOf(bytes, format);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    const message = `${file} cannot be read as ${encoding}. Save it in UTF-8 and convert it again.`;
    throw new BadSetting(message, { cause: error });
  }
}

function encodingOf(bytes: Uint8Array, format: PageFormat): string {
  const [a, b, c] = bytes;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (format === 'markdown' || (a === 0xef && b === 0xbb && c === 0xbf)) return 'utf-8';
  const head = String.fromCharCode(...bytes.subarray(0, 1024));
  const named = /<meta\s[^>]*?charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1] ?? 'utf-8';
  // A page that names it in single bytes is not in UTF-16.
  return /^utf-?16/i.test(named) ? 'utf-8' : named.toLowerCase();
}

/** The folder for the pictures of a page. It is made with the first picture and must not exist before. */
class PictureFolder {
  readonly path: string;
  #isMade = false;

  constructor(target: string) {
    this.path = `${target.slice(0, target.length - extname(target).length)}-pictures`;
  }

  async add(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.path, name);
    if (!this.#isMade) await mkdir(this.path).catch(refusedFile(this.path, 'written'));
    this.#isMade = true;
    const handle = await open(path, 'wx').catch(refusedFile(path, 'written'));
    try {
      await handle.writeFile(bytes).catch(refusedFile(path, 'written'));
    } finally {
      await handle.close();
    }
  }

  async remove(): Promise<void> {
    if (this.#isMade) await rm(this.path, { recursive: true });
  }
}

/** A finding as one line. */
export function findingText({ kind, code, member, place, message }: Finding): string {
  const where = [member, place].filter(Boolean).join(' ');
  return `${kind} ${code}${where === '' ? '' : ` in ${where}`}: ${message}`;
}
