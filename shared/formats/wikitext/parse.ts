import { type Range, readOption, splitBars } from './directives.ts';
import { isSpace, parseInlineRange, trimRange } from './inline.ts';
import { ListBuilder } from './lists.ts';
import { scanSource, type Region, type Source } from './scan.ts';
import { parseTable } from './tables.ts';
import type { Block, GuideList, Inline, Quote, Video } from './tree.ts';

export interface BlockOptions {
  /** Whether a single newline is a line break, as in comments. */
  readonly breaks?: boolean;
}

/** Parses text on one line (step lines): formats, links and images, no blocks. */
export function parseLine(raw: string): Inline[] {
  const source = scanSource(raw, false);
  return parseInlineRange(source, { start: 0, end: source.text.length }, { breaks: false, links: true });
}

/** Parses text of paragraphs, headings, lists, tables, quotes and code (introductions, wikis, comments). */
export function parseBlocks(raw: string, options: BlockOptions = {}): Block[] {
  const blocks: Block[] = [];
  eachBlock(raw, options, (block) => blocks.push(block));
  return blocks;
}

/** Emits blocks one by one, so that a long text is never in memory as a tree. `isDone`: whether to stop. */
export function eachBlock(
  raw: string,
  options: BlockOptions,
  emit: Emit,
  isDone: () => boolean = () => false,
): void {
  const source = scanSource(raw, true);
  const parser = new BlockParser(source, options.breaks ?? false, isDone);
  parser.parse({ start: 0, end: source.text.length }, source.regions, emit);
}

type Emit = (block: Block) => void;

/** A run of lines without code or quotes, and the block being collected from it. */
interface Stretch {
  readonly end: number;
  readonly emit: Emit;
  readonly list: ListBuilder;
  /** Whether the last line was a list item. */
  inList: boolean;
  paragraph: Range | null;
  /** False once a table without an end was found; then no later table has an end either. */
  tables: boolean;
}

class BlockParser {
  readonly #source: Source;
  readonly #text: string;
  readonly #breaks: boolean;
  readonly #isDone: () => boolean;

  constructor(source: Source, breaks: boolean, isDone: () => boolean) {
    this.#source = source;
    this.#text = source.text;
    this.#breaks = breaks;
    this.#isDone = isDone;
  }

  parse(range: Range, regions: readonly Region[], emit: Emit): void {
    let from = range.start;
    for (const region of regions) {
      if (this.#isDone()) return;
      this.#parseLines({ start: from, end: region.start }, emit);
      emit(region.kind === 'code' ? this.#code(region) : this.#quote(region));
      from = region.end;
    }
    this.#parseLines({ start: from, end: range.end }, emit);
  }

  #code(region: Region): Block {
    const inner = this.#text.slice(region.innerStart, region.innerEnd);
    return { type: 'code', text: inner.replace(/^\n/, '').replace(/\n$/, '') };
  }

  /** Parses `[quote|attribution|format=long]`; `featured` is short for `format=featured`. */
  #quote(region: Region): Quote {
    const header = { start: region.start + '[quote'.length, end: region.innerStart - 1 };
    let format: Quote['format'] = 'long';
    let attribution: Inline[] = [];
    for (const part of splitBars(this.#source, header).slice(1)) {
      const text = this.#text.slice(part.start, part.end).trim();
      const option = readOption(text);
      if (text === 'featured' || (option?.[0] === 'format' && option[1] === 'featured')) format = 'featured';
      else if (option === null && attribution.length === 0)
        attribution = this.#inline(trimRange(this.#text, part));
    }
    const children: Block[] = [];
    this.parse({ start: region.innerStart, end: region.innerEnd }, region.regions, (block) =>
      children.push(block),
    );
    return { type: 'quote', format, attribution, children };
  }

  #inline(range: Range): Inline[] {
    return parseInlineRange(this.#source, range, { breaks: this.#breaks, links: true });
  }

  #parseLines(range: Range, emit: Emit): void {
    if (range.start >= range.end) return;
    const list = new ListBuilder(emit);
    const stretch: Stretch = { end: range.end, emit, list, inList: false, paragraph: null, tables: true };
    for (let at = range.start; at < range.end && !this.#isDone();) {
      at = this.#addLine(stretch, { start: at, end: this.#lineEnd(at, range.end) }) + 1;
    }
    this.#finish(stretch);
  }

  #lineEnd(start: number, limit: number): number {
    let end = start;
    while (end < limit && this.#text.charCodeAt(end) !== 0x0a) end++;
    return end;
  }

