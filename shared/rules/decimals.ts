/** Number of decimals of a number as it is written: 2 for 0.25, 7 for 1e-7. */
export function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

/** The sum of two decimal numbers without the error of binary fractions: 0.7 and 0.1 make 0.8. */
export function addDecimals(a: number, b: number): number {
  return Number((a + b).toFixed(Math.min(100, Math.max(decimalsOf(a), decimalsOf(b)))));
}

/**
 * A number with at most so many decimals; halves are rounded away from zero, as people do: 2.675 makes 2.68. An error of
 * binary fractions in the sixteenth digit is removed first.
 */
export function roundDecimals(value: number, decimals: number): number {
  if (!Number.isFinite(value)) return value;
  const clean = Number(Math.abs(value).toPrecision(15));
  const rounded = shifted(Math.round(shifted(clean, decimals)), -decimals);
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}

/** A number with its decimal point moved to the right. */
function shifted(value: number, places: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Number(`${mantissa}e${Number(exponent) + places}`);
}
