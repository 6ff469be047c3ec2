import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { type ResolveId, applies, isOpen } from './applies.ts';
import { markedId } from '#desktop/engine/outbox/kinds/kind.ts';

/** Guides that a person has marked as favourites, or as completed. */
export interface Marks {
  /** Guide ids. */
  on: ReadonlySet<string>;
  /** Guide ids whose mark the server does not have yet. */
  pending: ReadonlySet<string>;
}

const kinds = { favorite: 'favorite', completion: 'completion' } as const;

/**
 * The person's marks of one kind, with the calls (oldest first) on top. `marked`: seq of the mirror's records by
 * guideid.
 */
export function overlayMarks(
  kind: keyof typeof kinds,
  marked: ReadonlyMap<string, number>,
  calls: readonly OutboxCall[],
  resolve: ResolveId,
): Marks {
  const on = new Set(marked.keys());
  const pending = new Set<string>();
  for (const call of calls) {
    if (call.kind !== kinds[kind]) continue;
    const guideid = resolve(markedId(call));
    if (!applies(call, marked.get(guideid) ?? null)) continue;
    if (call.method === 'PUT') on.add(guideid);
    else on.delete(guideid);
    if (isOpen(call)) pending.add(guideid);
  }
  return { on, pending };
}
