import type { SyncedCollection } from '#shared/sync/wire.ts';

import { appliesOnTop } from '#desktop/engine/outbox/applies-on-top.ts';
import { callKindSpecs } from '#desktop/engine/outbox/kinds/index.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';

/** The real id of a temporary one (`tmp:…`) once it is known, else the id itself. */
export type ResolveId = (id: string) => string;

/** Whether a call's effect is still shown after the server refused it, because it exists nowhere else. */
function isShownWhenRefused({ kind }: OutboxCall): boolean {
  return callKindSpecs[kind].creates !== undefined || kind === 'wiki-create' || kind === 'entry-data';
}

/**
 * Whether a call's effect is shown on top of the mirror's record. `seq`: of that record; null if there is none. A
 * refused change of an existing record is not shown there, but in the activity list.
 */
export function applies(call: OutboxCall, seq: number | null): boolean {
  if (call.state === 'parked' || call.state === 'conflict') return isShownWhenRefused(call);
  return appliesOnTop(call, seq);
}

/** Whether the call still has to reach the server or a person's decision. */
export function isOpen(call: OutboxCall): boolean {
  return call.state !== 'done';
}

/** The calls about one record, in order. A temporary id and the real one mean the same record. */
export function callsOf(
  calls: readonly OutboxCall[],
  collection: SyncedCollection,
  id: string,
  resolve: ResolveId,
): OutboxCall[] {
  return byTarget(calls, resolve).get(`${collection}/${resolve(id)}`) ?? [];
}

/** Groups of a list of calls, computed once for all views. */
const grouped = new WeakMap<
  readonly OutboxCall[],
  { resolve: ResolveId; groups: Map<string, OutboxCall[]> }
>();

function byTarget(calls: readonly OutboxCall[], resolve: ResolveId): Map<string, OutboxCall[]> {
  const known = grouped.get(calls);
  if (known?.resolve === resolve) return known.groups;
  const groups = Map.groupBy(calls, ({ target }) => `${target.collection}/${resolve(target.id)}`);
  grouped.set(calls, { resolve, groups });
  return groups;
}
