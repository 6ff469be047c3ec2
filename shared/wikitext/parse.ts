import type { Range } from './directives.ts';
import { readOption, splitBars } from './directives.ts';
import { isSpace, parseInlineRange, trimRange } from './inline.ts';
import { ListBuilder } from './lists.ts';
import { scanSource } from './scan.ts';
import type { Region, Source } from './scan.ts';
import { parseTable } from './tables.ts';
import type { Block, Inline, Quote } from './tree.ts';

export interface BlockOptions {
  /** Whether a single newline is a line break, as in comments. */
  readonly breaks?: boolean;
}

/** Parses text that stands on one line (step lines): formats, links and images, no blocks. */
export function parseLine(raw: string): Inline[] {
  const source = scanSource(raw, false);
  return parseInlineRange(source, { start: 0, end: source.text.length }, { breaks: false, links: true });
}

/** Parses text made of paragraphs, headings, lists, tables, quotes and code (introductions, wikis, comments). */
export function parseBlocks(raw: string, options: BlockOptions = {}): Block[] {
  const source = scanSource(raw, true);
  const parser = new BlockParser(source, options.breaks ?? false);
  return parser.parse({ start: 0, end: source.text.length }, source.regions);
}

/** A run of lines without code or quote, and what is being collected from it. */
interface Stretch {
  readonly lines: readonly Range[];
  readonly blocks: Block[];
  paragraph: Range | null;
  list: ListBuilder | null;
  /** False once a table was found to have no end: then no later one has. */
  tables: boolean;
}

class BlockParser {
  readonly #source: Source;
  readonly #text: string;
  readonly #breaks: boolean;

  constructor(source: Source, breaks: boolean) {
    this.#source = source;
    this.#text = source.text;
    this.#breaks = breaks;
  }

  parse(range: Range, regions: readonly Region[]): Block[] {
    const blocks: Block[] = [];
    let from = range.start;
    for (const region of regions) {
      this.#parseLines({ start: from, end: region.start }, blocks);
      blocks.push(region.kind === 'code' ? this.#code(region) : this.#quote(region));
      from = region.end;
    }
    this.#parseLines({ start: from, end: range.end }, blocks);
    return blocks;
  }

  #code(region: Region): Block {
    const inner = this.#text.slice(region.innerStart, region.innerEnd);
    return { type: 'code', text: inner.replace(/^\n/, '').replace(/\n$/, '') };
  }

  /** `[quote|attribution|format=long]`; `featured` alone is short for `format=featured`. */
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
    const children = this.parse({ start: region.innerStart, end: region.innerEnd }, region.regions);
    return { type: 'quote', format, attribution, children };
  }

  #inline(range: Range): Inline[] {
    return parseInlineRange(this.#source, range, { breaks: this.#breaks, links: true });
  }

  #parseLines(range: Range, blocks: Block[]): void {
    const stretch: Stretch = {
      lines: splitLines(this.#text, range),
      blocks,
      paragraph: null,
      list: null,
      tables: true,
    };
    for (let index = 0; index < stretch.lines.length; index++) {
      index = this.#addLine(stretch, index);
    }
    this.#finish(stretch);
  }

  /** Adds the line at `index` to the stretch; returns the index of the last line it used. */
  #addLine(stretch: Stretch, index: number): number {
    const line = stretch.lines[index] ?? { start: 0, end: 0 };
    const sign = this.#text.charAt(line.start);
    if ((sign === '*' || sign === '#') && this.#addItem(stretch, line)) return index;
    const heading = sign === '=' ? this.#readHeading(line) : null;
    if (heading !== null) {
      this.#finish(stretch);
      stretch.blocks.push(heading);
      return index;
    }
    const tableEnd = this.#findTableEnd(stretch, index);
    if (tableEnd !== null) {
      this.#finish(stretch);
      stretch.blocks.push(this.#table(stretch.lines, index, tableEnd));
      return tableEnd;
    }
    if (this.#isBlank(line)) {
      this.#finish(stretch);
      return index;
    }
    if (stretch.list !== null) this.#finish(stretch);
    stretch.paragraph = { start: stretch.paragraph?.start ?? line.start, end: line.end };
    return index;
  }

  /** Closes the paragraph or list that is being collected. */
  #finish(stretch: Stretch): void {
    if (stretch.paragraph !== null) this.#addParagraph(stretch.paragraph, stretch.blocks);
    for (const list of stretch.list?.lists ?? []) stretch.blocks.push(list);
    stretch.paragraph = null;
    stretch.list = null;
  }

  /** Reads a run of signs followed by text; `#1` and `*2` are text, since sizes and part numbers begin like that. */
  #addItem(stretch: Stretch, line: Range): boolean {
    let at = line.start;
    while (at < line.end && '*#'.includes(this.#text.charAt(at))) at++;
    const content = trimRange(this.#text, { start: at, end: line.end });
    if (content.start === content.end || /\d/.test(this.#text.charAt(at))) return false;
    if (stretch.list === null) this.#finish(stretch);
    stretch.list ??= new ListBuilder();
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

  /** Index of the line that closes the table which begins at `index`; null when none begins or none closes it. */
  #findTableEnd(stretch: Stretch, index: number): number | null {
    if (!stretch.tables || !this.#text.startsWith('{|', stretch.lines[index]?.start)) return null;
    for (let end = index + 1; end < stretch.lines.length; end++) {
      if (this.#text.startsWith('|}', stretch.lines[end]?.start)) return end;
    }
    stretch.tables = false;
    return null;
  }

  #table(lines: readonly Range[], first: number, last: number): Block {
    const whole = { start: lines[first]?.start ?? 0, end: lines[last]?.end ?? 0 };
    return parseTable(this.#source, lines.slice(first + 1, last), whole, (range) => this.#inline(range));
  }

  /** Videos and guide lists are blocks of their own and part the paragraph that they stand in. */
  #addParagraph(range: Range, blocks: Block[]): void {
    let children: Inline[] = [];
    const flush = (): void => {
      const trimmed = trimInline(children);
      if (trimmed.length > 0) blocks.push({ type: 'paragraph', children: trimmed });
      children = [];
    };
    for (const node of this.#inline(trimRange(this.#text, range))) {
      if (node.type === 'video' || node.type === 'guidelist') {
        flush();
        blocks.push(node);
      } else {
        children.push(node);
      }
    }
    flush();
  }
}

function splitLines(text: string, { start, end }: Range): Range[] {
  const lines: Range[] = [];
  let from = start;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', from)) {
    lines.push({ start: from, end: at });
    from = at + 1;
  }
  lines.push({ start: from, end });
  return lines;
}

/** Drops the spaces at both ends of a row that was cut out of a longer one. */
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
