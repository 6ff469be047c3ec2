import { blocksToWiki } from '#shared/formats/omanual/html-to-wiki.ts';
import type { WikiSurroundings } from '#shared/formats/omanual/html-to-wiki.ts';
import type { DocumentReport } from '#shared/formats/omanual/findings.ts';
import { linkTarget } from '#shared/formats/wikitext/rich-text-nodes.ts';
import type { SimpleGuide, SimpleStep, SimpleSupply } from '#shared/formats/omanual/simple-guides.ts';
import { elementsIn, type XmlElement, type XmlNode } from '#shared/formats/omanual/xml-tree.ts';

import { factPairs, setFacts } from './guide-facts.ts';
import { nameOf, sectionWords, stepHeading, supplyWords, type SectionName } from './notation.ts';
import {
  made,
  onlyText,
  plainText,
  tableRows,
  withBareAddresses,
  type PageGuide,
  type PageSection,
} from './page-outline.ts';
import { mostSteps } from './page-limits.ts';
import { imagesIn, sourceOf, type PagePictures } from './page-pictures.ts';
import { StepReader } from './step-reader.ts';

/** The section `kind`, a step with its title, or a section of another name. */
type Kind = SectionName | { title: string } | null;

/** Reads one guide of a page. */
export class GuideReader {
  readonly #pictures: PagePictures;
  readonly #report: DocumentReport;
  readonly #at: (place: string) => void;
  /** Pictures of the texts, which `[image|n]` names from 1 on. */
  readonly #inTexts: Blob[] = [];
  readonly #numbers = new Map<Blob, number>();
  readonly #around: WikiSurroundings;

  /** `at` is told the place that further findings are about. */
  constructor(pictures: PagePictures, report: DocumentReport, at: (place: string) => void) {
    this.#pictures = pictures;
    this.#report = report;
    this.#at = at;
    this.#around = { report, isExact: true, picture: (path) => this.#pictureInText(path), link: linkTo };
  }

