import type { Finding } from '#shared/formats/omanual/archive.ts';
import { uri } from '#shared/formats/omanual/addresses.ts';
import type { ArchiveContent } from '#shared/formats/omanual/content.ts';
import { openArchive } from '#shared/formats/omanual/read.ts';
import { writeGuides } from '#shared/formats/omanual/simple-guides.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import type { PageFormat } from '#shared/formats/pages/parse-page.ts';
import { readPage, type PageRead } from '#shared/formats/pages/read-page.ts';
import { writePage } from '#shared/formats/pages/write-page.ts';
import { renderBlocks, renderLine } from '#shared/formats/wikitext/html.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { base, wiki } from '#test/shared/formats/omanual/archives.ts';

/** A page, the guides read from it again, and both reports. */
export interface Again extends PageRead {
  text: string;
  written: Finding[];
  /** The guides as an archive has them. */
  facts: GuideFacts[];
}

/** Writes guides as a page, reads the page, and writes and reads an archive of its guides. */
export async function pageAndBack(content: ArchiveContent, format: PageFormat): Promise<Again> {
  let text = '';
  const files = new Map<string, Blob>();
  const { findings: written } = await writePage(content, format, {
    text: async (part) => {
      text += part;
    },
    picture: async (name, bytes) => void files.set(`pictures/${name}`, new Blob([bytes])),
  });
  const read = await readPage(text, format, {
    title: 'No title',
    files: async (path) => files.get(path) ?? null,
  });
  const chunks: Uint8Array[] = [];
  const sink = { write: async (bytes: Uint8Array) => void chunks.push(bytes.slice()) };
  await writeGuides(read.guides, sink, { base, title: 'Guides' });
  const archive = await openArchive(bytesSource(Uint8Array.from(Buffer.concat(chunks))), 'again.omanual');
  const facts = [];
  for (const { member } of archive.entries) facts.push((await archive.guide(member)).facts);
  return { ...read, text, written, facts };
}

const oneLine = (text: string): string =>
  text
    .replaceAll(/[\t-\r]/g, ' ')
    // oxlint-disable-next-line no-control-regex -- no document can have them
    .replaceAll(/[\u0000-\u001f\u007f]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

function encoded(address: string): string {
  try {
    return encodeURI(decodeURI(address));
  } catch {
    return address;
  }
}

const border = /(?:<\/?(?:em|strong|code|sup|sub|ins|del|a)(?: [^>]*)?>)+/g;

/** Texts as they look: pictures have other numbers in another archive, and spaces at the border of a format are outside. */
function look(html: string): string {
  const plain = html
    .replaceAll(/<img[^>]*>/g, '<img>')
    .replaceAll(/ (?:id|class|rel)="[^"]*"/g, '')
    .replaceAll(/<a href="#[^"]*">[^<]*<\/a>/g, '')
    .replaceAll(/href="([^"]*)"/g, (_, address: string) => `href="${encoded(address)}"`)
    // Two links side by side with one address are one.
    .replaceAll(
      /(<a href="([^"]*)">)((?:[^<]|<br ?\/?>)*)(?:<\/a><a href="\2">((?:[^<]|<br ?\/?>)*))+/g,
      (whole) => whole.replaceAll(/(?<!^)<\/a><a href="[^"]*">/g, ''),
    )
    .replaceAll(/\s+/g, ' ');
  const outside = plain
    .replaceAll(new RegExp(` (${border.source})`, 'g'), (whole, tags: string) =>
      tags.startsWith('</') ? `${tags} ` : whole,
    )
    .replaceAll(new RegExp(`(${border.source}) `, 'g'), (whole, tags: string) =>
      tags.startsWith('</') ? whole : ` ${tags}`,
    );
  // A picture has no format.
  const pictures = outside
    .replaceAll(/(<img>)((?:<\/\w+>)+)/g, (whole, image: string, tags: string) =>
      /p|li|h\d/.test(tags) ? whole : tags + image,
    )
    .replaceAll(/((?:<(?:em|strong|code|sup|sub|ins|del)>)+)(<img>)/g, '$2$1');
  return oneLine(pictures)
    .replaceAll(/ ?<br ?\/?> ?/g, '<br>')
    .replaceAll(/ ?(<\/?(?:p|h\d|ul|ol|li|pre|blockquote)>) ?/g, '$1')
    .replaceAll(/^(?:<br>)+|(?:<br>)+$/g, '')
    .replaceAll('<p></p>', '')
    .replaceAll(/(<(?:p|li|h\d)>)(?:<br>)+|(?:<br>)+(<\/(?:p|li|h\d)>)/g, '$1$2');
}

/** What a page keeps of a guide, to compare. `findings` of the writing: texts with losses are not compared. */
export function kept(facts: GuideFacts, findings: readonly Finding[]): unknown {
  const isWhole = (place: string): boolean =>
    !findings.some((one) => one.place === place && textLosses.has(one.code));
  const isLeveled = !findings.some(({ code }) => code === 'line-level');
  const blocks = (raw: string, place: string): string | null =>
    isWhole(place) ? look(renderBlocks(raw, wiki)) : null;
  const supplies = (all: GuideFacts['tools']): unknown =>
    all.map(({ text, notes, type, quantity, url, isoptional }) => {
      const address = oneLine(text) === '' ? '' : (uri(url, base) ?? '');
      return [oneLine(text), oneLine(notes ?? ''), oneLine(type), quantity, address, isoptional === true];
    });
  return {
    title: oneLine(facts.title) || 'No title',
    category: oneLine(facts.category),
    subject: oneLine(facts.subject),
    summary: oneLine(facts.summary),
    langid: facts.langid,
    times: [facts.time_required_min, facts.time_required_max],
    dates: [facts.created_date, facts.modified_date],
    introduction: blocks(facts.introduction_raw, 'guide/introduction'),
    conclusion: blocks(facts.conclusion_raw, 'guide/conclusion'),
    picture: facts.image !== null,
    tools: supplies(facts.tools),
    parts: supplies(facts.parts),
    steps: facts.steps.map(({ title, lines, media }, at) => {
      const place = `guide/steps/step[${at + 1}]`;
      const texts = isWhole(place);
      // Such a picture leaves its line, which may be empty then.
      if (findings.some((one) => one.place === place && one.code === 'picture-in-line'))
        return { title: oneLine(title), lines: null };
      return {
        title: oneLine(title),
        pictures: media.type === 'image' ? media.data.length : 0,
        lines: lines.map(({ bullet, level, text_raw }) => [
          bullet,
          isLeveled ? level : 0,
          texts ? look(renderLine(text_raw, wiki)) : null,
        ]),
      };
    }),
  };
}

const textLosses = new Set(
  'heading-level quote guide-list table new-window record-link picture-missing picture-place link video-in-text'.split(
    ' ',
  ),
);
