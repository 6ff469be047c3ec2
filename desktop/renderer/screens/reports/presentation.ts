/** A value of a bar chart or a Pareto chart. */
export interface Bars {
  kind: 'bars';
  labels: readonly string[];
  /** At most two: the first is the main one. */
  series: readonly { name: string; values: readonly number[] }[];
  /** A value in words. */
  words: (value: number) => string;
  /** The values are seconds, so the axis counts in minutes and hours. */
  areSeconds?: true;
  /** End of the axis, if it is not the greatest value. */
  most?: number;
}

export interface Pareto {
  kind: 'pareto';
  labels: readonly string[];
  counts: readonly number[];
  /** The share of each and of those before it, 0 to 1. */
  shares: readonly number[];
  countName: string;
  shareName: string;
}

/** A line over time with lines across. */
export interface Individuals {
  kind: 'individuals';
  labels: readonly string[];
  name: string;
  values: readonly number[];
  /** Places of values out of control. */
  outside: readonly number[];
  lines: readonly { name: string; value: number; look: 'centre' | 'control' | 'limit' }[];
  words: (value: number) => string;
}

export type ChartShape = Bars | Pareto | Individuals;

/** A cell of the table; `mark`: it is shown as a warning. */
export type Cell = string | { words: string; href?: string; mark?: true };

/**
 * What a report shows: the figures first, then words, the chart, and all its values as a table and as a file.
 *
 * - REPORT-11 Each chart has a summary in words, a table with all its values, and a CSV file of them.
 */
export interface Presentation {
  title: string;
  figures: readonly { name: string; value: string; mark?: true }[];
  summary: readonly string[];
  notes: readonly string[];
  /** Null if there is too little to draw. */
  chart: ChartShape | null;
  columns: readonly string[];
  rows: readonly { key: string; cells: readonly Cell[] }[];
  csv: readonly (readonly (string | number)[])[];
  filename: string;
}

/** What is shown instead of a report without values. */
export interface Nothing {
  title: string;
  hint: string;
}

export function isNothing(shown: Presentation | Nothing): shown is Nothing {
  return 'hint' in shown;
}
