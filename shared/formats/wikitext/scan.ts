/** Wiki text with the position of the closing bracket of every opening one; all parsers work on it. */
export interface Source {
  readonly text: string;
  /** For each `[` that is closed on its own line: the index of its `]`. 0 everywhere else. */
  readonly closing: Int32Array;
  /** Code and quote blocks in order of appearance, quotes with their inner blocks. Empty in line mode. */
  readonly regions: readonly Region[];
}

export interface Region {
  readonly kind: 'code' | 'quote';
  readonly start: number;
  /** The index after the region. */
  readonly end: number;
  readonly innerStart: number;
  readonly innerEnd: number;
  readonly regions: readonly Region[];
}

/** Maximum depth of quotes; deeper ones stay text, which bounds every recursion over the tree. */
const MAX_QUOTE_DEPTH = 8;

export const NOWIKI_OPEN = '[nowiki]';
export const NOWIKI_CLOSE = '[/nowiki]';
export const CODE_OPEN = '[code]';
export const CODE_CLOSE = '[/code]';
const QUOTE_CLOSE = '[/quote]';

const NEWLINE = 0x0a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * `indexOf` for increasing start positions. It remembers failed and distant searches, so that all calls together take
 * linear time.
 */
export class ForwardSearch {
  readonly #text: string;
  readonly #needle: string;
  #found = -2;

  constructor(text: string, needle: string) {
    this.#text = text;
    this.#needle = needle;
  }

  /** The index of the needle at or after `from`; the length of the text when there is none. */
  from(from: number): number {
    if (this.#found < from) {
      const index = this.#text.indexOf(this.#needle, from);
      this.#found = index === -1 ? Number.MAX_SAFE_INTEGER : index;
    }
    return Math.min(this.#found, this.#text.length);
  }
}

interface QuoteTag {
  readonly index: number;
  readonly opens: boolean;
}

const noneClosed = new Int32Array(0);

/** Finds matching brackets (nowiki spans are opaque) and, when `blocks`, the code and quote regions. */
export function scanSource(raw: string, blocks: boolean): Source {
  const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
  // A shortcut: most lines have no bracket, and a guide has hundreds of lines.
  if (!text.includes('[')) return { text, closing: noneClosed, regions: [] };
  const scanner = new Scanner(text, blocks);
  scanner.run();
  return {
    text,
    closing: scanner.closing,
    regions: nestRegions(scanner.closing, scanner.codes, scanner.tags),
  };
}

class Scanner {
  readonly closing: Int32Array;
  readonly codes: Region[] = [];
  readonly tags: QuoteTag[] = [];
  readonly #text: string;
  readonly #blocks: boolean;
  readonly #newline: ForwardSearch;
  readonly #nowikiEnd: ForwardSearch;
  readonly #codeEnd: ForwardSearch;
  /** The open brackets of the current line. */
  readonly #open: number[] = [];

  constructor(text: string, blocks: boolean) {
    this.#text = text;
    this.#blocks = blocks;
    this.closing = new Int32Array(text.length);
    this.#newline = new ForwardSearch(text, '\n');
    this.#nowikiEnd = new ForwardSearch(text, NOWIKI_CLOSE);
    this.#codeEnd = new ForwardSearch(text, CODE_CLOSE);
  }

  run(): void {
    const text = this.#text;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === OPEN_BRACKET) {
        at = this.#takeBracket(at);
      } else if (code === CLOSE_BRACKET) {
        const start = this.#open.pop();
        if (start !== undefined) this.closing[start] = at;
      } else if (code === NEWLINE && this.#open.length > 0) {
        this.#open.length = 0;
      }
    }
  }

  /** Returns the index of the last character that belongs to what begins at `at`. */
  #takeBracket(at: number): number {
    const text = this.#text;
    const next = text.charAt(at + 1);
    if (
      next === 'n' &&
      text.startsWith(NOWIKI_OPEN, at) &&
      this.#nowikiEnd.from(at) < this.#newline.from(at)
    ) {
      const last = this.#nowikiEnd.from(at) + NOWIKI_CLOSE.length - 1;
      this.closing[at] = last;
      return last;
    }
    if (
      this.#blocks &&
      next === 'c' &&
      text.startsWith(CODE_OPEN, at) &&
      this.#codeEnd.from(at) < text.length
    ) {
      const innerEnd = this.#codeEnd.from(at);
      const end = innerEnd + CODE_CLOSE.length;
      this.codes.push({
        kind: 'code',
        start: at,
        end,
        innerStart: at + CODE_OPEN.length,
        innerEnd,
        regions: [],
      });
      this.#open.length = 0;
      return end - 1;
    }
    if (this.#blocks && (next === 'q' || next === '/')) {
      if (text.startsWith(QUOTE_CLOSE, at)) this.tags.push({ index: at, opens: false });
      else if (text.startsWith('[quote]', at) || text.startsWith('[quote|', at))
        this.tags.push({ index: at, opens: true });
    }
    this.#open.push(at);
    return at;
  }
}

interface OpenQuote {
  readonly start: number;
  readonly regions: Region[];
}

function nestRegions(closing: Int32Array, codes: readonly Region[], tags: readonly QuoteTag[]): Region[] {
  const pairs = pairQuotes(closing, tags);
  const root: Region[] = [];
  const stack: OpenQuote[] = [];
  let nextCode = 0;
  const target = (): Region[] => stack.at(-1)?.regions ?? root;
  const takeCodesBefore = (index: number): void => {
    for (let code = codes[nextCode]; code !== undefined && code.start < index; code = codes[++nextCode]) {
      target().push(code);
    }
  };
  for (const tag of tags) {
    const partner = pairs.get(tag.index);
    if (partner === undefined) continue;
    takeCodesBefore(tag.index);
    if (tag.opens) {
      stack.push({ start: tag.index, regions: [] });
      continue;
    }
    const quote = stack.pop();
    if (quote === undefined) continue;
    const innerStart = (closing[quote.start] ?? 0) + 1;
    const end = tag.index + QUOTE_CLOSE.length;
    target().push({ ...quote, kind: 'quote', end, innerStart, innerEnd: tag.index });
  }
  takeCodesBefore(Number.MAX_SAFE_INTEGER);
  return root;
}

/** The opening and closing indexes of the quotes that count: complete ones within the maximum depth. */
function pairQuotes(closing: Int32Array, tags: readonly QuoteTag[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  let headerEnd = 0;
  const found: [number, number][] = [];
  for (const { index, opens } of tags) {
    if (index < headerEnd) continue;
    if (opens) {
      const end = closing[index] ?? 0;
      if (end === 0) continue;
      headerEnd = end;
      open.push(index);
    } else {
      const start = open.pop();
      if (start !== undefined) found.push([start, index]);
    }
  }
  found.sort((a, b) => a[0] - b[0]);
  const ends: number[] = [];
  for (const [start, end] of found) {
    while (ends.length > 0 && (ends.at(-1) ?? 0) < start) ends.pop();
    ends.push(end);
    if (ends.length > MAX_QUOTE_DEPTH) continue;
    pairs.set(start, end);
    pairs.set(end, start);
  }
  return pairs;
}
