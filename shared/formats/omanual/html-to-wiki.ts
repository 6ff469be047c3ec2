import type { RichTextNode } from '#shared/model/rich-text.ts';
import { linkTarget } from '#shared/formats/wikitext/rich-text-nodes.ts';
import { fromRichText } from '#shared/formats/wikitext/rich-text.ts';

import { decodeEntities, hasEscapedMarkup, inOneRow, parseLooseHtml } from './loose-html.ts';
import type { DocumentReport } from './findings.ts';
import { type XmlElement, type XmlNode, elementsIn, textIn } from './xml-tree.ts';

type Marks = NonNullable<RichTextNode['marks']>;

/** What the conversion of HTML to wiki text needs. */
export interface WikiSurroundings {
  report: DocumentReport;
  /** Whether texts mean what they say, so that nothing in them was escaped once too often. Default: false. */
  isExact?: boolean;
  /** The number of the picture in the archive to which a link or `img` leads; null: none. */
  picture(path: string): number | null;
  /** The absolute address of a link; null: it leads nowhere. */
  link(path: string): string | null;
}

const marks: Readonly<Record<string, string>> = {
  strong: 'bold',
  b: 'bold',
  em: 'em',
  i: 'em',
  ins: 'underline',
  u: 'underline',
  del: 'strikethrough',
  s: 'strikethrough',
  strike: 'strikethrough',
  sup: 'superscript',
  sub: 'subscript',
  code: 'code',
  tt: 'code',
};
const blockNames = new Set('p h1 h2 h3 h4 h5 h6 ul ol li pre div blockquote table tbody thead tr'.split(' '));
const silent = new Set('script style iframe object embed form svg math video audio canvas'.split(' '));
const deepest = 30;

/** Converts an introduction, conclusion or page to wiki text. */
export function blocksToWiki(element: XmlElement, around: WikiSurroundings): string {
  const content = new Converter(around).blocks(readable(element, around), [], 0);
  return content.length === 0 ? '' : fromRichText({ type: 'doc', content });
}

/** Converts a step line to wiki text on one line. */
export function lineToWiki(element: XmlElement, around: WikiSurroundings): string {
  const converter = new Converter(around);
  const rows = converter.blocks(readable(element, around), [], 0).flatMap(rowsOf);
  const content = rows.flatMap((row, index) => (index === 0 ? row : [{ type: 'hard_break' }, ...row]));
  if (content.length === 0) return '';
  const wiki = fromRichText({ type: 'doc', content: [{ type: 'paragraph', content }] });
  return wiki
    .replaceAll('[br]\n', '[br]')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
}

/** The paragraphs, items and cells of a block as lines. */
function rowsOf(node: RichTextNode): RichTextNode[][] {
  const content = node.content ?? [];
  const isRow = content.every(({ type }) => ['text', 'hard_break', 'image'].includes(type));
  return isRow ? [content] : content.flatMap(rowsOf);
}

/** The child nodes; a text with escaped markup is parsed again. */
function readable(element: XmlElement, { report, isExact = false }: WikiSurroundings): readonly XmlNode[] {
  if (isExact || elementsIn(element).length > 0) return element.children;
  const text = textIn(element);
  if (hasEscapedMarkup(text)) {
    report.add('repaired', 'escaped-markup', element, 'Markup that was escaped as text was read as markup.');
    return parseLooseHtml(text, element);
  }
  return element.children;
}

class Converter {
  readonly #around: WikiSurroundings;

  constructor(around: WikiSurroundings) {
    this.#around = around;
  }

