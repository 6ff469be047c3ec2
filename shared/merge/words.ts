import { diffArrays } from 'diff';

/**
 * A token is a word (letters, marks, digits, underscore), a run of blanks, a line break, or one other character.
 * Scripts without blanks between words are taken character by character. A pattern instead of Intl.Segmenter, so
 * that every device finds the same tokens whatever its ICU version is.
 */
const token =
  /(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer})\p{M}*|(?:(?!\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer})[\p{L}\p{N}\p{M}_])+|\r\n|[\r\n]|[^\S\r\n]+|\p{Extended_Pictographic}(?:\p{M}|\u200d\p{Extended_Pictographic})*|[^]/gu;
const word = /[\p{L}\p{N}]/u;

/** The tokens of a text; joined they are the text again. */
export function tokensOf(text: string): string[] {
  return text.match(token) ?? [];
}

export function isWord(text: string): boolean {
  return word.test(text);
}

/** The words of a text, without blanks and punctuation. */
export function wordsOf(text: string): string[] {
  return tokensOf(text).filter(isWord);
}

/** A range of base tokens `[start, end)` and what stands there instead. */
export type Hunk = { start: number; end: number; tokens: string[] };

/**
 * Tokens that may be taken out or put in before two texts count as different throughout. Finding the fewest takes the
 * square of their number: two megabytes of other words would take a device minutes.
 */
const mostEdits = 4000;

/** Longer texts are not compared word by word, in UTF-16 code units: a line has 350 characters. */
const longestCompared = 10_000;

/** All between what both begin with and what both end with. */
function replacement(base: string[], other: string[]): Hunk {
  let start = 0;
  while (start < base.length && start < other.length && base[start] === other[start]) start += 1;
  let same = 0;
  const most = Math.min(base.length, other.length) - start;
  while (same < most && base.at(-1 - same) === other.at(-1 - same)) same += 1;
  return { start, end: base.length - same, tokens: other.slice(start, other.length - same) };
}

/**
 * What turns the base tokens into the other ones, in order. Pure insertions and pure deletions stand as far left as
 * they can, and changes with no word between them on one line are one, so that equal edits are equal hunks.
 */
export function hunksBetween(base: string[], other: string[]): Hunk[] {
  const changes = diffArrays(base, other, { maxEditLength: mostEdits });
  if (changes === undefined) return [replacement(base, other)];
  const hunks: Hunk[] = [];
  let at = 0;
  let open: Hunk | undefined;
  for (const change of changes) {
    if (!change.added && !change.removed) {
      at += change.value.length;
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = { start: at, end: at, tokens: [] };
      hunks.push(open);
    }
    if (change.added) for (const added of change.value) open.tokens.push(added);
    else open.end = at += change.value.length;
  }
  return joined(base, slidLeft(base, hunks));
}

function slidLeft(base: string[], hunks: Hunk[]): Hunk[] {
  let floor = 0;
  return hunks.map((hunk) => {
    let { start, end } = hunk;
    let tokens = hunk.tokens;
    if (tokens.length === 0) {
      while (start > floor && base[start - 1] === base[end - 1]) {
        start -= 1;
        end -= 1;
      }
    } else if (start === end) {
      // Each place to the left takes the last token to the front; all are turned at once.
      let turned = 0;
      while (start > floor && base[start - 1] === tokens.at(-1 - (turned % tokens.length))) {
        turned += 1;
        start -= 1;
        end -= 1;
      }
      const first = tokens.length - (turned % tokens.length);
      tokens = [...tokens.slice(first), ...tokens.slice(0, first)];
    }
    floor = end;
    return { start, end, tokens };
  });
}

function joined(base: string[], hunks: Hunk[]): Hunk[] {
  const result: Hunk[] = [];
  for (const hunk of hunks) {
    const before = result.at(-1);
    const gap = before === undefined ? [] : base.slice(before.end, hunk.start);
    if (before === undefined || gap.some((text) => isWord(text) || /[\r\n]/.test(text))) {
      result.push(hunk);
    } else {
      before.end = hunk.end;
      before.tokens = [...before.tokens, ...gap, ...hunk.tokens];
    }
  }
  return result;
}

/** How alike two texts are, 0 to 1: twice the words they share in order, over all words of both. */
export function similarity(a: string, b: string): number {
  if (a.length > longestCompared || b.length > longestCompared) return a === b ? 1 : 0;
  const left = wordsOf(a).map((text) => text.toLowerCase());
  const right = wordsOf(b).map((text) => text.toLowerCase());
  if (left.length + right.length === 0) return a.trim() === b.trim() ? 1 : 0;
  const shared = diffArrays(left, right)
    .filter((change) => !change.added && !change.removed)
    .reduce((sum, change) => sum + change.value.length, 0);
  return (2 * shared) / (left.length + right.length);
}
