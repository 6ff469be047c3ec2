/** Maximum length of a text that is matched against a pattern from another person, in UTF-16 code units. */
export const longestMatchedText = 200;

/**
 * Maximum number of steps for matching one pattern, and for all patterns of a quiz together, each counted as often as
 * people may add its question. In V8 on a slow core a step takes 3 to 13 ns, so these are about 0.1 s and 1 s.
 */
export const mostPatternSteps = { one: 10_000_000, all: 100_000_000 } as const;

/** Whether matching a pattern against a text of `longestMatchedText` may block a device (ReDoS). */
export function isCostlyPattern(pattern: string): boolean {
  return patternSteps(pattern) > mostPatternSteps.one;
}

interface Group {
  /** Whether it contains repeats or alternatives. */
  branches: boolean;
  alternatives: number;
  /** The number of steps before it. */
  before: number;
}

/**
 * An upper bound of the steps for matching a pattern against a text of `longestMatchedText`: each part is tried once
 * for each way to reach it. Infinity where no bound is known: for a repeated group that contains repeats or
 * alternatives, and for a reference to a group. This includes some harmless patterns, such as `(\.\d+)+`. Takes time
 * proportional to the length of the pattern.
 */
export function patternSteps(pattern: string): number {
  // A `^` at the beginning applies to the first alternative only.
  const isAnchored = pattern.startsWith('^');
  const { steps, alternatives } = count(pattern, isAnchored);
  return isAnchored && alternatives > 1 ? count(pattern, false).steps : steps;
}

function count(pattern: string, isAnchored: boolean): { steps: number; alternatives: number } {
  const groups: Group[] = [{ branches: false, alternatives: 1, before: 0 }];
  const inner = (): Group => groups.at(-1) ?? { branches: false, alternatives: 1, before: 0 };
  const ways = new Ways(pattern);
  // Without ^, matching is tried from each position of the text.
  if (!isAnchored) ways.repeat(Infinity);
  let steps = 0;
  /** The steps of the item before this position, which a quantifier here would repeat. */
  let last = 0;
  /** Whether that item is a group that contains repeats or alternatives. */
  let branches = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const isAfterGroup = branches;
    branches = false;
    const character = pattern[at];
    const repeat = repeatAt(pattern, at);
    if (character === ')') {
      const group = groups.length > 1 ? groups.pop() : undefined;
      branches = group?.branches ?? false;
      ways.choose(group?.alternatives ?? 1);
      if (branches) inner().branches = true;
      last = steps - (group?.before ?? steps);
      continue;
    }
    if (repeat !== null) {
      const { least, most } = repeat;
      if (isAfterGroup && most > 1) return { steps: Infinity, alternatives: 1 };
      at += repeat.length - 1;
      // A question mark after a repeat makes it lazy.
      if (pattern[at + 1] === '?') at += 1;
      // A repeat at the end always matches, so nothing is tried again.
      const isEnd = at === pattern.length - 1 && groups.length === 1;
      // Beyond its minimum, an item that consumes no character is not repeated.
      const counted = isEnd ? least : Math.min(most, least + longestMatchedText);
      steps += last * Math.max(0, counted - 1) + (isEnd ? longestMatchedText : 0);
      if (!isEnd) ways.repeat(most - least + 1);
      if (most > least) inner().branches = true;
      continue;
    }
    last = ways.number;
    steps += last;
    if (character === '\\') {
      if (/^\\(?:[1-9]|k<)/.test(pattern.slice(at, at + 3))) return { steps: Infinity, alternatives: 1 };
      at += 1;
    } else if (character === '[') at = endOfSet(pattern, at);
    else if (character === '(') {
      groups.push({ branches: false, alternatives: 1, before: steps });
      if (pattern[at + 1] === '?') at += 1;
    } else if (character === '|') {
      inner().branches = true;
      inner().alternatives += 1;
    }
  }
  return { steps: (steps + ways.number) * inner().alternatives, alternatives: inner().alternatives };
}

/** The number of ways to reach a position of a pattern. */
class Ways {
  number = 1;
  /** The number of repeats that share the text: a character consumed by one is not available to the others. */
  #sharing = 0;
  readonly #isShared: boolean;

  constructor(pattern: string) {
    // A lookaround reads characters again that other items consume.
    this.#isShared = !/\(\?<[=!]/.test(pattern);
  }

  choose(alternatives: number): void {
    this.number *= alternatives;
  }

  /**
   * `times`: in how many different numbers an item may be repeated. k repeats share n characters in (n + k over k)
   * ways.
   */
  repeat(times: number): void {
    const shared = (longestMatchedText + this.#sharing + 1) / (this.#sharing + 1);
    if (this.#isShared && times > shared) {
      this.#sharing += 1;
      this.number *= shared;
    } else this.number *= Math.min(times, longestMatchedText + 1);
  }
}

/** The index of the `]` that ends a set. */
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

/** The quantifier at an index; null when there is none. */
function repeatAt(pattern: string, at: number): Repeat | null {
  const character = pattern[at];
  if (character === '*') return { length: 1, least: 0, most: Infinity };
  if (character === '+') return { length: 1, least: 1, most: Infinity };
  if (character === '?') return { length: 1, least: 0, most: 1 };
  if (character !== '{') return null;
  // Any number of digits: engines treat 99999999999 as unlimited.
  const repeats = /\{(\d+)(,(\d*))?\}/y;
  repeats.lastIndex = at;
  const counted = repeats.exec(pattern);
  if (counted === null) return null;
  const [whole, first = '0', comma, last = ''] = counted;
  const least = Math.min(Number(first), Number.MAX_SAFE_INTEGER);
  const most = comma === undefined ? least : last === '' ? Infinity : Number(last);
  return { length: whole.length, least, most };
}
