import { listName, mostLists, renderLimits } from '#shared/formats/wikitext/budget.ts';
import { linkedGuide, type WikiContext } from '#shared/formats/wikitext/context.ts';
import { parseBlocks, parseLine } from '#shared/formats/wikitext/parse.ts';
import { inlineText, plainText } from '#shared/formats/wikitext/plain-text.ts';
import { expandTemplates, mostAddedToLine } from '#shared/formats/wikitext/templates.ts';
import type { Block, Image, Inline, List, MarkName, Table } from '#shared/formats/wikitext/tree.ts';
import { isSafeUrl } from '#shared/formats/wikitext/urls.ts';

import { element, textElement, xmlText } from './xml-writer.ts';

/** The format's elements for the formats of wiki text. */
const markElements: Readonly<Record<MarkName, string>> = {
  em: 'em',
  strong: 'strong',
  underline: 'ins',
  strike: 'del',
  sup: 'sup',
  sub: 'sub',
  code: 'tt',
};

/** What the conversion of wiki text to HTML needs. */
export interface HtmlSurroundings {
  /** Address of the site; paths of the site are made absolute with it. */
  base: string;
  wiki: WikiContext;
  /** Path or address of a picture in the text; null while it is unknown. */
  picture(imageid: number): string | null;
  /** Called for each thing that simplified HTML cannot represent. */
  lost(code: string, message: string): void;
}

/** Converts a step line to simplified HTML. */
export function lineHtml(raw: string, around: HtmlSurroundings): string {
  return inlinesHtml(parseLine(expandTemplates(raw, around.wiki, mostAddedToLine)), around);
}

/** Converts an introduction, conclusion or page to simplified HTML. */
export function blocksHtml(raw: string, around: HtmlSurroundings): string {
  const html = blocks(parseBlocks(expandTemplates(raw, around.wiki)), listingOnce(around));
  if (html.length <= renderLimits.text) return html;
  around.lost(
    'text-too-long',
    'A text that is too long once its lists and templates are expanded is written as plain text',
  );
  return element('p', {}, xmlText(plainText(raw).slice(0, renderLimits.text)));
}

/** Shows each list of guides once, and at most as many lists as the server does. */
function listingOnce(around: HtmlSurroundings): HtmlSurroundings {
  const shown = new Set<string>();
  const guidelist: WikiContext['guidelist'] = (options) => {
    const list = listName(options);
    if (shown.has(list) || shown.size >= mostLists) return null;
    shown.add(list);
    return around.wiki.guidelist(options);
  };
  return { ...around, wiki: { ...around.wiki, guidelist } };
}

/** The ids of the pictures in a text. */
export function picturesIn(raw: string, wiki: WikiContext): number[] {
  if (!raw.includes('[image') && !raw.includes('{{')) return [];
  const found: number[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    else if (isImage(value)) found.push(value.imageid);
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) visit(one);
  };
  visit(parseBlocks(expandTemplates(raw, wiki)));
  return found;
}

function isImage(value: unknown): value is Image {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'image';
}

function blocks(nodes: readonly Block[], around: HtmlSurroundings): string {
  return nodes.map((node) => blockHtml(node, around)).join('');
}

function blockHtml(block: Block, around: HtmlSurroundings): string {
  switch (block.type) {
    case 'paragraph':
      return element('p', {}, inlinesHtml(block.children, around));
    case 'heading': {
      const words = inlineText(block.children, around.wiki).trim().replaceAll(/\s+/g, '_');
      return element(`h${block.level}`, { id: `Section_${words}` }, inlinesHtml(block.children, around));
    }
    case 'list':
      return listHtml(block, around);
    case 'code':
      return textElement('pre', block.text);
    case 'quote': {
      const by = inlinesHtml(block.attribution, around);
      return element('div', {}, blocks(block.children, around) + (by === '' ? '' : element('p', {}, by)));
    }
    case 'table':
      return tableHtml(block, around);
    case 'video':
      return element('p', {}, anchor(block.url, xmlText(block.url), false, around));
    case 'guidelist':
      return guideListHtml(block.options, around);
  }
}

/** Writes a list. The format has no numbered lists, so the numbers are written into the items. */
function listHtml(list: List, around: HtmlSurroundings): string {
  if (list.ordered) around.lost('numbered-list', 'The numbers of a numbered list are written into its items');
  const items = list.items.map((item, index) => {
    const number = list.ordered ? `${index + 1}. ` : '';
    const inner = item.lists.map((one) => listHtml(one, around)).join('');
    return element('li', {}, number + inlinesHtml(item.children, around) + inner);
  });
  return element('ul', {}, items.join(''));
}

