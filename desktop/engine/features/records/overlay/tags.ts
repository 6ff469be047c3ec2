import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { type ResolveId, applies } from './applies.ts';
import { markedId } from '#desktop/engine/outbox/kinds/kind.ts';
import { tagOf } from '#desktop/engine/outbox/kinds/marks.ts';

/**
 * Puts the calls, oldest first, on top of the tags of one guide or wiki, alphabetical. `seq`: of the mirror's record,
 * null when it has none.
 */
export function overlayTags(
  kind: 'guide' | 'wiki',
  id: string,
  mirrored: { seq: number; tags: readonly string[] } | null,
  calls: readonly OutboxCall[],
  resolve: ResolveId,
): string[] {
  const tags = new Set(mirrored?.tags);
  for (const call of calls) {
    if (call.kind !== `${kind}-tag` || resolve(markedId(call)) !== id) continue;
    if (!applies(call, mirrored?.seq ?? null)) continue;
    if (call.method === 'PUT') tags.add(tagOf(call));
    else tags.delete(tagOf(call));
  }
  return [...tags].toSorted((a, b) => a.localeCompare(b));
}
