import type { Range } from './directives.ts';
import { trimRange } from './inline.ts';
import type { Source } from './scan.ts';
import type { Inline, Table, TableCell } from './tree.ts';

type InlineParser = (range: Range) => Inline[];

/** A cell or caption while its further lines are collected. */
interface OpenCell {
  readonly header: boolean;
  readonly caption: boolean;
  readonly range: { start: number; end: number };
}

const MAX_SPAN = 100;
const ATTRIBUTE = /\s*([a-z-]{1,30})\s*=\s*(?:"([^"<>]{0,300})"|'([^'<>]{0,300})'|([\w%#.-]{1,60}))\s*/iy;

/** Parses the lines between `{|` and `|}`; attributes other than colspan and rowspan are dropped. */
export function parseTable(
  source: Source,
  lines: readonly Range[],
  whole: Range,
  inline: InlineParser,
): Table {
  const rows: OpenCell[][] = [[]];
  let caption: OpenCell | null = null;
  let open: OpenCell | null = null;
  for (const line of lines) {
    const sign = signOf(source.text, line);
    if (sign === '|-') {
      rows.push([]);
      open = null;
    } else if (sign === '|+') {
      caption = { header: false, caption: true, range: { start: line.start + 2, end: line.end } };
      open = caption;
    } else if (sign === '') {
      if (open !== null) open.range.end = line.end;
    } else {
      const cells = splitCells(source, line, sign === '!');
      for (const cell of cells) rows.at(-1)?.push(cell);
      open = cells.at(-1) ?? null;
    }
  }
  return {
    type: 'table',
    caption: caption === null ? [] : inline(trimRange(source.text, caption.range)),
    rows: rows
      .filter((row) => row.length > 0)
      .map((row) => row.map((cell) => finishCell(source, cell, inline))),
    source: source.text.slice(whole.start, whole.end),
  };
}

function signOf(text: string, line: Range): '' | '|-' | '|+' | '|' | '!' {
  const first = text.charAt(line.start);
  if (first === '!') return '!';
  if (first !== '|') return '';
  const second = text.charAt(line.start + 1);
  if (second === '-') return '|-';
  return second === '+' ? '|+' : '|';
}

/** Splits the cells of a line at `||`, header cells also at `!!`. */
function splitCells(source: Source, line: Range, header: boolean): OpenCell[] {
  const cells: OpenCell[] = [];
  const add = (start: number, end: number): number => {
    cells.push({ header, caption: false, range: { start, end } });
    return end + 2;
  };
  let from = line.start + 1;
  for (let at = from; at < line.end - 1; at++) {
    const pair = source.text.charCodeAt(at) === source.text.charCodeAt(at + 1) ? source.text.charAt(at) : '';
    if (source.text.charAt(at) === '[') {
      at = Math.max(at, source.closing[at] ?? 0);
    } else if (pair === '|' || (header && pair === '!')) {
      from = add(from, at);
      at++;
    }
  }
  add(from, line.end);
  return cells;
}

function finishCell(source: Source, cell: OpenCell, inline: InlineParser): TableCell {
  const { header, range } = cell;
  const bar = firstBar(source, range);
  const spans = bar < range.end ? readAttributes(source.text.slice(range.start, bar)) : null;
  const start = spans === null ? range.start : bar + 1;
  const children = inline(trimRange(source.text, { start, end: range.end }));
  return { header, colspan: spans?.colspan ?? 1, rowspan: spans?.rowspan ?? 1, children };
}

/** The index of the first bar outside brackets; the end of the range when there is none. */
function firstBar(source: Source, { start, end }: Range): number {
  let at = start;
  while (at < end && source.text.charCodeAt(at) !== 0x7c) at = Math.max(at, source.closing[at] ?? 0) + 1;
  return Math.min(at, end);
}

/** Reads the spans among attributes; null when the text is not a list of attributes. */
function readAttributes(text: string): { colspan: number; rowspan: number } | null {
  const spans = { colspan: 1, rowspan: 1 };
  ATTRIBUTE.lastIndex = 0;
  let end = 0;
  for (let match = ATTRIBUTE.exec(text); match !== null; match = ATTRIBUTE.exec(text)) {
    end = ATTRIBUTE.lastIndex;
    const name = match[1]?.toLowerCase();
    const value = Number(match[2] ?? match[3] ?? match[4]);
    if ((name === 'colspan' || name === 'rowspan') && Number.isInteger(value) && value > 0) {
      spans[name] = Math.min(value, MAX_SPAN);
    }
  }
  return end > 0 && end === text.length ? spans : null;
}
