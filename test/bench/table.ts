/** One line of the table: a measurement, beside its comparison. */
export interface Figure {
  what: string;
  value: number;
  unit: string;
  /** Compared with, in the same unit; a ratio is printed for each. */
  floor?: { what: string; value: number };
  plain?: number;
  note?: string;
}

/** The figures as one table. Ratios say how many times as long something takes. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = [
    ['', 'measured', 'floor', 'x floor', 'plain', 'plain / measured', ''],
    ...figures.map(({ what, value, unit, floor, plain, note }) => [
      what,
      `${number(value)} ${unit}`,
      floor === undefined ? '' : `${number(floor.value)} ${unit}`,
      floor === undefined ? '' : ratio(slowness(unit, value, floor.value)),
      plain === undefined ? '' : `${number(plain)} ${unit}`,
      plain === undefined ? '' : ratio(slowness(unit, plain, value)),
      [floor?.what, note].filter((text) => text !== undefined).join('; '),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 || column === 6
            ? cell.padEnd(widths[column] ?? 0)
            : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
}

/** How many times as slow `value` is as `other`; a smaller rate is slower. */
function slowness(unit: string, value: number, other: number): number {
  return unit.endsWith('/s') ? other / value : value / other;
}

function ratio(value: number): string {
  return `${value.toFixed(2)}x`;
}

function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);
}
