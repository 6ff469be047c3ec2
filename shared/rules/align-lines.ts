import { similarity } from '#shared/merge/words.ts';

/** A stored line. */
export type OldLine = { id: string; lineid?: number | null; text_raw: string };
/** A line in an edit: with its identity, its number, or neither. */
export type WrittenLine = { id?: string | undefined; lineid?: number | null | undefined; text: string };

/** Maximum number of pairs of lines that are compared by their words. A step has at most eight lines. */
const mostPairs = 10_000;

/** Lines with a lower similarity than this are different lines. */
const leastSimilarity = 0.4;

/**
 * The id of the old line that each written line continues; null for a new line. Each old line is matched at most once:
 * by `id`, then by `lineid` (not 0), then by equal text in the same order, then by equal text anywhere, and finally by
 * the pairs, in order, whose words are most similar.
 */
export function alignLines(
  oldLines: readonly OldLine[],
  newLines: readonly WrittenLine[],
): (string | null)[] {
  const result: (string | null)[] = newLines.map(() => null);
  const free = new Set(oldLines.map((_, index) => index));
  const claim = (written: number, matches: (old: OldLine) => boolean): void => {
    if (result[written] !== null) return;
    for (const index of free) {
      if (!matches(oldLines[index] as OldLine)) continue;
      free.delete(index);
      result[written] = (oldLines[index] as OldLine).id;
      return;
    }
  };
  newLines.forEach((line, at) => claim(at, (old) => line.id !== undefined && old.id === line.id));
  newLines.forEach((line, at) => claim(at, (old) => Boolean(line.lineid) && old.lineid === line.lineid));
  const open = (): number[] =>
    newLines.flatMap((line, at) => (result[at] === null && line.id === undefined ? [at] : []));
  const equalText = (old: OldLine, written: WrittenLine): number => (old.text_raw === written.text ? 1 : 0);
  const alike = (old: OldLine, written: WrittenLine): number => {
    const score = similarity(old.text_raw, written.text);
    return score < leastSimilarity ? 0 : score;
  };
  const pairUp = (score: (old: OldLine, written: WrittenLine) => number): void => {
    const left = [...free].toSorted((a, b) => a - b);
    const right = open();
    if (left.length * right.length > mostPairs) return;
    const weights = left.map((old) =>
      right.map((at) => score(oldLines[old] as OldLine, newLines[at] as WrittenLine)),
    );
    for (const [row, column] of heaviestPairs(weights)) {
      free.delete(left[row] as number);
      result[right[column] as number] = (oldLines[left[row] as number] as OldLine).id;
    }
  };
  pairUp(equalText);
  for (const at of open()) claim(at, (old) => equalText(old, newLines[at] as WrittenLine) === 1);
  pairUp(alike);
  return result;
}

/** The pairs (row, column), increasing in both, with the largest total weight. Pairs of weight 0 are left out. */
function heaviestPairs(weights: number[][]): [number, number][] {
  const columns = weights[0]?.length ?? 0;
  const best = Array.from({ length: weights.length + 1 }, () => Array.from({ length: columns + 1 }, () => 0));
  const at = (row: number, column: number): number => best[row]?.[column] ?? 0;
  for (let row = weights.length - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const paired = (weights[row]?.[column] ?? 0) + at(row + 1, column + 1);
      (best[row] as number[])[column] = Math.max(paired, at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  let row = 0;
  let column = 0;
  while (row < weights.length && column < columns) {
    const weight = weights[row]?.[column] ?? 0;
    if (weight > 0 && at(row, column) === weight + at(row + 1, column + 1)) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (at(row, column) === at(row + 1, column)) row += 1;
    else column += 1;
  }
  return pairs;
}
