import { diffArrays } from 'diff';

/**
 * A token is a word (letters, marks, digits, underscore), a run of blanks, a line break, or one other character.
 * Scripts without blanks between words are split into characters. A pattern instead of Intl.Segmenter gives every
 * device the same tokens, whatever its version of ICU.
 */
const token =
  /(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer})\p{M}*|(?:(?!\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer})[\p{L}\p{N}\p{M}_])+|\r\n|[\r\n]|[^\S\r\n]+|\p{Extended_Pictographic}(?:\p{M}|\u200d\p{Extended_Pictographic})*|[^]/gu;
const word = /[\p{L}\p{N}]/u;

/** The tokens of a text; joined, they give the text again. */
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

/** A range of base tokens `[start, end)` and the tokens that replace it. */
export type Hunk = { start: number; end: number; tokens: string[] };

/**
 * Maximum number of removed and inserted tokens; texts that differ more are treated as completely different. Finding
 * the smallest difference takes time quadratic in this number: two different texts of a megabyte each would take
 * minutes.
 */
const mostEdits = 4000;

/** Maximum length of texts that are compared word by word, in UTF-16 code units. A line has at most 350 characters. */
const longestCompared = 10_000;

/** One hunk that replaces everything between the common beginning and the common end. */
function replacement(base: string[], other: string[]): Hunk {
  let start = 0;
  while (start < base.length && start < other.length && base[start] === other[start]) start += 1;
  let same = 0;
  const most = Math.min(base.length, other.length) - start;
  while (same < most && base.at(-1 - same) === other.at(-1 - same)) same += 1;
  return { start, end: base.length - same, tokens: other.slice(start, other.length - same) };
}

/**
 * The hunks that turn the base tokens into the other ones, in order. Pure insertions and deletions are moved as far
 * left as possible, and changes on one line with no word between them are joined, so that equal edits give equal hunks.
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
      // Each step to the left moves the last token to the front; the rotation is done once at the end.
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

/**
 * The similarity of two texts, 0 to 1: twice the number of words they share in order, divided by the number of words of
 * both.
 */
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
