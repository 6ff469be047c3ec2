import { splitBars } from './directives.ts';
import type { Range } from './directives.ts';
import { trimRange } from './inline.ts';
import type { Source } from './scan.ts';
import type { Inline, Table, TableCell } from './tree.ts';

type InlineParser = (range: Range) => Inline[];

/** A cell, or a caption, while its further lines are being collected. */
interface OpenCell {
  readonly header: boolean;
  readonly caption: boolean;
  readonly range: { start: number; end: number };
}

const MAX_SPAN = 100;
const ATTRIBUTE = /\s*([a-z-]{1,30})\s*=\s*(?:"([^"<>]{0,300})"|'([^'<>]{0,300})'|([\w%#.-]{1,60}))\s*/iy;

/** Reads the lines between `{|` and `|}`; attributes other than colspan and rowspan are dropped. */
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

/** Cells on one line are parted by `||`, header cells also by `!!`. */
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
  const spans = { colspan: 1, rowspan: 1 };
  let { start } = cell.range;
  const { end } = cell.range;
  if (source.text.slice(start, end).includes('|')) {
    const bar = splitBars(source, cell.range)[0]?.end ?? end;
    if (bar < end && readAttributes(source.text.slice(start, bar), spans)) start = bar + 1;
  }
  return { header: cell.header, ...spans, children: inline(trimRange(source.text, { start, end })) };
}

/** Whether the text consists of attributes only; notes the spans among them. */
function readAttributes(text: string, spans: { colspan: number; rowspan: number }): boolean {
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
  return end > 0 && end === text.length;
}
