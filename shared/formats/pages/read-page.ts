import type { Finding } from '#shared/formats/omanual/archive.ts';
import { Report, type DocumentReport } from '#shared/formats/omanual/findings.ts';
import { readLimits } from '#shared/formats/omanual/limits.ts';
import type { SimpleGuide } from '#shared/formats/omanual/simple-guides.ts';
import { elementsIn, type XmlElement } from '#shared/formats/omanual/xml-tree.ts';

import { GuideReader } from './guide-reader.ts';
import { outlineOf } from './page-outline.ts';
import { mostGuides } from './page-limits.ts';
import { PagePictures, type PageFiles } from './page-pictures.ts';
import { parsePage, type PageFormat } from './parse-page.ts';

/** The guides of a page, and what was left out or guessed. */
export interface PageRead {
  guides: SimpleGuide[];
  findings: Finding[];
}

/**
 * Reads the guides of a page in Markdown or HTML, as `writePage` writes them or people do. `title` names a guide
 * without a heading. Nothing is fetched: pictures come from `files` or are in the page. Throws ArchiveRefused for a page
 * beyond the limits.
 *
 * - PAGE-3 Each heading of level 1 is a guide, each of level 2 one of its sections: tools, parts, introduction,
 *   conclusion, steps or one step. Without sections of steps, each unknown section is a step, or else each item of the
 *   numbered lists under the title.
 * - PAGE-4 What a page has and a guide cannot have is reported by name. Scripts, frames and forms are left out.
 * - PAGE-5 Any text is read or refused, in time that grows with its length. Of a page, 10,000 guides, 5,000 steps of each
 *   and 10,000 pictures are read; a longer page is reported.
 */
export async function readPage(
  text: string,
  format: PageFormat,
  { title, files }: { title: string; files: PageFiles },
): Promise<PageRead> {
  const report = new Report(readLimits.findings);
  let place = '';
  const here: DocumentReport = {
    member: '',
    add: (kind, code, where, message) =>
      report.add(kind, code, '', typeof where === 'string' && where !== '' ? where : place, message),
  };
  const { facts, rest } = format === 'markdown' ? frontMatter(text) : { facts: [], rest: text };
  const root = await parsePage(rest, format);
  const pictures = await PagePictures.read(root, files, here);
  const outline = outlineOf(root, here);
  if (outline.length > mostGuides) {
    const message = `Only the first ${mostGuides} guides are read; ${outline.length - mostGuides} more are left out.`;
    here.add('dropped', 'more-guides', '', message);
  }
  const guides = outline.slice(0, mostGuides).map((guide) =>
    new GuideReader(pictures, here, (name) => {
      place = name;
    }).read(guide, title, [...languageOf(root), ...facts]),
  );
  return { guides, findings: report.findings };
}

/** The language that a page in HTML names, as a fact. */
function languageOf(root: XmlElement): [string, string][] {
  const named = elementsIn(root, 'html')[0]?.attributes.get('lang') ?? '';
  const language = /^[a-z]{2,3}(?=-|$)/i.exec(named)?.[0];
  return language === undefined ? [] : [['Language', language.toLowerCase()]];
}

/** The lines `key: value` between `---` at the beginning of a Markdown page, as many programs write them. */
function frontMatter(text: string): { facts: [string, string][]; rest: string } {
  const found = /^\ufeff?---[ \t]*\r?\n([^]{0,20000}?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (found === null) return { facts: [], rest: text.replace(/^\ufeff/, '') };
  const facts = (found[1] ?? '').split(/\r?\n/).flatMap((line): [string, string][] => {
    const pair = /^([\p{L} _-]{1,40}):[ \t]+(\S.*)$/u.exec(line);
    return pair === null ? [] : [[pair[1] ?? '', (pair[2] ?? '').trim().replace(/^(["'])(.*)\1$/, '$2')]];
  });
  return { facts, rest: text.slice(found[0].length) };
}
