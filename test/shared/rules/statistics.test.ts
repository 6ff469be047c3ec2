import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  capability,
  cumulativeShares,
  individualsChart,
  mean,
  percentileBetween,
  standardDeviation,
} from '#shared/rules/statistics.ts';

/** The correct significant digits of a result (log relative error), as NIST compares them. */
const correctDigits = (found: number, certified: number): number =>
  found === certified ? 15 : -Math.log10(Math.abs(found - certified) / Math.abs(certified));

const alternating = (first: number, low: number, high: number): number[] => [
  first,
  ...Array.from({ length: 1000 }, (_, index) => (index % 2 === 0 ? low : high)),
];

/** NIST Statistical Reference Datasets, univariate summary statistics: https://www.itl.nist.gov/div898/strd/univ/homepage.html */
const certified = [
  {
    name: 'NumAcc1',
    values: [10_000_001, 10_000_003, 10_000_002],
    mean: 10_000_002,
    deviation: 1,
    digits: 15,
  },
  { name: 'NumAcc2', values: alternating(1.2, 1.1, 1.3), mean: 1.2, deviation: 0.1, digits: 13 },
  {
    name: 'NumAcc3',
    values: alternating(1_000_000.2, 1_000_000.1, 1_000_000.3),
    mean: 1_000_000.2,
    deviation: 0.1,
    digits: 9,
  },
  {
    name: 'NumAcc4',
    values: alternating(10_000_000.2, 10_000_000.1, 10_000_000.3),
    mean: 10_000_000.2,
    deviation: 0.1,
    digits: 8,
  },
  {
    name: 'Mavro',
    values: [
      18, 17, 18, 19, 18, 17, 15, 14, 15, 15, 17, 18, 18, 19, 19, 21, 20, 16, 14, 13, 13, 15, 15, 16, 15, 14,
      13, 14, 15, 14, 15, 16, 15, 16, 19, 20, 20, 21, 22, 23, 24, 25, 27, 26, 26, 26, 27, 26, 25, 24,
    ].map((tenThousandths) => 2 + tenThousandths / 10_000),
    mean: 2.001856,
    deviation: 0.000429123454003053,
    digits: 12,
  },
];

describe('mean and standard deviation agree with the certified values of NIST', () => {
  test.for(certified)('$name', ({ values, mean: centre, deviation, digits }) => {
    expect(correctDigits(mean(values), centre)).toBeGreaterThanOrEqual(14);
    expect(correctDigits(standardDeviation(values), deviation)).toBeGreaterThanOrEqual(digits);
  });
});

/** NIST/SEMATECH e-Handbook 6.3.2.2: flow rates of ten batches, https://www.itl.nist.gov/div898/handbook/pmc/section3/pmc322.htm */
const flowRates = [49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1];

test('REPORT-8 the individuals chart of the flow rates has the limits of the NIST handbook', () => {
  const chart = individualsChart(flowRates);
  expect(chart?.centre).toBeCloseTo(50.81, 10);
  expect(chart?.meanMovingRange).toBeCloseTo(1.8778, 4);
  expect(chart?.upper).toBeCloseTo(55.8041, 4);
  expect(chart?.lower).toBeCloseTo(45.8159, 4);
  expect(chart?.outside).toEqual([]);
});

test('REPORT-8 values outside the control limits are found; a value on a limit is within', () => {
  const usual = [flowRates, flowRates, flowRates].flat();
  expect(individualsChart([...usual, 63, 51, 39])?.outside).toEqual([30, 32]);
  expect(individualsChart([5, 5, 5])).toMatchObject({ sigma: 0, lower: 5, upper: 5, outside: [] });
  expect([individualsChart([]), individualsChart([1])]).toEqual([null, null]);
});

test('REPORT-8 the limits are the mean ± 2.66 times the mean moving range', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2 }), (values) => {
      const { centre = 0, meanMovingRange = 0, upper = 0, lower = 0 } = individualsChart(values) ?? {};
      const reach = (3 / 1.128) * meanMovingRange;
      expect((upper - lower) / 2).toBeCloseTo(reach, 6);
      expect((upper + lower) / 2).toBeCloseTo(centre, 6);
    }),
  );
});

test('REPORT-9 capability agrees with the example of the NIST handbook, 6.1.6', () => {
  // https://www.itl.nist.gov/div898/handbook/pmc/section1/pmc16.htm: limits 8 and 20, mean 16, standard deviation 2.
  const process = { centre: 16, sigma: 2 };
  const both = capability(process, { min: 8, max: 20 });
  expect(both.cp).toBeCloseTo(1, 10);
  expect(both.cpk).toBeCloseTo(0.6667, 4);
  expect(capability(process, { min: 8, max: null })).toEqual({ cp: null, cpk: 8 / 6 });
  expect(capability(process, { min: null, max: 20 })).toEqual({ cp: null, cpk: 4 / 6 });
  expect(capability(process, { min: null, max: null })).toEqual({ cp: null, cpk: null });
  expect(capability({ centre: 16, sigma: 0 }, { min: 8, max: 20 })).toEqual({ cp: null, cpk: null });
  expect(capability({ centre: 21, sigma: 2 }, { min: 8, max: 20 }).cpk).toBeCloseTo(-1 / 6, 10);
});

test('REPORT-7 percentiles agree with the example of the NIST handbook, 7.2.6.2', () => {
  // https://www.itl.nist.gov/div898/handbook/prc/section2/prc262.htm: of 12 values, those at the ranks 11 and 12.
  expect(percentileBetween(9, 12, 95.1959, 95.199)).toBeCloseTo(95.1981, 4);
  expect(percentileBetween(5, 12, 95.1567, 95.1591)).toBeCloseTo(95.1579, 4);
  expect(percentileBetween(5, 3, 7, 9)).toBe(7);
  expect(percentileBetween(9, 1, 4, 4)).toBe(4);
});

test('a Pareto line ends at 1 if all counts are given', () => {
  expect(cumulativeShares([6, 3, 1], 10)).toEqual([0.6, 0.9, 1]);
  expect(cumulativeShares([6, 3], 12)).toEqual([0.5, 0.75]);
  expect(cumulativeShares([0], 0)).toEqual([0]);
});
