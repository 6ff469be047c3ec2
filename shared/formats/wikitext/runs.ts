import { readAddress } from './autolink.ts';
import { MarkStack, RunEnds, type MarkSet } from './marks.ts';
import { MARK_NAMES, type Align } from './tree.ts';

/**
 * Patterns of wiki text that rich text contains literally and that must keep its effect. Inside a paragraph, what looks
 * like a video or guide list is plain text, because a real one would be a separate block.
 */
export const KEPT_IN_PARAGRAPH = keptPattern('guide|product');
export const KEPT_ELSEWHERE = keptPattern('guide|product|video|guidelist');

function keptPattern(names: string): string {
  return String.raw`\[(?:${names})\|[^[\]\n]{1,500}\]|\{\{[^{}\n]{1,500}\}\}`;
}

export interface LinkTarget {
  readonly href: string;
  readonly newWindow: boolean;
}

export interface ImageAttributes {
  readonly imageid: number;
  readonly align: Align;
  readonly size: string;
  readonly src: string;
}

/** A run of inline content with the same properties. Break and image runs have no text. */
export interface Run {
  readonly kind: 'text' | 'break' | 'image';
  readonly text: string;
  readonly marks: MarkSet;
  readonly link: LinkTarget | null;
  /** Whether it is a bare address, which has its own text node. */
  readonly bare: boolean;
  readonly image: ImageAttributes | null;
}

/** A run, or all runs of one link. */
export interface Item {
  readonly runs: readonly Run[];
  readonly link: LinkTarget | null;
  /** For a link: the marks that all its runs share. */
  readonly marks: MarkSet;
  /** The spaces before the item. */
  gap: string;
}

export function textRun(text: string, marks: MarkSet = 0, link: LinkTarget | null = null): Run {
  return { kind: 'text', text, marks, link, bare: false, image: null };
}

export const breakRun: Run = { kind: 'break', text: '', marks: 0, link: null, bare: false, image: null };

/**
 * Converts runs to the one form that wiki text can express: spaces at the borders of formats and links are moved out of
 * them, spaces at both ends are dropped, equal neighbours are joined.
 */
export function normalizeRuns(runs: readonly Run[]): Run[] {
  const out: Run[] = [];
  addItems(groupItems(runs), out, 0, null);
  return splitAddresses(mergeRuns(out));
}

/** Groups runs into items; spaces between items become gaps, those at the ends are dropped. */
export function groupItems(runs: readonly Run[]): Item[] {
  const items: Item[] = [];
  let gap = '';
  let group: Run[] = [];
  const close = (): void => {
    const first = group[0];
    if (first === undefined) return;
    const marks = group.reduce((shared, run) => (isSpaces(run.text) ? shared : shared & run.marks), -1);
    items.push({ runs: group, link: first.link, marks, gap });
    gap = '';
    group = [];
  };
  for (const piece of splitSpaces(runs)) {
    if (piece.spaces) {
      const next = piece.next;
      const inside = group[0]?.link != null && next !== null && sameLink(group[0].link, next.link);
      if (inside) group.push(piece.run);
      else {
        close();
        gap += piece.run.text;
      }
      continue;
    }
    if (group.length > 0 && !(piece.run.link !== null && sameLink(group[0]?.link ?? null, piece.run.link)))
      close();
    group.push(piece.run);
  }
  close();
  return items;
}

interface Piece {
  readonly run: Run;
  readonly spaces: boolean;
  /** The next piece that is not spaces. */
  next: Run | null;
}

