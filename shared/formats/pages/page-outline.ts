import type { DocumentReport } from '#shared/formats/omanual/findings.ts';
import { elementsIn, textIn, type XmlElement, type XmlNode } from '#shared/formats/omanual/xml-tree.ts';

import { nameOf, sectionWords, stepHeading } from './notation.ts';
import { imagesIn } from './page-pictures.ts';

const blockNames = new Set('h1 h2 h3 h4 h5 h6 p ul ol pre blockquote table dl hr'.split(' '));
const wrappers = new Set(
  '#document html body main article section div header footer aside center details figure figcaption summary'.split(
    ' ',
  ),
);
/** Elements without content for readers. */
const silent = new Set('head title meta link style template nav'.split(' '));
/** Elements whose content is left out. */
const refused = new Set(
  'script noscript iframe object embed form input button select textarea canvas audio video svg math frameset'.split(
    ' ',
  ),
);

/** A section of a page. `heading`: null for what is above the first heading of its guide. */
export interface PageSection {
  heading: XmlElement | null;
  blocks: XmlElement[];
}

/** The part of a page about one guide. `title`: '' without a heading. */
export interface PageGuide {
  title: string;
  sections: [PageSection, ...PageSection[]];
}

/** An element without attributes. */
export function made(name: string, children: XmlNode[], around: XmlElement): XmlElement {
  return { ...around, name, attributes: new Map(), children };
}

/** The text of an element on one line. */
export function plainText(element: XmlElement): string {
  return textIn(element).replaceAll(/\s+/g, ' ').trim();
}

/** Splits a page into guides by its headings of level 1, and each into sections by those of level 2. */
export function outlineOf(root: XmlElement, report: DocumentReport): PageGuide[] {
  const guides: PageGuide[] = [];
  let early: XmlElement[] = [];
  const blocks = blocksOf(root, report);
  const isFlat = blocks.every(({ name }) => name !== 'h2');
  for (const block of blocks) {
    const guide = guides.at(-1);
    if (block.name === 'h1' && !(isFlat && isSection(block))) {
      guides.push({ title: onlyText(block, report), sections: [{ heading: null, blocks: early }] });
      early = [];
    } else if (guide === undefined && (block.name === 'h1' || block.name === 'h2')) {
      guides.push({
        title: '',
        sections: [
          { heading: null, blocks: early },
          { heading: block, blocks: [] },
        ],
      });
      early = [];
    } else if (guide === undefined) early.push(block);
    else if (block.name === 'h1' || block.name === 'h2') guide.sections.push({ heading: block, blocks: [] });
    else guide.sections.at(-1)?.blocks.push(block);
  }
  if (guides.length === 0 && early.length > 0)
    guides.push({ title: '', sections: [{ heading: null, blocks: early }] });
  return guides;
}

/** Whether a heading of level 1 is that of a section, as on pages that have no other level. */
function isSection(heading: XmlElement): boolean {
  const text = plainText(heading);
  return nameOf(sectionWords, text) !== null || stepHeading(text) !== null;
}

/** The blocks inside an element in order. Text between blocks becomes paragraphs. */
export function blocksOf(element: XmlElement, report: DocumentReport): XmlElement[] {
  const blocks: XmlElement[] = [];
  let loose: XmlNode[] = [];
  const close = (): void => {
    if (loose.some((one) => typeof one !== 'string' || /\S/.test(one)))
      blocks.push(made('p', loose, element));
    loose = [];
  };
  for (const child of element.children) {
    if (typeof child === 'string') loose.push(child);
    else if (refused.has(child.name))
      report.add('dropped', 'unsafe-markup', child, `The element ${child.name} is left out.`);
    else if (blockNames.has(child.name)) {
      close();
      blocks.push(child);
    } else if (wrappers.has(child.name) || elementsIn(child).some(({ name }) => blockNames.has(name))) {
      close();
      for (const block of blocksOf(child, report)) blocks.push(block);
    } else if (!silent.has(child.name)) loose.push(child);
  }
  close();
  return blocks;
}

/** The links of an element in order. */
export function linksIn(element: XmlElement): XmlElement[] {
  return elementsIn(element).flatMap((child) => (child.name === 'a' ? [child] : linksIn(child)));
}

/** Reports a link of which only the words remain. */
export function reportLink(link: XmlElement, report: DocumentReport): void {
  const address = link.attributes.get('href')?.trim() ?? '';
  if (address !== '') report.add('dropped', 'link', link, `A link to ${address.slice(0, 100)} was left out.`);
}

/**
 * The text of an element on one line, for places that have only words: links, except one to `kept`, and pictures are
 * reported.
 */
export function onlyText(element: XmlElement, report: DocumentReport, kept?: string): string {
  for (const link of linksIn(element))
    if (kept === undefined || link.attributes.get('href')?.trim() !== kept) reportLink(link, report);
  if (imagesIn(element).length > 0)
    report.add(
      'dropped',
      'picture-place',
      element,
      'A picture in a heading, fact, tool or part is left out.',
    );
  return plainText(element);
}

/** The content of each row of a table, with signs between its cells. */
export function tableRows(table: XmlElement): XmlNode[][] {
  return rowsIn(table).map((row) =>
    elementsIn(row).flatMap((cell, index): XmlNode[] =>
      index === 0 ? [...cell.children] : [' | ', ...cell.children],
    ),
  );
}

function rowsIn(element: XmlElement): XmlElement[] {
  return elementsIn(element).flatMap((child) => (child.name === 'tr' ? [child] : rowsIn(child)));
}

/** Wiki text with links that show their own address as bare addresses. */
export function withBareAddresses(wiki: string): string {
  return wiki.replaceAll(/\[(https?:\/\/[^\s|[\]]+)\|\1\](?=\s|\[br\]|$)/g, '$1');
}
