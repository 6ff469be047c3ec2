import type { ValueLimits } from '#shared/model/work-log.ts';

/**
 * Expected range of two values of a normal distribution with σ = 1 (d₂ for n = 2).
 * Source: NIST/SEMATECH e-Handbook of Statistical Methods, 6.3.2.2.
 */
const expectedRangeOfTwo = 1.128;

/**
 * The mean; NaN without values. The second pass removes the rounding error of the sum.
 * Source: Chan, Golub and LeVeque (1983), “Algorithms for computing the sample variance”. The American Statistician 37.
 */
export function mean(values: readonly number[]): number {
  const first = sum(values) / values.length;
  return first + sum(values.map((value) => value - first)) / values.length;
}

/**
 * The standard deviation of a sample (divided by n − 1); NaN with fewer than two values. Two passes with a correction keep
 * it exact for values whose mean is much larger than their spread.
 * Source: Chan, Golub and LeVeque (1983), the corrected two-pass algorithm.
 */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return Number.NaN;
  const centre = mean(values);
  const differences = values.map((value) => value - centre);
  const squares = sum(differences.map((difference) => difference * difference));
  return Math.sqrt((squares - sum(differences) ** 2 / values.length) / (values.length - 1));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * A percentile between two neighbours of the sorted values. `tenths`: 5 for the median, 9 for the 90th percentile; `count`:
 * the number of values; `lower` and `upper`: the values at the ranks k and k + 1, where k + d = p · (count + 1), each the
 * same at the ends.
 *
 * - REPORT-7 Percentiles follow NIST/SEMATECH e-Handbook 7.2.6.2: Y(p) = Y[k] + d · (Y[k+1] − Y[k]). The median of an even
 *   number of values is between the two middle ones.
 */
export function percentileBetween(tenths: number, count: number, lower: number, upper: number): number {
  const part = ((tenths * (count + 1)) % 10) / 10;
  return lower + part * (upper - lower);
}

/** An individuals chart. Its values are in the order in which they were measured. */
export interface IndividualsChart {
  /** The mean, which is the centre line. */
  centre: number;
  /** Mean absolute difference of neighbours. */
  meanMovingRange: number;
  /** Standard deviation of the process, estimated by the moving ranges. */
  sigma: number;
  lower: number;
  upper: number;
  /** Places of the values that are outside the control limits. */
  outside: number[];
}

/**
 * The individuals chart of values in the order in which they were measured; null with fewer than two.
 *
 * - REPORT-8 The control limits are the mean ± 3 σ, and σ is the mean moving range / 1.128, so the limits are the mean ± 2.66
 *   times the mean moving range. A value on a limit is within.
 *
 * Source: NIST/SEMATECH e-Handbook of Statistical Methods, 6.3.2.2 “Individuals Control Charts”.
 */
export function individualsChart(values: readonly number[]): IndividualsChart | null {
  if (values.length < 2) return null;
  const ranges = values.slice(1).map((value, index) => Math.abs(value - (values[index] ?? value)));
  const centre = mean(values);
  const meanMovingRange = mean(ranges);
  const sigma = meanMovingRange / expectedRangeOfTwo;
  const [lower, upper] = [centre - 3 * sigma, centre + 3 * sigma];
  const outside = values.flatMap((value, index) => (value < lower || value > upper ? [index] : []));
  return { centre, meanMovingRange, sigma, lower, upper, outside };
}

/** Capability of a process. Null: not defined for these limits, or the values do not vary. */
export interface Capability {
  cp: number | null;
  cpk: number | null;
}

/**
 * How well a process keeps the limits of a field.
 *
 * - REPORT-9 Cp = (upper − lower) / 6 σ needs both limits. Cpk is the smaller of (upper − mean) / 3 σ and (mean − lower) / 3 σ;
 *   with one limit it is the one of that side.
 *
 * Source: NIST/SEMATECH e-Handbook of Statistical Methods, 6.1.6 “What is Process Capability?”.
 */
export function capability(
  { centre, sigma }: Pick<IndividualsChart, 'centre' | 'sigma'>,
  { min, max }: ValueLimits,
): Capability {
  if (!(sigma > 0)) return { cp: null, cpk: null };
  const sides = [
    ...(min === null ? [] : [(centre - min) / (3 * sigma)]),
    ...(max === null ? [] : [(max - centre) / (3 * sigma)]),
  ];
  return {
    cp: min === null || max === null ? null : (max - min) / (6 * sigma),
    cpk: sides.length === 0 ? null : Math.min(...sides),
  };
}

/**
 * The share of each count and of those before it, between 0 and 1, in the order that is given: the line of a Pareto chart.
 * `total`: the sum of all counts, also of those that are not given.
 */
export function cumulativeShares(counts: readonly number[], total: number): number[] {
  let before = 0;
  return counts.map((count) => {
    before += count;
    return total === 0 ? 0 : before / total;
  });
}
