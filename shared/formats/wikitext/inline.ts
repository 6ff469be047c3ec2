import { readAddress } from './autolink.ts';
import { parseDirective, type Range } from './directives.ts';
import { markBit, MarkedTree, numberOf, type MarkSet } from './marks.ts';
import { NOWIKI_CLOSE, NOWIKI_OPEN, type Source } from './scan.ts';
import { MARK_NAMES, type Inline } from './tree.ts';

export interface InlineOptions {
  /** Whether a newline is a line break (comments). */
  readonly breaks: boolean;
  /** Whether links are allowed; not inside the text of a link. */
  readonly links: boolean;
}

const EM = markBit('em');
const STRONG = markBit('strong');
/** What each ASCII character can begin: the bit of a doubled sign, or one of the codes below. */
const STARTS = new Uint8Array(128);
const BRACKET = 0x81;
const ADDRESS = 0x82;
const NEWLINE = 0x83;
const APOSTROPHE = 0x84;
const DOUBLED: Readonly<Record<string, MarkSet>> = {
  '+': markBit('underline'),
  '~': markBit('strike'),
  '^': markBit('sup'),
  ',': markBit('sub'),
  '`': markBit('code'),
};
for (const [sign, bit] of Object.entries(DOUBLED)) STARTS[sign.charCodeAt(0)] = bit;
STARTS["'".charCodeAt(0)] = APOSTROPHE;
STARTS['['.charCodeAt(0)] = BRACKET;
STARTS['h'.charCodeAt(0)] = ADDRESS;
STARTS['H'.charCodeAt(0)] = ADDRESS;
STARTS[0x0a] = NEWLINE;

export function parseInlineRange(source: Source, range: Range, options: InlineOptions): Inline[] {
  if (range.start >= range.end) return [];
  const first = nextStart(source.text, range.start, range.end);
  if (first === range.end) return [{ type: 'text', text: source.text.slice(range.start, range.end) }];
  return new InlineParser(source, range, options).parse(first);
}

/** The index of the first character from `at` that can begin something other than text. */
function nextStart(text: string, at: number, end: number): number {
  let index = at;
  while (index < end && (STARTS[text.charCodeAt(index)] ?? 0) === 0) index++;
  return index;
}

/** Numbers per entry of `#found`: start, end, bit of a sign (0 for an element), end of the mark that a sign begins. */
const STRIDE = 4;

/** Finds elements and format signs; a sign is text until its partner is found. */
class InlineParser {
  readonly #source: Source;
  readonly #text: string;
  readonly #range: Range;
  readonly #options: InlineOptions;
  /** Elements and signs in order, `STRIDE` numbers each; the bit of a sign is negative once it has a partner. */
  readonly #found: number[] = [];
  readonly #elements: Inline[] = [];
  /** For every mark: the index of its open sign in `#found`, or -1. */
  readonly #open = MARK_NAMES.map(() => -1);

  constructor(source: Source, range: Range, options: InlineOptions) {
    this.#source = source;
    this.#text = source.text;
    this.#range = range;
    this.#options = options;
  }

  /** Parses the range, whose first special character is at `first`. */
  parse(first: number): Inline[] {
    const { end } = this.#range;
    const text = this.#text;
    for (let at = first; at < end; at = nextStart(text, at, end)) {
      at = this.#take(STARTS[text.charCodeAt(at)] ?? 0, at);
    }
    return this.#build();
  }

