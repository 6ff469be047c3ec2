import { lineToWiki, type WikiSurroundings } from '#shared/formats/omanual/html-to-wiki.ts';
import type { Bullet } from '#shared/model/guide.ts';
import type { SimpleLine, SimpleStep } from '#shared/formats/omanual/simple-guides.ts';
import { elementsIn, type XmlElement, type XmlNode } from '#shared/formats/omanual/xml-tree.ts';

import { takeSign } from './notation.ts';
import {
  blocksOf,
  linksIn,
  made,
  onlyText,
  plainText,
  reportLink,
  tableRows,
  withBareAddresses,
} from './page-outline.ts';
import { mostLevel } from './page-limits.ts';
import { imagesIn, sourceOf, type PagePictures } from './page-pictures.ts';

/** Reads steps. Items and paragraphs become lines; pictures leave their lines and belong to the step. */
export class StepReader {
  readonly #pictures: PagePictures;
  readonly #around: WikiSurroundings;
  #lines: SimpleLine[] = [];
  #shown: Blob[] = [];

  constructor(pictures: PagePictures, around: WikiSurroundings) {
    this.#pictures = pictures;
    this.#around = around;
  }

  /** Reads a section that is one step. */
  step(title: string, blocks: readonly XmlElement[]): SimpleStep {
    this.#lines = [];
    this.#shown = [];
    for (const block of blocks) this.#block(block);
    const step: SimpleStep = { lines: this.#lines };
    if (title !== '') step.title = title;
    if (this.#shown.length > 0) step.pictures = this.#shown;
    return step;
  }

  /** Reads a section of all steps: by its headings, else by the items of its lists, else by its paragraphs. */
  steps(blocks: readonly XmlElement[]): SimpleStep[] {
    const { report } = this.#around;
    if (blocks.some(({ name }) => name === 'h3')) {
      const parts: { title: string; blocks: XmlElement[] }[] = [];
      for (const block of blocks) {
        if (block.name === 'h3') parts.push({ title: onlyText(block, report), blocks: [] });
        else if (parts.length === 0) parts.push({ title: '', blocks: [block] });
        else parts.at(-1)?.blocks.push(block);
      }
      return parts.map((part) => this.step(part.title, part.blocks));
    }
    return blocks
      .filter(({ name }) => name !== 'hr')
      .flatMap((block) =>
        block.name === 'ol' || block.name === 'ul'
          ? elementsIn(block, 'li').map((item) => this.step('', blocksOf(item, report)))
          : [this.step('', [block])],
      );
  }

  #block(block: XmlElement): void {
    if (block.name === 'ul' || block.name === 'ol') this.#list(block, 0);
    else if (block.name === 'table') this.#table(block);
    else if (block.name !== 'hr') this.#line(/^h[3-6]$/.test(block.name) ? bold(block) : block, 0);
  }

  /** Each row becomes a line. */
  #table(table: XmlElement): void {
    this.#around.report.add('dropped', 'table', table, 'The rows of a table became lines.');
    for (const row of tableRows(table)) this.#line(made('p', row, table), 0);
  }

  #list(list: XmlElement, level: number): void {
    if (list.name === 'ol')
      this.#around.report.add(
        'dropped',
        'numbered-list',
        list,
        'The numbers of a list are left out; its order remains.',
      );
    for (const item of elementsIn(list)) {
      const isList = (child: XmlNode): child is XmlElement =>
        typeof child !== 'string' && (child.name === 'ul' || child.name === 'ol');
      this.#line(
        made(
          'li',
          item.children.filter((child) => !isList(child)),
          item,
        ),
        level,
      );
      for (const inner of item.children.filter(isList)) this.#list(inner, Math.min(level + 1, mostLevel));
    }
  }

  /** A link around a picture, which leaves its line. */
  #reportEmptyLinks(element: XmlElement): void {
    for (const link of linksIn(element))
      if (plainText(link) === '' && imagesIn(link).length > 0) reportLink(link, this.#around.report);
  }

  #line(element: XmlElement, level: number): void {
    for (const image of imagesIn(element)) {
      const blob = this.#pictures.of(sourceOf(image));
      if (blob !== null) this.#shown.push(blob);
    }
    this.#reportEmptyLinks(element);
    const words = withoutImages(element);
    const { bullet, rest } = signOf(words);
    const text = withBareAddresses(lineToWiki(rest, this.#around));
    if (text !== '' || bullet !== null || (element.name === 'li' && imagesIn(element).length === 0))
      this.#lines.push({ text, level, ...(bullet === null ? {} : { bullet }) });
  }
}

function bold(heading: XmlElement): XmlElement {
  return made('p', [made('strong', [...heading.children], heading)], heading);
}

function withoutImages(element: XmlElement): XmlElement {
  const children = element.children.flatMap((child): XmlNode[] => {
    if (typeof child === 'string') return [child];
    return child.name === 'img' ? [] : [withoutImages(child)];
  });
  return { ...element, children };
}

/** Takes the sign of a bullet from the beginning of the first text. */
function signOf(element: XmlElement): { bullet: Bullet | null; rest: XmlElement } {
  const at = element.children.findIndex((child) => typeof child !== 'string' || /\S/.test(child));
  const first = element.children[at];
  if (first === undefined) return { bullet: null, rest: element };
  if (typeof first !== 'string') {
    const inner = signOf(first);
    return {
      bullet: inner.bullet,
      rest: inner.bullet === null ? element : withChild(element, at, inner.rest),
    };
  }
  const found = takeSign(first);
  return found === null
    ? { bullet: null, rest: element }
    : { bullet: found.bullet, rest: withChild(element, at, found.rest) };
}

function withChild(element: XmlElement, at: number, child: XmlNode): XmlElement {
  return { ...element, children: element.children.with(at, child) };
}
