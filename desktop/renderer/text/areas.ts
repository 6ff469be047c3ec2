import { deviationText } from './en/deviations.ts';
import { plannedText } from './en/planned-orders.ts';

/** Areas that have their words for the list of changes and for the audit log beside their others. */
export const areas = [deviationText, plannedText];

/** These records in one. */
export function joined<T>(...parts: readonly Readonly<Record<string, T>>[]): Readonly<Record<string, T>> {
  return Object.assign({}, ...parts) as Record<string, T>;
}
