/** Longest text, in UTF-16 code units, that is held against a pattern somebody else wrote. */
export const longestMatchedText = 200;

/**
 * Most steps that trying one pattern may take, and all patterns of a quiz together, each as often as people may add its
 * question. Measured in V8 on a slow core: a step takes 3 to 13 ns, so that these are about 0.1 s and 1 s.
 */
export const mostPatternSteps = { one: 10_000_000, all: 100_000_000 } as const;

/** Whether trying a pattern on a text of `longestMatchedText` may keep a device from other work (ReDoS). */
export function isCostlyPattern(pattern: string): boolean {
  return patternSteps(pattern) > mostPatternSteps.one;
}

interface Group {
  /** Whether it holds repeats or alternatives. */
  branches: boolean;
  alternatives: number;
  /** The steps before it. */
  before: number;
}

/**
 * The most steps that trying a pattern on a text of `longestMatchedText` takes: each of its parts is tried once for each
 * way to come there. Infinity where no measure is known: a group that repeats and holds what repeats or has
 * alternatives, and a reference to a group. Some harmless patterns are among them, such as `(\.\d+)+`. Reads the pattern
 * once, whatever is in it.
 */
export function patternSteps(pattern: string): number {
  // What a pattern begins with stands before its first alternative only.
  const isAnchored = pattern.startsWith('^');
  const { steps, alternatives } = count(pattern, isAnchored);
  return isAnchored && alternatives > 1 ? count(pattern, false).steps : steps;
}

function count(pattern: string, isAnchored: boolean): { steps: number; alternatives: number } {
  const groups: Group[] = [{ branches: false, alternatives: 1, before: 0 }];
  const inner = (): Group => groups.at(-1) ?? { branches: false, alternatives: 1, before: 0 };
  const ways = new Ways(pattern);
  // Without ^ each place of the text is a beginning.
  if (!isAnchored) ways.repeat(Infinity);
  let steps = 0;
  /** The steps of what stands before this place, which a quantifier here would repeat. */
  let last = 0;
  /** Whether that is a group that holds repeats or alternatives. */
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
      // With what repeats at the end the text matches: nothing is tried again.
      const isEnd = at === pattern.length - 1 && groups.length === 1;
      // Beyond what it must, nothing repeats that takes no character.
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

/** In how many ways a place of a pattern is reached. */
class Ways {
  number = 1;
  /** Repeats that share the text: what one takes the others do not. */
  #sharing = 0;
  readonly #isShared: boolean;

  constructor(pattern: string) {
    // What looks back reads again what others took.
    this.#isShared = !/\(\?<[=!]/.test(pattern);
  }

  choose(alternatives: number): void {
    this.number *= alternatives;
  }

  /** `times`: how many numbers of times it may repeat. k repeats share n characters in (n + k over k) ways. */
  repeat(times: number): void {
    const shared = (longestMatchedText + this.#sharing + 1) / (this.#sharing + 1);
    if (this.#isShared && times > shared) {
      this.#sharing += 1;
      this.number *= shared;
    } else this.number *= Math.min(times, longestMatchedText + 1);
  }
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
  // Of any number of digits: an engine takes 99999999999 for without end.
  const repeats = /\{(\d+)(,(\d*))?\}/y;
  repeats.lastIndex = at;
  const counted = repeats.exec(pattern);
  if (counted === null) return null;
  const [whole, first = '0', comma, last = ''] = counted;
  const least = Math.min(Number(first), Number.MAX_SAFE_INTEGER);
  const most = comma === undefined ? least : last === '' ? Infinity : Number(last);
  return { length: whole.length, least, most };
}