  /** Adds a line, or the table that begins with it, to the stretch; returns the end of what it used. */
  #addLine(stretch: Stretch, line: Range): number {
    const sign = this.#text.charAt(line.start);
    if ((sign === '*' || sign === '#') && this.#addItem(stretch, line)) return line.end;
    const heading = sign === '=' ? this.#readHeading(line) : null;
    const table = sign === '{' ? this.#readTable(stretch, line) : null;
    if (heading !== null || table !== null) {
      this.#finish(stretch);
      if (heading !== null) stretch.emit(heading);
      if (table !== null) stretch.emit(table.block);
      return table?.end ?? line.end;
    }
    if (this.#isBlank(line)) {
      this.#finish(stretch);
      return line.end;
    }
    if (stretch.inList) this.#finish(stretch);
    stretch.paragraph = { start: stretch.paragraph?.start ?? line.start, end: line.end };
    return line.end;
  }

  /** Closes the paragraph or list that is being collected. */
  #finish(stretch: Stretch): void {
    if (stretch.paragraph !== null) this.#addParagraph(stretch.paragraph, stretch.emit);
    stretch.list.finish();
    stretch.paragraph = null;
    stretch.inList = false;
  }

  /**
   * Parses a list item: a run of signs followed by text. `#1` and `*2` are text, because sizes and part numbers look
   * like that.
   */
  #addItem(stretch: Stretch, line: Range): boolean {
    let at = line.start;
    while (at < line.end && '*#'.includes(this.#text.charAt(at))) at++;
    const content = trimRange(this.#text, { start: at, end: line.end });
    if (content.start === content.end || /\d/.test(this.#text.charAt(at))) return false;
    if (!stretch.inList) this.#finish(stretch);
    stretch.inList = true;
    stretch.list.add(at - line.start, this.#text.charAt(at - 1) === '#', this.#inline(content));
    return true;
  }

  #isBlank(line: Range): boolean {
    let at = line.start;
    while (at < line.end && isSpace(this.#text.charCodeAt(at))) at++;
    return at === line.end;
  }

  #readHeading(line: Range): Block | null {
    const { start, end } = trimRange(this.#text, line);
    let lead = 0;
    while (lead < 6 && this.#text.charAt(start + lead) === '=') lead++;
    let trail = 0;
    while (trail < 6 && this.#text.charAt(end - 1 - trail) === '=') trail++;
    const level = Math.min(lead, trail);
    const content = trimRange(this.#text, { start: start + level, end: end - level });
    if (level < 2 || content.start >= content.end) return null;
    return { type: 'heading', level, children: this.#inline(content) };
  }

  /** Parses the table that begins with this line; null when there is none or its `|}` is missing. */
  #readTable(stretch: Stretch, first: Range): { block: Block; end: number } | null {
    if (!stretch.tables || !this.#text.startsWith('{|', first.start)) return null;
    const lines: Range[] = [];
    for (let at = first.end + 1; at < stretch.end;) {
      const line = { start: at, end: this.#lineEnd(at, stretch.end) };
      if (this.#text.startsWith('|}', at)) {
        const whole = { start: first.start, end: line.end };
        return {
          block: parseTable(this.#source, lines, whole, (range) => this.#inline(range)),
          end: line.end,
        };
      }
      lines.push(line);
      at = line.end + 1;
    }
    stretch.tables = false;
    return null;
  }

  /** Adds a paragraph. Videos and guide lists become separate blocks and split the paragraph. */
  #addParagraph(range: Range, emit: Emit): void {
    const nodes = this.#inline(trimRange(this.#text, range));
    if (!nodes.some(isBlockNode)) {
      if (nodes.length > 0) emit({ type: 'paragraph', children: nodes });
      return;
    }
    let children: Inline[] = [];
    const flush = (): void => {
      const trimmed = trimInline(children);
      if (trimmed.length > 0) emit({ type: 'paragraph', children: trimmed });
      children = [];
    };
    for (const node of nodes) {
      if (isBlockNode(node)) {
        flush();
        emit(node);
      } else {
        children.push(node);
      }
    }
    flush();
  }
}

function isBlockNode(node: Inline): node is Video | GuideList {
  return node.type === 'video' || node.type === 'guidelist';
}

/** Trims the spaces at both ends of inline content that was cut out of a longer one. */
function trimInline(children: readonly Inline[]): Inline[] {
  const trimmed = [...children];
  const first = trimmed[0];
  if (first?.type === 'text') trimmed[0] = { type: 'text', text: first.text.replace(/^[ \t\n]+/, '') };
  const last = trimmed.at(-1);
  if (last?.type === 'text') trimmed[trimmed.length - 1] = { type: 'text', text: trimEnd(last.text) };
  return trimmed.filter((node) => node.type !== 'text' || node.text !== '');
}

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}
