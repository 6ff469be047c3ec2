import type { SyncedCollection } from '#shared/sync/wire.ts';

import { appliesOnTop } from '../../outbox/applies-on-top.ts';
import type { OutboxCall } from '../../ports.ts';

/** `tmp:…` → the real id once a call has made it, else the id itself. */
export type ResolveId = (id: string) => string;

/** Calls whose effect stays in view although the server refused them: what they make exists nowhere else. */
const kept = new Set<OutboxCall['kind']>([
  'guide-create',
  'wiki-create',
  'entry-create',
  'entry-data',
  'comment-add',
]);

/**
 * Whether a call's effect is shown on top of the mirror's record (`seq` null: the mirror has none). A refused change
 * of something that exists is not: the record shows what the server holds, and the activity list shows the call.
 */
export function applies(call: OutboxCall, seq: number | null): boolean {
  if (call.state === 'parked' || call.state === 'conflict') return kept.has(call.kind);
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
  const wanted = resolve(id);
  return calls.filter((call) => call.target.collection === collection && resolve(call.target.id) === wanted);
}
