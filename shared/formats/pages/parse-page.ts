import type { DefaultTreeAdapterTypes } from 'parse5';

import { ArchiveRefused } from '#shared/formats/omanual/archive.ts';
import type { XmlElement } from '#shared/formats/omanual/xml-tree.ts';

import { mostCharacters, mostDepth, mostNodes } from './page-limits.ts';

export type PageFormat = 'markdown' | 'html';

/**
 * Parses a page to a tree of elements. Throws ArchiveRefused with `too-large` or `too-deep` beyond the limits. The
 * parsers are loaded when they are needed, because most users of the library only read archives.
 */
export async function parsePage(text: string, format: PageFormat): Promise<XmlElement> {
  const most = mostCharacters[format];
  if (text.length > most)
    throw new ArchiveRefused('too-large', '', `The page has more than ${most} characters.`);
  const { parse } = await import('parse5');
  const html = format === 'html' ? text : await htmlOf(text);
  return new TreeCopy().copy(parse(html), null, 0);
}

async function htmlOf(markdown: string): Promise<string> {
  const { default: MarkdownIt } = await import('markdown-it');
  return new MarkdownIt({ html: true }).render(markdown);
}

class TreeCopy {
  #nodes = 0;

  copy(from: DefaultTreeAdapterTypes.ParentNode, parent: XmlElement | null, depth: number): XmlElement {
    this.#count(depth);
    const attributes = 'attrs' in from ? from.attrs.map(({ name, value }) => [name, value] as const) : [];
    const made: XmlElement = {
      name: 'tagName' in from ? from.tagName : '#document',
      namespace: '',
      attributes: new Map(attributes),
      children: [],
      parent,
      line: 1,
      column: 1,
    };
    for (const child of from.childNodes) {
      if ('tagName' in child) made.children.push(this.copy(child, made, depth + 1));
      else if (child.nodeName === '#text' && 'value' in child) {
        this.#count(depth);
        // Of a block of code, the last line break is not part.
        const isCode = made.name === 'code' && parent?.name === 'pre';
        made.children.push(isCode ? child.value.replace(/\n$/, '') : child.value);
      }
    }
    return made;
  }

  #count(depth: number): void {
    this.#nodes += 1;
    if (depth > mostDepth) throw new ArchiveRefused('too-deep', '', 'The page nests elements too deep.');
    if (this.#nodes > mostNodes) throw new ArchiveRefused('too-large', '', 'The page has too many elements.');
  }
}