/** Splits the spaces off both ends of every text run. */
function splitSpaces(runs: readonly Run[]): Piece[] {
  const pieces: Piece[] = [];
  const add = (run: Run, text: string, spaces: boolean): void => {
    if (text !== '' || run.kind !== 'text') pieces.push({ run: { ...run, text }, spaces, next: null });
  };
  for (const run of runs) {
    const text = run.text.replace(/[\r\n]/g, ' ');
    let start = 0;
    let end = text.length;
    while (start < end && isSpaces(text.charAt(start))) start++;
    while (end > start && isSpaces(text.charAt(end - 1))) end--;
    add(run, text.slice(0, start), true);
    add(run, text.slice(start, end), false);
    add(run, text.slice(end), true);
  }
  let next: Run | null = null;
  for (let index = pieces.length - 1; index >= 0; index--) {
    const piece = pieces[index];
    if (piece === undefined) continue;
    piece.next = next;
    if (!piece.spaces) next = piece.run;
  }
  return pieces.filter((piece) => !piece.spaces || piece.run.text !== '');
}

function isSpaces(text: string): boolean {
  return text !== '' && /^[ \t]+$/.test(text);
}

/** Converts items to runs; a gap keeps only the marks that stay open across it. */
function addItems(items: readonly Item[], out: Run[], outer: MarkSet, link: LinkTarget | null): void {
  const stack = new MarkStack();
  const ends = new RunEnds(items.map((item) => item.marks));
  items.forEach((item, index) => {
    stack.open.length = stack.kept(item.marks);
    const across = stack.open.reduce((sum, bit) => sum | bit, outer);
    if (index > 0 && item.gap !== '') out.push(textRun(item.gap, across, link));
    stack.open.push(...stack.toOpen(item.marks & ~outer, (mark) => ends.of(mark, index)));
    if (item.link !== null && link === null) {
      addItems(groupItems(item.runs.map((run) => ({ ...run, link: null }))), out, item.marks, item.link);
    } else {
      for (const run of item.runs) out.push({ ...run, link });
    }
  });
}

/** Joins neighbouring runs with the same properties. */
function mergeRuns(runs: readonly Run[]): Run[] {
  const merged: Run[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    if (last !== undefined && canMerge(last, run))
      merged[merged.length - 1] = textRun(last.text + run.text, run.marks, run.link);
    else merged.push(run);
  }
  return merged;
}

function canMerge(a: Run, b: Run): boolean {
  return a.kind === 'text' && b.kind === 'text' && a.marks === b.marks && sameLink(a.link, b.link);
}

/** Splits every bare address outside links into its own run. */
function splitAddresses(runs: readonly Run[]): Run[] {
  return runs.flatMap((run) =>
    run.link === null && /https?:\/\//i.test(run.text) ? splitAddressesOf(run) : [run],
  );
}

function splitAddressesOf(run: Run): Run[] {
  const out: Run[] = [];
  const { text } = run;
  let copied = 0;
  const add = (end: number, bare: boolean): void => {
    if (end > copied) out.push({ ...run, text: text.slice(copied, end), bare });
    copied = end;
  };
  const special = new RegExp(`${KEPT_ELSEWHERE}|https?://`, 'gi');
  for (let hit = special.exec(text); hit !== null; hit = special.exec(text)) {
    if (!/^h/i.test(hit[0])) continue;
    const { url, next } = readAddress(text, hit.index, 0, text.length);
    special.lastIndex = next;
    if (url === null) continue;
    add(hit.index, false);
    add(next, true);
  }
  add(text.length, false);
  return out;
}

function sameLink(a: LinkTarget | null, b: LinkTarget | null): boolean {
  return a === b || (a !== null && b !== null && a.href === b.href && a.newWindow === b.newWindow);
}

/** The marks of every run in the order in which they began; marks that began together are in canonical order. */
export function orderedMarks(runs: readonly Run[]): number[][] {
  const starts = MARK_NAMES.map(() => -1);
  return runs.map((run, index) => {
    const present: number[] = [];
    for (let mark = 0; mark < starts.length; mark++) {
      if ((run.marks & (1 << mark)) === 0) starts[mark] = -1;
      else {
        if (starts[mark] === -1) starts[mark] = index;
        present.push(mark);
      }
    }
    return present.sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || a - b);
  });
}
