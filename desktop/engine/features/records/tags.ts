import { type Observable, combineLatest, distinctUntilChanged, map } from 'rxjs';

import { sameValue } from '#shared/rules/same-value.ts';

import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { markedId } from '#desktop/engine/outbox/kinds/kind.ts';
import { tagOf } from '#desktop/engine/outbox/kinds/marks.ts';
import { type ResolveId, applies } from './overlay/applies.ts';
import type { Sources } from './sources.ts';

/** Tags of a guide or wiki page, alphabetical, with waiting calls on top. `id`: the real id if there is one. */
export function tagsOf(
  { core, calls, resolve }: Sources,
  kind: 'guide' | 'wiki',
  id: string,
): Observable<string[]> {
  return combineLatest([core.mirror.one('viewer', `${kind}Tags:${id}`), calls]).pipe(
    map(([record, waiting]) => {
      const facts = record?.facts;
      const isTags = facts?.kind === 'guideTags' || facts?.kind === 'wikiTags';
      const mirrored = record === null || !isTags ? null : { seq: record.seq, tags: facts.tags };
      return overlayTags(kind, id, mirrored, waiting, resolve);
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

/**
 * The tags of one guide or wiki page, alphabetical, with the calls (oldest first) on top. `mirrored`: the mirror's
 * record, null when it has none.
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