  read(page: PageGuide, fallback: string, given: readonly [string, string][]): SimpleGuide {
    const [first, ...others] = page.sections;
    const guide: SimpleGuide = { title: '', category: '', difficulty: '', steps: [] };
    this.#at(page.title);
    setFacts(guide, given, this.#report);
    guide.title = page.title || guide.title || fallback;
    const above = this.#head(guide, first);
    if (guide.category === '') this.#report.add('guessed', 'category', '', 'The guide names no category.');
    if (guide.type === undefined)
      this.#report.add('guessed', 'type', '', 'The guide names no type; it is read as technique.');
    const kinds = others.map((section) => ({ section, kind: kindOf(section) }));
    const hasSteps = kinds.some(
      ({ kind }) => kind === 'steps' || (kind !== null && typeof kind === 'object'),
    );
    let steps: SimpleStep[] = [];
    const texts = { introduction: above, conclusion: [] as XmlElement[] };
    const supplies = { tools: [] as SimpleSupply[], parts: [] as SimpleSupply[] };
    if (!hasSteps && kinds.every(({ kind }) => kind !== null)) {
      const { before, numbered, after } = aroundNumbers(above);
      steps = this.#stepReader().steps(numbered);
      texts.introduction = before;
      texts.conclusion = after;
      const message =
        steps.length === 0 ? 'The guide has no steps.' : 'The items of the numbered list became the steps.';
      this.#report.add('guessed', 'steps', '', message);
    }
    for (const { section, kind } of kinds) {
      this.#at(
        [guide.title, section.heading === null ? '' : plainText(section.heading)].filter(Boolean).join(', '),
      );
      if (typeof kind === 'string' && section.heading !== null) onlyText(section.heading, this.#report);
      if (kind === 'tools' || kind === 'parts') addTo(supplies[kind], this.#supplies(section));
      else if (kind === 'introduction' || kind === 'conclusion') addTo(texts[kind], section.blocks);
      else if (kind === 'steps') addTo(steps, this.#stepReader().steps(section.blocks));
      else if (kind !== null && typeof kind === 'object') steps.push(this.#step(kind.title, section));
      else if (kind === null && !hasSteps) steps.push(this.#step(headingOf(section), section));
      else this.#move(section, steps.length === 0 ? texts.introduction : texts.conclusion);
    }
    this.#at(guide.title);
    for (const name of ['introduction', 'conclusion'] as const) {
      const wiki = this.#wiki(texts[name]);
      if (wiki !== '') guide[name] = wiki;
    }
    for (const name of ['tools', 'parts'] as const)
      if (supplies[name].length > 0) guide[name] = supplies[name];
    if (this.#inTexts.length > 0) guide.pictures = this.#inTexts;
    return { ...guide, steps: this.#firstOf(steps) };
  }

  #firstOf(steps: SimpleStep[]): SimpleStep[] {
    const more = steps.length - mostSteps;
    if (more <= 0) return steps;
    const message = `Only the first ${mostSteps} steps of the guide are read; ${more} more are left out.`;
    this.#report.add('dropped', 'more-steps', '', message);
    return steps.slice(0, mostSteps);
  }

  #stepReader(): StepReader {
    return new StepReader(this.#pictures, this.#around);
  }

  /** Reads picture and facts above the first section. Returns the other blocks. */
  #head(guide: SimpleGuide, { blocks }: PageSection): XmlElement[] {
    const [first] = blocks;
    const hasPicture = first !== undefined && isPicture(first) && factPairs(blocks[1]) !== null;
    if (hasPicture) {
      const blob = this.#pictures.of(sourceOf(imagesIn(first)[0] ?? first));
      if (blob !== null) guide.picture = blob;
    }
    const rest = hasPicture ? blocks.slice(1) : blocks;
    const pairs = factPairs(rest[0]);
    if (pairs === null) return [...rest];
    setFacts(guide, pairs, this.#report);
    if (rest[0] !== undefined) onlyText(rest[0], this.#report);
    return rest.slice(1);
  }

  #step(title: string, { heading, blocks }: PageSection): SimpleStep {
    if (heading !== null) onlyText(heading, this.#report);
    return this.#stepReader().step(title, blocks);
  }

  /** A guide has no place for a section: it becomes part of a text, with its heading. */
  #move({ heading, blocks }: PageSection, text: XmlElement[]): void {
    this.#report.add('guessed', 'section', '', 'The section became part of the introduction or conclusion.');
    // Headings in texts are one level deeper than in the guide.
    if (heading !== null) text.push({ ...heading, name: 'h3' });
    addTo(text, blocks);
  }

  #supplies({ blocks }: PageSection): SimpleSupply[] {
    return blocks.flatMap((block) => {
      if (block.name === 'ul' || block.name === 'ol')
        return elementsIn(block, 'li').map((item) => supplyOf(item, this.#report));
      const text = onlyText(block, this.#report);
      if (text !== '') this.#report.add('dropped', 'text', '', `“${text.slice(0, 100)}” is left out.`);
      return [];
    });
  }

  #wiki(blocks: readonly XmlElement[]): string {
    const [first] = blocks;
    return first === undefined
      ? ''
      : withBareAddresses(
          blocksToWiki(
            made(
              'div',
              blocks.map((block) => this.#inText(block)),
              first,
            ),
            this.#around,
          ),
        );
  }

  /** A block of a text: its tables are lists, and its headings one level higher, because they begin at 2. */
  #inText(block: XmlElement): XmlElement {
    if (block.name === 'table') {
      this.#report.add('dropped', 'table', block, 'The rows of a table became the items of a list.');
      return made(
        'ul',
        tableRows(block).map((row) => made('li', row, block)),
        block,
      );
    }
    const level = /^h([3-6])$/.exec(block.name)?.[1];
    const name = level === undefined ? block.name : `h${Number(level) - 1}`;
    const isPlain = name === block.name && !holdsTable(block);
    if (isPlain) return block;
    const children = block.children.map((child) =>
      typeof child !== 'string' && holdsTable(child) ? this.#inText(child) : child,
    );
    return { ...block, name, children };
  }

  #pictureInText(path: string): number | null {
    const blob = this.#pictures.of(path);
    if (blob === null) return null;
    const known = this.#numbers.get(blob);
    if (known !== undefined) return known;
    const number = this.#inTexts.push(blob);
    this.#numbers.set(blob, number);
    return number;
  }
}

function addTo<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one);
}

function kindOf(section: PageSection): Kind {
  const text = headingOf(section);
  return nameOf(sectionWords, text.replace(/:$/, '')) ?? stepHeading(text);
}

function headingOf({ heading }: PageSection): string {
  return heading === null ? '' : plainText(heading);
}

/** Parts a text at its first and behind its last numbered list. */
function aroundNumbers(blocks: readonly XmlElement[]): Record<'before' | 'numbered' | 'after', XmlElement[]> {
  const isNumbered = ({ name }: XmlElement): boolean => name === 'ol';
  const end = blocks.findLastIndex(isNumbered) + 1;
  const start = end === 0 ? blocks.length : blocks.findIndex(isNumbered);
  return {
    before: blocks.slice(0, start),
    numbered: blocks.slice(start, Math.max(start, end)),
    after: blocks.slice(Math.max(start, end)),
  };
}

function holdsTable(element: XmlElement): boolean {
  return element.name === 'table' || elementsIn(element).some(holdsTable);
}

function isPicture(block: XmlElement): boolean {
  return block.name === 'p' && imagesIn(block).length === 1 && plainText(block) === '';
}

function supplyOf(item: XmlElement, report: DocumentReport): SimpleSupply {
  const inner = elementsIn(item).find(({ name }) => name === 'ul' || name === 'ol');
  const own = made(
    'li',
    item.children.filter((child) => child !== inner),
    item,
  );
  const [paragraph] = elementsIn(own, 'p');
  const content = paragraph ?? own;
  const bold = boldIn(content);
  const text = plainText(content);
  const holder = content.children.find(
    (child) => typeof child !== 'string' && bold !== null && holds(child, bold),
  );
  const at = holder === undefined ? content.children.length : content.children.indexOf(holder);
  const counted = /^\s*(-?\d{1,9})\s*[×x](?:\s+|$)/.exec(textsOf(content.children.slice(0, at)));
  const name = bold === null ? text.slice(counted?.[0].trimStart().length ?? 0) : plainText(bold);
  const around = textsOf(content.children.slice(at + 1));
  const url = webLink(content);
  onlyText(item, report, url ?? undefined);
  const details = inner === undefined ? {} : detailsOf(inner);
  const notes = details.notes ?? around.replace(/^[\s:–—-]+/, '').trim();
  return {
    name,
    ...(counted === null ? {} : { quantity: Number(counted[1]) }),
    ...(url === null ? {} : { url }),
    ...details,
    ...(notes === '' ? {} : { notes }),
  };
}

function boldIn(element: XmlElement): XmlElement | null {
  for (const child of elementsIn(element)) {
    const found = child.name === 'strong' || child.name === 'b' ? child : boldIn(child);
    if (found !== null) return found;
  }
  return null;
}

function holds(element: XmlElement, inner: XmlElement): boolean {
  return element === inner || elementsIn(element).some((child) => holds(child, inner));
}

function textsOf(nodes: readonly XmlNode[]): string {
  return nodes.map((child) => (typeof child === 'string' ? child : plainText(child))).join('');
}

function detailsOf(list: XmlElement): Pick<SimpleSupply, 'type' | 'notes' | 'isOptional'> {
  const details: Pick<SimpleSupply, 'type' | 'notes' | 'isOptional'> = {};
  const other: string[] = [];
  for (const item of elementsIn(list, 'li')) {
    const text = plainText(item);
    const [word = '', ...value] = text.split(':');
    const name = nameOf(supplyWords, word);
    if (name === 'optional') details.isOptional = true;
    else if (name === 'type') details.type = value.join(':').trim();
    else other.push(name === 'notes' ? value.join(':').trim() : text);
  }
  if (other.length > 0) details.notes = other.join('; ');
  return details;
}

function webLink(element: XmlElement): string | null {
  for (const child of elementsIn(element)) {
    const found = child.name === 'a' ? linkTo(child.attributes.get('href') ?? '') : webLink(child);
    if (found !== null) return found;
  }
  return null;
}

/** The address of a link; null if it leads nowhere from another place. */
function linkTo(href: string): string | null {
  const address = href.trim();
  return /^(?:https?:\/\/|mailto:)/i.test(address) && linkTarget(address) !== null ? address : null;
}
