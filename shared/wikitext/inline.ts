import { parseDirective } from './directives.ts';
import type { Range } from './directives.ts';
import { markBit, nestMarks } from './marks.ts';
import type { MarkSet } from './marks.ts';
import { NOWIKI_CLOSE, NOWIKI_OPEN } from './scan.ts';
import type { Source } from './scan.ts';
import type { Inline } from './tree.ts';
import { isSafeUrl } from './urls.ts';

export interface InlineOptions {
  /** Whether a newline is a line break (comments). */
  readonly breaks: boolean;
  /** Whether links may stand here; not inside the text of a link. */
  readonly links: boolean;
}

/** A format sign; it is text until its partner is found. */
interface Sign {
  readonly text: string;
  readonly bit: MarkSet;
  paired: boolean;
}

type Token = Inline | Sign;

const EM = markBit('em');
const STRONG = markBit('strong');
const SIGN_BITS: Readonly<Record<string, MarkSet>> = {
  '+': markBit('underline'),
  '~': markBit('strike'),
  '^': markBit('sup'),
  ',': markBit('sub'),
  '`': markBit('code'),
};
// oxlint-disable-next-line no-control-regex -- they end an address
const URL_BODY = /(?:(?!''|\+\+|~~|\^\^|,,)[^\s\u0000-\u001f\u007f<>"[\]|{}`\\])+/y;

export function parseInlineRange(source: Source, range: Range, options: InlineOptions): Inline[] {
  return new InlineParser(source, range, options).parse();
}

class InlineParser {
  readonly #source: Source;
  readonly #text: string;
  /** The text of the range alone: a search in it cannot run past the range. */
  readonly #slice: string;
  readonly #range: Range;
  readonly #options: InlineOptions;
  readonly #tokens: Token[] = [];
  readonly #openSigns = new Map<MarkSet, Sign>();
  /** Start of the text that is not yet in a token. */
  #pending: number;

  constructor(source: Source, range: Range, options: InlineOptions) {
    this.#source = source;
    this.#text = source.text;
    this.#slice = source.text.slice(range.start, range.end);
    this.#range = range;
    this.#options = options;
    this.#pending = range.start;
  }

  parse(): Inline[] {
    const special = /\[|''+|\+\++|~~+|\^\^+|,,+|``+|https?:\/\/|\n/gi;
    const { start, end } = this.#range;
    for (let hit = special.exec(this.#slice); hit !== null; hit = special.exec(this.#slice)) {
      special.lastIndex = this.#take(hit[0], start + hit.index) - start;
    }
    this.#flush(end);
    return this.#nest();
  }

  /** Handles what begins at `at` and returns where to go on. */
  #take(found: string, at: number): number {
    const first = found.charAt(0);
    const after = at + found.length;
    if (first === '[') return this.#takeBracket(at);
    if (first === '\n') {
      if (this.#options.breaks) this.#push({ type: 'break' }, at, after);
      return after;
    }
    if (first === "'") {
      if (found.length > 1) this.#takeApostrophes(at, after);
      return after;
    }
    const bit = SIGN_BITS[first];
    if (bit === undefined) return this.#options.links ? this.#takeUrl(at) : after;
    if (found.length === 2) this.#takeSign(bit, at, after);
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
    const bodyStart = this.#text.indexOf('//', at) + 2;
    if (at > this.#range.start && /[a-z0-9]/i.test(this.#text.charAt(at - 1))) return bodyStart;
    URL_BODY.lastIndex = bodyStart - this.#range.start;
    const bodyEnd = bodyStart + (URL_BODY.exec(this.#slice)?.[0].length ?? 0);
    const url = trimUrl(this.#text.slice(at, bodyEnd));
    if (!isSafeUrl(url)) return bodyEnd;
    this.#push({ type: 'autolink', url }, at, at + url.length);
    return at + url.length;
  }

  /** `''` is em, `'''` strong, five both; of four one is text, of more the surplus is, unless it reopens. */
  #takeApostrophes(at: number, after: number): void {
    const count = after - at;
    const surplus = count - 5;
    const bothOpen = this.#openSigns.has(EM) && this.#openSigns.has(STRONG);
    if (bothOpen && (surplus === 2 || surplus === 3 || surplus === 5)) {
      this.#takeQuotes(at, 5);
      this.#takeQuotes(at + 5, surplus);
      return;
    }
    const used = count >= 5 ? 5 : Math.min(count, 3);
    this.#takeQuotes(after - used, used);
  }

  #takeQuotes(at: number, count: number): void {
    if (count !== 3) this.#toggle(EM, at, at + 2);
    if (count !== 2) this.#toggle(STRONG, at + count - 3, at + count);
  }

  #toggle(bit: MarkSet, at: number, after: number): void {
    const opening = this.#openSigns.get(bit);
    const sign: Sign = { text: this.#text.slice(at, after), bit, paired: opening !== undefined };
    if (opening === undefined) {
      this.#openSigns.set(bit, sign);
    } else {
      opening.paired = true;
      this.#openSigns.delete(bit);
    }
    this.#push(sign, at, after);
  }

  /** The doubled signs hug their text, so "C++ and C++" stays as it is. */
  #takeSign(bit: MarkSet, at: number, after: number): void {
    const opens = after < this.#range.end && !isSpace(this.#text.charCodeAt(after));
    const closes = at > this.#range.start && !isSpace(this.#text.charCodeAt(at - 1));
    if (closes && this.#openSigns.has(bit)) {
      this.#toggle(bit, at, after);
    } else if (opens) {
      this.#openSigns.delete(bit);
      this.#toggle(bit, at, after);
    }
  }

  #push(token: Token, at: number, after: number): void {
    this.#flush(at);
    this.#tokens.push(token);
    this.#pending = after;
  }

  #flush(end: number): void {
    if (end > this.#pending) this.#tokens.push({ type: 'text', text: this.#text.slice(this.#pending, end) });
    this.#pending = end;
  }

  #nest(): Inline[] {
    const items: Inline[] = [];
    const sets: MarkSet[] = [];
    let set = 0;
    for (const token of this.#tokens) {
      if ('type' in token) {
        appendItem(items, sets, token, set);
      } else if (token.paired) {
        set ^= token.bit;
      } else {
        appendItem(items, sets, { type: 'text', text: token.text }, set);
      }
    }
    return nestMarks(items, sets);
  }
}

function appendItem(items: Inline[], sets: MarkSet[], item: Inline, set: MarkSet): void {
  const last = items.at(-1);
  if (item.type === 'text' && last?.type === 'text' && sets.at(-1) === set) {
    items[items.length - 1] = { type: 'text', text: last.text + item.text };
    return;
  }
  items.push(item);
  sets.push(set);
}

/** Drops the punctuation that ends a sentence rather than an address; keeps a closing bracket that has its opening one. */
function trimUrl(url: string): string {
  let end = url.length;
  let surplus = 0;
  for (let at = 0; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code === 0x28) surplus--;
    else if (code === 0x29) surplus++;
  }
  for (; end > 0; end--) {
    const character = url.charAt(end - 1);
    if (character === ')' && surplus > 0) surplus--;
    else if (!".,;:!?'".includes(character)) break;
  }
  return url.slice(0, end);
}

/** Spaces, tabs and newlines; other Unicode spaces are text. */
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
