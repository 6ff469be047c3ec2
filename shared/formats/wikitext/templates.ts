import type { WikiContext } from './context.ts';
import { CODE_CLOSE, CODE_OPEN, ForwardSearch, NOWIKI_CLOSE, NOWIKI_OPEN } from './scan.ts';

const MAX_DEPTH = 8;
const MAX_CALLS = 1000;
const MAX_ADDED = 1_000_000;
const MAX_TEMPLATE = 100_000;

const NAME = /[^\n{}[\]|<>]{1,255}/y;
const PARAMETER = /\{\{\{([\w -]{1,50})(?:\|([^{}]{0,500}))?\}\}\}/g;
const NAMED = /^\s*([\w -]{1,50}?)\s*=/;

/** The remaining budget of one text, so that templates cannot multiply it without bound. */
interface Budget {
  calls: number;
  added: number;
  readonly texts: Map<string, string | null>;
}

/** Maximum number of characters that templates may add to a text on one line; a guide has hundreds of lines. */
export const mostAddedToLine = 20_000;

/**
 * Replaces `{{Name|key=value}}` by the wiki text that the context has for the name, with `{{{key|default}}}` filled in.
 * Unknown names, and calls beyond the limits, stay as they are. `mostAdded`: maximum number of characters from
 * templates, at most 1 MB.
 */
export function expandTemplates(
  raw: string,
  context: Pick<WikiContext, 'template'>,
  mostAdded = MAX_ADDED,
): string {
  const added = Math.min(mostAdded, MAX_ADDED);
  return expand(raw, context, { calls: MAX_CALLS, added, texts: new Map() }, 0);
}

function expand(text: string, context: Pick<WikiContext, 'template'>, budget: Budget, depth: number): string {
  if (depth === MAX_DEPTH || !text.includes('{{')) return text;
  const ends = matchBraces(text);
  let result = '';
  let copied = 0;
  for (let start = 0; start < text.length && budget.calls > 0; start++) {
    const end = ends[start] ?? 0;
    const body = end === 0 ? null : readCall(text, start, end, ends, context, budget);
    if (body === null) continue;
    result += text.slice(copied, start) + expand(body, context, budget, depth + 1);
    copied = end;
    start = end - 1;
  }
  return result + text.slice(copied);
}

/** For the start of every `{{…}}`: the index after it, 0 elsewhere; nowiki and code are opaque. */
function matchBraces(text: string): Int32Array {
  const ends = new Int32Array(text.length);
  const open: number[] = [];
  const nowiki = new ForwardSearch(text, NOWIKI_CLOSE);
  const code = new ForwardSearch(text, CODE_CLOSE);
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === 0x7b && text.charCodeAt(at + 1) === 0x7b) {
      open.push(at++);
    } else if (character === 0x7d && text.charCodeAt(at + 1) === 0x7d) {
      const start = open.pop();
      at++;
      if (start !== undefined) ends[start] = at + 1;
    } else if (character === 0x5b) {
      const close = opaqueEnd(text, at, nowiki, code);
      if (close < text.length) at = close;
    }
  }
  return ends;
}

function opaqueEnd(text: string, at: number, nowiki: ForwardSearch, code: ForwardSearch): number {
  if (text.startsWith(NOWIKI_OPEN, at)) return nowiki.from(at);
  return text.startsWith(CODE_OPEN, at) ? code.from(at) : text.length;
}

function readCall(
  text: string,
  start: number,
  end: number,
  ends: Int32Array,
  context: Pick<WikiContext, 'template'>,
  budget: Budget,
): string | null {
  NAME.lastIndex = start + 2;
  const name = NAME.exec(text)?.[0] ?? '';
  const after = start + 2 + name.length;
  if (name.trim() === '' || (after !== end - 2 && text.charAt(after) !== '|')) return null;
  const template = lookUp(name.trim(), context, budget);
  if (template === null) return null;
  const filled = fill(template, readArguments(text, after, end - 2, ends));
  if (filled.length > budget.added) return null;
  budget.added -= filled.length;
  return filled;
}

function lookUp(name: string, context: Pick<WikiContext, 'template'>, budget: Budget): string | null {
  budget.calls--;
  const known = budget.texts.get(name);
  if (known !== undefined) return known;
  const found = context.template(name);
  const usable = found !== null && found.length <= MAX_TEMPLATE ? found : null;
  budget.texts.set(name, usable);
  return usable;
}

function fill(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(
    PARAMETER,
    (_, name: string, otherwise: string | undefined) => values.get(name.trim()) ?? otherwise ?? '',
  );
}

/** Splits arguments at bars outside inner calls and brackets; parameters without a name are numbered from 1. */
function readArguments(text: string, from: number, to: number, ends: Int32Array): Map<string, string> {
  const values = new Map<string, string>();
  let brackets = 0;
  let position = 0;
  let partStart = from + 1;
  const add = (end: number): void => {
    const part = text.slice(partStart, end);
    const name = NAMED.exec(part);
    if (name?.[1] === undefined) values.set(String(++position), part.trim());
    else values.set(name[1], part.slice(name[0].length).trim());
    partStart = end + 1;
  };
  for (let at = partStart; at < to; at++) {
    const character = text.charAt(at);
    if (character === '{') at = Math.max(at, (ends[at] ?? 0) - 1);
    else if (character === '[') brackets++;
    else if (character === ']') brackets = Math.max(0, brackets - 1);
    else if (character === '|' && brackets === 0) add(at);
  }
  if (partStart <= to) add(to);
  return values;
}
