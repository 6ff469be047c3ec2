import { type Hunk, hunksBetween, tokensOf } from './words.ts';

export type Author = 'base' | 'mine' | 'theirs' | 'both';
/**
 * A piece of a merged text and the side that wrote it. The text of a contested piece is theirs until the conflict is
 * resolved.
 */
export type Span = { text: string; by: Author; contested: boolean };

type Word = Pick<Span, 'text' | 'by'>;

/** The merged text with all contested places decided for one side, or with both texts. */
export type TextVariants = { mine: string; theirs: string; both: string };

export type TextMerge = {
  /** All changes that merge, and theirs where the two contradict each other (rule MERGE-14). */
  merged: string;
  conflict: boolean;
  spans: Span[];
  variants: TextVariants;
  /** The words of the variant `both`, each with the side that wrote it. */
  bothSpans: Word[];
};

type OwnedHunk = Hunk & { by: 'mine' | 'theirs' };
type Cluster = { start: number; end: number; hunks: OwnedHunk[] };
type Piece = { mine: string; theirs: string; both: Word[]; by: Author; contested: boolean };

/**
 * Merges two edits of a text word by word (rules MERGE-10–MERGE-17). Swapping mine and theirs swaps only the labels.
 */
export function mergeText(base: string, mine: string, theirs: string): TextMerge {
  if (mine === theirs) return settled(mine, base === mine ? 'base' : 'both');
  const tokens = tokensOf(base);
  const owned = (text: string, by: 'mine' | 'theirs'): OwnedHunk[] =>
    hunksBetween(tokens, tokensOf(text)).map((hunk) => ({ ...hunk, by }));
  const pieces: Piece[] = [];
  let at = 0;
  for (const cluster of clustersOf([...owned(mine, 'mine'), ...owned(theirs, 'theirs')])) {
    pieces.push(plain(tokens.slice(at, cluster.start).join(''), 'base'), pieceOf(tokens, cluster));
    at = cluster.end;
  }
  pieces.push(plain(tokens.slice(at).join(''), 'base'));
  const join = (variant: 'mine' | 'theirs'): string => pieces.map((piece) => piece[variant]).join('');
  const bothSpans = pieces.flatMap(({ both }) => both).filter(({ text }) => text !== '');
  const merged = join('theirs');
  return {
    merged,
    conflict: pieces.some((piece) => piece.contested),
    spans: pieces
      .filter((piece) => piece.theirs !== '')
      .map(({ theirs: text, by, contested }) => ({ text, by, contested })),
    variants: { mine: join('mine'), theirs: merged, both: bothSpans.map(({ text }) => text).join('') },
    bothSpans,
  };
}

function settled(text: string, by: Author): TextMerge {
  return {
    merged: text,
    conflict: false,
    spans: text === '' ? [] : [{ text, by, contested: false }],
    variants: { mine: text, theirs: text, both: text },
    bothSpans: [{ text, by }],
  };
}

function plain(text: string, by: Author): Piece {
  return { mine: text, theirs: text, both: [{ text, by }], by, contested: false };
}

/**
 * Groups overlapping hunks, in order. Ranges that only touch do not overlap (MERGE-13); insertions at one point do
 * (MERGE-15).
 */
function clustersOf(hunks: OwnedHunk[]): Cluster[] {
  const clusters: Cluster[] = [];
  for (const hunk of hunks.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = clusters.at(-1);
    if (last?.hunks.some((other) => overlap(other, hunk))) {
      last.hunks.push(hunk);
      last.end = Math.max(last.end, hunk.end);
    } else {
      clusters.push({ start: hunk.start, end: hunk.end, hunks: [hunk] });
    }
  }
  return clusters;
}

function overlap(a: Hunk, b: Hunk): boolean {
  if (a.start === a.end && b.start === b.end) return a.start === b.start;
  return a.start < b.end && b.start < a.end;
}

function pieceOf(tokens: string[], cluster: Cluster): Piece {
  const mineHunks = cluster.hunks.filter((hunk) => hunk.by === 'mine');
  const theirsHunks = cluster.hunks.filter((hunk) => hunk.by === 'theirs');
  const mine = regionOf(tokens, cluster, mineHunks);
  const theirs = regionOf(tokens, cluster, theirsHunks);
  if (theirsHunks.length === 0) return plain(mine, 'mine');
  if (mineHunks.length === 0) return plain(theirs, 'theirs');
  if (mine === theirs) return plain(mine, 'both');
  if (cluster.hunks.every((hunk) => hunk.tokens.length === 0))
    return plain(unionOfRemovals(tokens, cluster), 'both');
  if (cluster.start === cluster.end && areWholeLines(mine, theirs)) {
    return plain([mine, theirs].toSorted().join(''), 'both');
  }
  return { mine, theirs, both: bothOf(theirs, mine), by: 'theirs', contested: true };
}

function regionOf(tokens: string[], { start, end }: Cluster, hunks: OwnedHunk[]): string {
  let at = start;
  let result = '';
  for (const hunk of hunks) {
    result += tokens.slice(at, hunk.start).join('') + hunk.tokens.join('');
    at = hunk.end;
  }
  return result + tokens.slice(at, end).join('');
}

function unionOfRemovals(tokens: string[], { start, end, hunks }: Cluster): string {
  const remaining: (string | null)[] = tokens.slice(start, end);
  for (const hunk of hunks) remaining.fill(null, hunk.start - start, hunk.end - start);
  return remaining.filter((text) => text !== null).join('');
}

function areWholeLines(...texts: string[]): boolean {
  return texts.every((text) => /^[\r\n]/.test(text)) || texts.every((text) => /[\r\n]$/.test(text));
}

function bothOf(theirs: string, mine: string): Word[] {
  if (theirs.trim() === '') return [{ text: mine, by: 'mine' }];
  if (mine.trim() === '') return [{ text: theirs, by: 'theirs' }];
  if (/[\r\n]/.test(theirs + mine)) {
    return [
      { text: `${theirs.trimEnd()}\n`, by: 'theirs' },
      { text: mine.trimStart(), by: 'mine' },
    ];
  }
  const blank = /^\s/.test(theirs) ? (/^\s*/.exec(theirs)?.[0] ?? '') : '';
  const end = /\s*$/.exec(theirs)?.[0] ?? '';
  return [
    { text: `${blank}${theirs.trim()}`, by: 'theirs' },
    { text: ' / ', by: 'base' },
    { text: `${mine.trim()}${end}`, by: 'mine' },
  ];
}
