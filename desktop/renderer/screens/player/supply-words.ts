import type { SupplyView } from '#desktop/engine/api/records.ts';
import { supplyName } from '#desktop/engine/features/records/search-text.ts';
import { text } from '#desktop/renderer/text/en.ts';

/** A tool or part with its quantity, if it is more than one: "2 × Bearing 6203". */
export function supplyWords(item: SupplyView): string {
  const name = supplyName(item);
  return item.quantity > 1 ? `${text.player.quantity(item.quantity)} ${name}` : name;
}