  /** Converts nodes to blocks; text between blocks becomes paragraphs. */
  blocks(nodes: readonly XmlNode[], around: Marks, depth: number): RichTextNode[] {
    const blocks: RichTextNode[] = [];
    let loose: RichTextNode[] = [];
    const close = (): void => {
      if (loose.some(hasContent)) blocks.push({ type: 'paragraph', content: trimmed(loose) });
      loose = [];
    };
    for (const node of nodes) {
      if (typeof node !== 'string' && holdsBlocks(node, depth)) {
        close();
        for (const block of this.#block(node, around, depth + 1)) blocks.push(block);
      } else for (const inline of this.#inline(node, around, depth)) loose.push(inline);
    }
    close();
    return blocks;
  }

  #block(element: XmlElement, around: Marks, depth: number): RichTextNode[] {
    const { name } = element;
    const heading = /^h([1-6])$/.exec(name)?.[1];
    if (heading !== undefined) {
      const content = trimmed(this.#inlines(element.children, around, depth));
      const level = Math.max(2, Number(heading));
      return content.length === 0 ? [] : [{ type: 'heading', attrs: { level }, content }];
    }
    if (name === 'pre') return [{ type: 'code_block', content: [{ type: 'text', text: textIn(element) }] }];
    if (name === 'ul' || name === 'ol') return [this.#list(element, around, depth)];
    const inner = this.blocks(element.children, this.#with(element, around), depth);
    return name === 'blockquote'
      ? [{ type: 'blockquote', attrs: { format: 'long' }, content: inner }]
      : inner;
  }

  #list(element: XmlElement, around: Marks, depth: number): RichTextNode {
    const items = elementsIn(element).map((item) => ({
      type: 'list_item',
      content: this.blocks(item.name === 'li' ? item.children : [item], around, depth),
    }));
    return { type: element.name === 'ol' ? 'ordered_list' : 'bullet_list', content: items };
  }

  #inlines(nodes: readonly XmlNode[], around: Marks, depth: number): RichTextNode[] {
    return nodes.flatMap((node) => this.#inline(node, around, depth));
  }

  #inline(node: XmlNode, around: Marks, depth: number): RichTextNode[] {
    if (typeof node === 'string') {
      const text = inOneRow(this.#around.isExact === true ? node : decodeEntities(node));
      return text === '' ? [] : [{ type: 'text', text, marks: around }];
    }
    const { report } = this.#around;
    if (node.name === 'br') return [{ type: 'hard_break' }];
    if (node.name === 'media') return [];
    if (silent.has(node.name)) {
      report.add('dropped', 'unsafe-markup', node, `The element ${node.name} was left out.`);
      return [];
    }
    if (node.name === 'img') return this.#picture(node, around);
    if (depth > deepest) return [{ type: 'text', text: textIn(node), marks: around }];
    if (node.attributes.get('class') === 'anchor') return [];
    const isPicture = node.name === 'a' && this.#pictureNumber(node.attributes.get('href')) !== null;
    if (isPicture) return this.#picture(node, around);
    return this.#inlines(node.children, this.#with(node, around), depth + 1);
  }

  #pictureNumber(path: string | undefined): number | null {
    return path === undefined ? null : this.#around.picture(path);
  }

  #picture(element: XmlElement, around: Marks): RichTextNode[] {
    const path = element.attributes.get('src') ?? element.attributes.get('href');
    const imageid = this.#pictureNumber(path);
    if (imageid !== null)
      return [
        {
          type: 'image',
          attrs: { imageid, align: 'left', size: 'standard', src: '' },
          marks: around.filter(({ type }) => type === 'link'),
        },
      ];
    this.#around.report.add(
      'dropped',
      'picture-in-text',
      element,
      'A picture in the text is not in the archive.',
    );
    return [];
  }

  /** The marks inside an element: inherited ones and its own. */
  #with(element: XmlElement, around: Marks): Marks {
    const mark = Object.hasOwn(marks, element.name) ? marks[element.name] : undefined;
    if (mark !== undefined) return [...around.filter(({ type }) => type !== mark), { type: mark }];
    if (element.name !== 'a') return around;
    const written = element.attributes.get('href')?.trim() ?? '';
    // The headings of texts have other names here.
    const href = written.startsWith('#') ? null : this.#around.link(written);
    if (href === null || linkTarget(href) === null) {
      if (written !== '')
        this.#around.report.add(
          'dropped',
          'link',
          element,
          `A link to ${written.slice(0, 100)} was left out.`,
        );
      return around;
    }
    const target = element.attributes.get('target') === '_blank' ? '_blank' : null;
    return [...around.filter(({ type }) => type !== 'link'), { type: 'link', attrs: { href, target } }];
  }
}

/** Whether an element is a block, or a format or link that contains blocks. */
function holdsBlocks(element: XmlElement, depth: number): boolean {
  if (blockNames.has(element.name)) return depth <= deepest;
  return depth <= deepest && elementsIn(element).some((child) => holdsBlocks(child, depth + 1));
}

function hasContent(node: RichTextNode): boolean {
  return node.type !== 'text' || /\S/.test(node.text ?? '');
}

/** The line without line breaks and empty texts at its ends, and without spaces around line breaks. */
function trimmed(row: readonly RichTextNode[]): RichTextNode[] {
  const isKept = (node: RichTextNode): boolean => node.type === 'image' || /\S/.test(node.text ?? '');
  const first = row.findIndex(isKept);
  if (first === -1) return [];
  const inner = row.slice(first, row.findLastIndex(isKept) + 1);
  return inner.flatMap((node, index) => {
    if (node.type !== 'text') return [node];
    let text = node.text ?? '';
    if (inner[index - 1]?.type === 'hard_break') text = text.trimStart();
    if (inner[index + 1]?.type === 'hard_break') text = text.trimEnd();
    return text === '' ? [] : [{ ...node, text }];
  });
}