  /** Handles what begins at `at` and returns the index at which to continue. */
  #take(kind: number, at: number): number {
    if (kind === BRACKET) return this.#takeBracket(at);
    if (kind === ADDRESS) return this.#takeUrl(at);
    if (kind === NEWLINE) {
      if (this.#options.breaks) this.#push({ type: 'break' }, at, at + 1);
      return at + 1;
    }
    const code = this.#text.charCodeAt(at);
    let after = at + 1;
    while (after < this.#range.end && this.#text.charCodeAt(after) === code) after++;
    if (kind === APOSTROPHE) {
      if (after - at > 1) this.#takeApostrophes(at, after);
    } else if (after - at === 2) {
      this.#takeSign(kind, at, after);
    }
    return after;
  }

  #takeBracket(at: number): number {
    const close = this.#source.closing[at] ?? 0;
    if (close === 0 || close >= this.#range.end) return at + 1;
    const after = close + 1;
    if (
      this.#text.startsWith(NOWIKI_OPEN, at) &&
      this.#text.startsWith(NOWIKI_CLOSE, after - NOWIKI_CLOSE.length)
    ) {
      const text = this.#text.slice(at + NOWIKI_OPEN.length, after - NOWIKI_CLOSE.length);
      this.#push({ type: 'text', text }, at, after);
      return after;
    }
    if (this.#text.startsWith('[br]', at)) {
      const skip = this.#text.charCodeAt(after) === 0x0a && after < this.#range.end ? after + 1 : after;
      this.#push({ type: 'break' }, at, skip);
      return skip;
    }
    if (!this.#options.links && !this.#text.startsWith('[image|', at)) return at + 1;
    const inner = { breaks: this.#options.breaks, links: false };
    const node = parseDirective(this.#source, at, (range) =>
      parseInlineRange(this.#source, trimRange(this.#text, range), inner),
    );
    if (node === null) return at + 1;
    this.#push(node, at, after);
    return after;
  }

  #takeUrl(at: number): number {
    if (!this.#options.links) return at + 1;
    const { url, next } = readAddress(this.#text, at, this.#range.start, this.#range.end);
    if (url !== null) this.#push({ type: 'autolink', url }, at, next);
    return next;
  }

  /**
   * Handles apostrophes: `''` is em, `'''` strong, five are both. One of four is text; of more than five the surplus is
   * text, unless it reopens a mark.
   */
  #takeApostrophes(at: number, after: number): void {
    const count = after - at;
    const surplus = count - 5;
    const bothOpen = this.#isOpen(EM) && this.#isOpen(STRONG);
    if (bothOpen && (surplus === 2 || surplus === 3 || surplus === 5)) {
      this.#takeQuotes(at, 5);
      this.#takeQuotes(at + 5, surplus);
      return;
    }
    const used = count >= 5 ? 5 : Math.min(count, 3);
    this.#takeQuotes(after - used, used);
  }

  #takeQuotes(at: number, count: number): void {
    if (count !== 3) this.#toggle(EM, at, at + 2, at);
    if (count !== 2) this.#toggle(STRONG, at + count - 3, at + count, at);
  }

  #isOpen(bit: MarkSet): boolean {
    return this.#open[numberOf(bit)] !== -1;
  }

  /** Opens or closes a mark. `end`: the index at which the mark counts as ended; signs of one run end together. */
  #toggle(bit: MarkSet, at: number, after: number, end: number): void {
    const mark = numberOf(bit);
    const opening = this.#open[mark] ?? -1;
    if (opening === -1) {
      this.#open[mark] = this.#found.length;
      this.#found.push(at, after, bit, 0);
    } else {
      this.#open[mark] = -1;
      this.#found[opening + 2] = -bit;
      this.#found[opening + 3] = end;
      this.#found.push(at, after, -bit, 0);
    }
  }

  /** Handles a doubled sign, which must touch the text that it formats: "C++ and C++" stays text. */
  #takeSign(bit: MarkSet, at: number, after: number): void {
    const opens = after < this.#range.end && !isSpace(this.#text.charCodeAt(after));
    const closes = at > this.#range.start && !isSpace(this.#text.charCodeAt(at - 1));
    if (closes && this.#isOpen(bit)) {
      this.#toggle(bit, at, after, at);
    } else if (opens) {
      this.#open[numberOf(bit)] = -1;
      this.#toggle(bit, at, after, at);
    }
  }

  #push(element: Inline, at: number, after: number): void {
    this.#found.push(at, after, 0, 0);
    this.#elements.push(element);
  }

  #build(): Inline[] {
    const tree = new MarkedTree();
    const found = this.#found;
    let set = 0;
    let element = 0;
    let copied = this.#range.start;
    const addText = (end: number): void => {
      if (end > copied) tree.add({ type: 'text', text: this.#text.slice(copied, end) }, set);
    };
    for (let entry = 0; entry < found.length; entry += STRIDE) {
      const bit = found[entry + 2] ?? 0;
      if (bit > 0) continue;
      addText(found[entry] ?? 0);
      copied = found[entry + 1] ?? 0;
      const item = bit === 0 ? this.#elements[element++] : undefined;
      if (item !== undefined) tree.add(item, set);
      set ^= -bit;
      if (bit !== 0 && (set & -bit) !== 0) tree.ends[numberOf(-bit)] = found[entry + 3] ?? 0;
    }
    addText(this.#range.end);
    return tree.root;
  }
}

/** Whether a character is a space, tab or newline; other Unicode spaces are text. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a;
}

export function trimRange(text: string, { start, end }: Range): Range {
  let from = start;
  let to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return { start: from, end: to };
}
