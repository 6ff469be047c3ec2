import type { SyncedCollection } from '#shared/sync/wire.ts';

import { appliesOnTop } from '#desktop/engine/outbox/applies-on-top.ts';
import { callKindSpecs } from '#desktop/engine/outbox/kinds/index.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';

/** `tmp:…` → the real id once a call has made it, else the id itself. */
export type ResolveId = (id: string) => string;

/** Whether a call's effect stays in view although the server refused it: what it creates exists nowhere else. */
function staysWhenRefused({ kind }: OutboxCall): boolean {
  return callKindSpecs[kind].creates !== undefined || kind === 'wiki-create' || kind === 'entry-data';
}

/**
 * Whether a call's effect is shown on top of the mirror's record (`seq` null: the mirror has none). A refused change
 * of something that exists is not: the record shows what the server holds, and the activity list shows the call.
 */
export function applies(call: OutboxCall, seq: number | null): boolean {
  if (call.state === 'parked' || call.state === 'conflict') return staysWhenRefused(call);
  return appliesOnTop(call, seq);
}

/** Whether the call still has to reach the server or a person's decision. */
export function isOpen(call: OutboxCall): boolean {
  return call.state !== 'done';
}

/** The calls about one record, in order; a temporary id and the real one mean the same record. */
export function callsOf(
  calls: readonly OutboxCall[],
  collection: SyncedCollection,
  id: string,
  resolve: ResolveId,
): OutboxCall[] {
  return byTarget(calls, resolve).get(`${collection}/${resolve(id)}`) ?? [];
}

/** Several views ask for records of the same list of calls: it is divided once. */
const divided = new WeakMap<
  readonly OutboxCall[],
  { resolve: ResolveId; groups: Map<string, OutboxCall[]> }
>();

function byTarget(calls: readonly OutboxCall[], resolve: ResolveId): Map<string, OutboxCall[]> {
  const known = divided.get(calls);
  if (known?.resolve === resolve) return known.groups;
  const groups = Map.groupBy(calls, ({ target }) => `${target.collection}/${resolve(target.id)}`);
  divided.set(calls, { resolve, groups });
  return groups;
}