/** Writes a table as a list with one item for each row, because the format has no tables. */
function tableHtml(table: Table, around: HtmlSurroundings): string {
  around.lost('table', 'A table is written as a list with one item per row');
  const caption = inlinesHtml(table.caption, around);
  const rows = table.rows.map((row) => {
    const cells = row.map(({ header, children }) => {
      const content = inlinesHtml(children, around);
      return header && content !== '' ? element('strong', {}, content) : content;
    });
    return element('li', {}, cells.join(' | '));
  });
  return (caption === '' ? '' : element('p', {}, caption)) + element('ul', {}, rows.join(''));
}

function guideListHtml(options: Readonly<Record<string, string>>, around: HtmlSurroundings): string {
  const guides = around.wiki.guidelist(options);
  if (guides === null || guides.length === 0) {
    around.lost('guide-list', 'A list of guides is left out');
    return '';
  }
  const items = guides.map(({ url, title }) => element('li', {}, anchor(url, xmlText(title), false, around)));
  return element('ul', {}, items.join(''));
}

function inlinesHtml(nodes: readonly Inline[], around: HtmlSurroundings): string {
  let html = '';
  for (const node of nodes) html += inlineHtml(node, around);
  return html;
}

function inlineHtml(node: Inline, around: HtmlSurroundings): string {
  switch (node.type) {
    case 'text':
      return xmlText(node.text);
    case 'break':
      return '<br/>';
    case 'mark':
      return element(markElements[node.mark], {}, inlinesHtml(node.children, around));
    case 'autolink':
    case 'video':
      return anchor(node.url, xmlText(node.url), false, around);
    case 'link':
      return anchor(
        node.url,
        inlinesHtml(node.children, around) || xmlText(node.url),
        node.newWindow,
        around,
      );
    case 'mailto': {
      const label = inlinesHtml(node.children, around) || xmlText(node.address);
      return element('a', { href: `mailto:${node.address}` }, label);
    }
    case 'guide': {
      const found = linkedGuide(around.wiki, node.guide);
      const fragment = node.stepid === null ? '' : `#s${node.stepid}`;
      const url = found === null ? '' : found.url + fragment;
      const label = inlinesHtml(node.children, around) || xmlText(found?.title ?? '[invalid guide link]');
      return named(url, label, node, around);
    }
    case 'product': {
      const found = around.wiki.product(node.code);
      const label = inlinesHtml(node.children, around) || xmlText(found?.title ?? '[invalid product link]');
      return named(found?.url ?? '', label, node, around);
    }
    case 'image':
      return pictureHtml(node, around);
    case 'guidelist':
      return guideListHtml(node.options, around);
  }
}

/** Writes a link to a record of the site; only its text if the reader cannot see the record. */
function named(
  url: string,
  label: string,
  { newWindow }: { newWindow: boolean },
  around: HtmlSurroundings,
): string {
  if (isSafeUrl(url)) return anchor(url, label, newWindow, around);
  around.lost('link-without-target', 'A link leads to something that is not there; only its text is written');
  return label;
}

/** Writes a picture as a link, because the format has no pictures in running text. */
function pictureHtml({ imageid, size }: Image, around: HtmlSurroundings): string {
  const path = around.picture(imageid) ?? around.wiki.image(imageid)?.url(size) ?? '';
  if (path === '') {
    around.lost('picture-missing', `Picture ${imageid} in the text is not there`);
    return '';
  }
  around.lost('picture-in-text', 'A picture in the text is written as a link to it');
  const name = path.slice(path.lastIndexOf('/') + 1);
  return path.startsWith('/') || /^https?:/i.test(path)
    ? anchor(path, xmlText(name), false, around)
    : element('a', { href: path }, xmlText(name));
}

function anchor(url: string, label: string, newWindow: boolean, around: HtmlSurroundings): string {
  const isPath = url.startsWith('/');
  if (!isSafeUrl(url) || (isPath && around.base === '')) {
    around.lost(
      'link-without-target',
      'A link has no address that the format can have; only its text is written',
    );
    return label;
  }
  const href = isPath ? around.base + url : url;
  return element('a', { href, target: newWindow ? '_blank' : undefined }, label);
}
