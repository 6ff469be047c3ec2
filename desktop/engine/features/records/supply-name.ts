import type { SupplyView } from '#desktop/engine/api/records.ts';

/** A part or tool in one line: what it is, and of which kind or size. */
export function supplyName({ text, type }: Pick<SupplyView, 'text' | 'type'>): string {
  return type === '' ? text : `${text}, ${type}`;
}
