import { linkedGuide, type WikiContext } from '#shared/formats/wikitext/context.ts';
import { parseBlocks, parseLine } from '#shared/formats/wikitext/parse.ts';
import { expandTemplates, mostAddedToLine } from '#shared/formats/wikitext/templates.ts';
import type { Block, Image, Inline, List, MarkName, Table } from '#shared/formats/wikitext/tree.ts';
import { isSafeUrl } from '#shared/formats/wikitext/urls.ts';

import { node, nodesText, type PageElement, type PageNode } from './page-nodes.ts';

/** What the conversion of wiki text to a page needs. */
export interface PageTexts {
  /** Address of the site, which completes its paths. */
  base: string;
  wiki: WikiContext;
  /** Path or data address of a picture in a text; null: it is not at hand. */
  picture(imageid: number): string | null;
  /** Called for each thing that the page cannot represent. */
  lost(code: string, message: string): void;
}

const elements: Readonly<Record<MarkName, string>> = {
  em: 'em',
  strong: 'strong',
  underline: 'ins',
  strike: 'del',
  sup: 'sup',
  sub: 'sub',
  code: 'code',
};
/** Headings of texts are below those of sections (2) and steps. */
const deeper = 1;
const deepest = 6;

/** Converts a step line. */
export function lineNodes(raw: string, texts: PageTexts): PageNode[] {
  return inlines(parseLine(expandTemplates(raw, texts.wiki, mostAddedToLine)), texts);
}

/** Converts an introduction or conclusion. */
export function blockNodes(raw: string, texts: PageTexts): PageElement[] {
  return blocks(parseBlocks(expandTemplates(raw, texts.wiki)), texts);
}

function blocks(nodes: readonly Block[], texts: PageTexts): PageElement[] {
  return nodes.flatMap((block) => blockOf(block, texts));
}

function blockOf(block: Block, texts: PageTexts): PageElement[] {
  switch (block.type) {
    case 'paragraph':
      return [node('p', inlines(block.children, texts))];
    case 'heading':
      if (block.level + deeper > deepest)
        texts.lost('heading-level', 'A heading of level 6 is written as one of level 5');
      return [node(`h${Math.min(block.level + deeper, deepest)}`, inlines(block.children, texts))];
    case 'list':
      return [list(block, texts)];
    case 'code':
      return [node('pre', [node('code', [block.text])])];
    case 'quote': {
      const by = inlines(block.attribution, texts);
      if (by.length > 0 || block.format !== 'long')
        texts.lost('quote', 'The format of a quote, and whom it quotes, become its last paragraph');
      return [
        node('blockquote', [...blocks(block.children, texts), ...(by.length > 0 ? [node('p', by)] : [])]),
      ];
    }
    case 'table':
      return table(block, texts);
    case 'video':
      texts.lost('video-in-text', 'A video in a text is written as a link');
      return [node('p', [link(block.url, [block.url], texts)])];
    case 'guidelist':
      texts.lost('guide-list', 'A list of guides is left out');
      return [];
  }
}

function list(written: List, texts: PageTexts): PageElement {
  const items = written.items.map((item) =>
    node('li', [...inlines(item.children, texts), ...item.lists.map((inner) => list(inner, texts))]),
  );
  return node(written.ordered ? 'ol' : 'ul', items);
}

/** A table becomes a list with one item for each row. */
function table({ caption, rows }: Table, texts: PageTexts): PageElement[] {
  texts.lost('table', 'A table is written as a list with one item per row');
  const above = inlines(caption, texts);
  const items = rows.map((row) =>
    node(
      'li',
      row.flatMap(({ header, children }, index) => {
        const cell = inlines(children, texts);
        return [
          ...(index === 0 ? [] : [' | ']),
          ...(header && cell.length > 0 ? [node('strong', cell)] : cell),
        ];
      }),
    ),
  );
  return [...(above.length === 0 ? [] : [node('p', above)]), node('ul', items)];
}

function inlines(nodes: readonly Inline[], texts: PageTexts): PageNode[] {
  return nodes.flatMap((one) => inline(one, texts));
}

function inline(one: Inline, texts: PageTexts): PageNode[] {
  switch (one.type) {
    case 'text':
      return [one.text];
    case 'break':
      return [node('br', [])];
    case 'mark':
      return [node(elements[one.mark], inlines(one.children, texts))];
    case 'video':
      texts.lost('video-in-text', 'A video in a text is written as a link');
      return [link(one.url, [one.url], texts)];
    case 'autolink':
      return [link(one.url, [one.url], texts)];
    case 'link': {
      if (one.newWindow) texts.lost('new-window', 'A link no longer opens in a new window');
      const label = inlines(one.children, texts);
      return [link(one.url, label.length > 0 ? label : [one.url], texts)];
    }
    case 'mailto': {
      const label = inlines(one.children, texts);
      return [node('a', label.length > 0 ? label : [one.address], { href: `mailto:${one.address}` })];
    }
    case 'guide': {
      const found = linkedGuide(texts.wiki, one.guide);
      const label = inlines(one.children, texts);
      const shown = label.length > 0 ? label : [found?.title ?? ''];
      texts.lost('record-link', 'A link to a guide is written as its address, or as text without one');
      const fragment = one.stepid === null ? '' : `#s${one.stepid}`;
      return found === null ? shown : [link(found.url + fragment, shown, texts)];
    }
    case 'product': {
      const found = texts.wiki.product(one.code);
      const label = inlines(one.children, texts);
      const shown = label.length > 0 ? label : [found?.title ?? ''];
      texts.lost('record-link', 'A link to a product is written as its address, or as text without one');
      return found === null ? shown : [link(found.url, shown, texts)];
    }
    case 'image':
      return picture(one, texts);
    case 'guidelist':
      texts.lost('guide-list', 'A list of guides is left out');
      return [];
  }
}

function picture({ imageid, align, size }: Image, texts: PageTexts): PageNode[] {
  const src = texts.picture(imageid);
  if (src === null) {
    texts.lost('picture-missing', `Picture ${imageid} of a text is not at hand and is left out`);
    return [];
  }
  if (align !== 'left' || size !== 'standard')
    texts.lost('picture-place', 'The size and the side of a picture in a text are left out');
  return [node('img', [], { src, alt: '' })];
}

/** A link, or only its label if its address is dangerous or a path without a site. */
function link(url: string, label: readonly PageNode[], texts: PageTexts): PageNode {
  const { base } = texts;
  const isPath = url.startsWith('/');
  if (isSafeUrl(url) && !url.startsWith('#') && !(isPath && base === '')) {
    const isSeen = nodesText(label).trim() !== '' || label.some((one) => typeof one !== 'string');
    return node('a', isSeen ? label : [url], { href: isPath ? base + url : url });
  }
  texts.lost('link', 'A link without an address of its own is written as text');
  return node('span', label);
}
