/** Longest text, in UTF-16 code units, that is held against a pattern somebody else wrote. */
export const longestMatchedText = 200;

/** Most ways in which a pattern may be tried on such a text, as a power of two: less than a second. */
const mostBits = 31;

interface Group {
  /** Whether it holds repeats or alternatives. */
  branches: boolean;
  alternatives: number;
}

/**
 * Whether trying a pattern on a text of `longestMatchedText` may take time without measure (ReDoS): a group that repeats
 * and holds what repeats or has alternatives, a reference to a group, or too many repeats and choices one after the
 * other. Some harmless patterns are among them, such as `(\.\d+)+`. Reads the pattern once, whatever is in it.
 */
export function isCostlyPattern(pattern: string): boolean {
  const groups: Group[] = [{ branches: false, alternatives: 1 }];
  const inner = (): Group => groups.at(-1) ?? { branches: false, alternatives: 1 };
  // Without ^ each place of the text is a beginning.
  let bits = pattern.startsWith('^') ? 0 : Math.log2(longestMatchedText);
  /** Whether a quantifier at this place would repeat a group that holds repeats or alternatives. */
  let branches = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const isAfterGroup = branches;
    branches = false;
    const character = pattern[at];
    const repeat = repeatAt(pattern, at);
    if (character === '\\') {
      if (/^\\(?:[1-9]|k<)/.test(pattern.slice(at, at + 3))) return true;
      at += 1;
    } else if (character === '[') at = endOfSet(pattern, at);
    else if (character === '(') {
      groups.push({ branches: false, alternatives: 1 });
      if (pattern[at + 1] === '?') at += 1;
    } else if (character === ')') {
      const group = groups.length > 1 ? groups.pop() : undefined;
      branches = group?.branches ?? false;
      bits += Math.log2(group?.alternatives ?? 1);
      if (branches) inner().branches = true;
    } else if (character === '|') {
      inner().branches = true;
      inner().alternatives += 1;
    } else if (repeat !== null) {
      if (isAfterGroup && repeat.most > 1) return true;
      bits += Math.log2(Math.min(repeat.most - repeat.least + 1, longestMatchedText));
      if (repeat.most > repeat.least) inner().branches = true;
      at += repeat.length - 1;
      // A question mark after a repeat makes it lazy.
      if (pattern[at + 1] === '?') at += 1;
    }
  }
  return bits + Math.log2(inner().alternatives) > mostBits;
}

/** The place of the `]` that ends a set. */
function endOfSet(pattern: string, start: number): number {
  for (let at = start + 1; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === ']') return at;
  }
  return pattern.length;
}

interface Repeat {
  length: number;
  least: number;
  most: number;
}

/** The quantifier at a place; null: none. */
function repeatAt(pattern: string, at: number): Repeat | null {
  const character = pattern[at];
  if (character === '*') return { length: 1, least: 0, most: Infinity };
  if (character === '+') return { length: 1, least: 1, most: Infinity };
  if (character === '?') return { length: 1, least: 0, most: 1 };
  if (character !== '{') return null;
  const counted = /^\{(\d{1,9})(,(\d{0,9}))?\}/.exec(pattern.slice(at, at + 24));
  if (counted === null) return null;
  const [whole, first = '0', comma, last = ''] = counted;
  const least = Number(first);
  const most = comma === undefined ? least : last === '' ? Infinity : Number(last);
  return { length: whole.length, least, most };
}
