/** A number with its unit. The space does not break. `unit`: '' if there is none. */
export function withUnit(value: string | number, unit: string): string {
  return unit === '' ? String(value) : `${value}\u00a0${unit}`;
}
