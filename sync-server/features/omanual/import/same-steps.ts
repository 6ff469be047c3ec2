import type { StepFacts } from '#shared/model/guide.ts';

type Step = Pick<StepFacts, 'stepid' | 'title' | 'lines'>;

/**
 * The existing step for each step of an archive; undefined for a new one. `isOwn`: the archive uses the numbers of this
 * site. Steps are matched by number if any matches; otherwise by equal content in the same order, and the steps between
 * two of these by position.
 */
export function sameSteps(
  here: readonly StepFacts[],
  archived: readonly Step[],
  isOwn: boolean,
): (StepFacts | undefined)[] {
  const numbered = new Map(here.map((step) => [step.stepid, step]));
  const byNumber = archived.map((step) => (isOwn ? numbered.get(step.stepid) : undefined));
  if (byNumber.some((step) => step !== undefined)) return byNumber;
  const alike = longestCommonSubsequence(here.map(textOf), archived.map(textOf));
  const found: (StepFacts | undefined)[] = archived.map(() => undefined);
  let [nextHere, next] = [0, 0];
  for (const [at, index] of [...alike, [here.length, archived.length] as const]) {
    while (nextHere < at && next < index) found[next++] = here[nextHere++];
    if (index < archived.length) found[index] = here[at];
    [nextHere, next] = [at + 1, index + 1];
  }
  return found;
}

function textOf({ title, lines }: Step): string {
  return JSON.stringify([title, lines.map((line) => line.text_raw)]);
}

/** Most comparisons of steps; larger guides are matched by position only. */
const mostCompared = 4_000_000;

/** The longest common subsequence, as pairs of indexes in both. */
function longestCommonSubsequence(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  if (a.length * b.length > mostCompared) return [];
  const longest = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = longest[i];
      if (row !== undefined)
        row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}
