import type { OutboxCall } from '../platform/ports.ts';

/**
 * Whether a view still has to apply `call` on top of the mirror's record of its target (`seq` of that record, null
 * when the mirror has none). False as soon as the mirror holds the call's effect (README, OUTBOX-12).
 */
export function appliesOnTop(call: OutboxCall, seq: number | null): boolean {
  if (call.state !== 'done') return true;
  if (seq === null) return call.doneSeq !== null && !removesItsTarget(call);
  return call.doneSeq !== null && seq < call.doneSeq;
}

function removesItsTarget(call: OutboxCall): boolean {
  return call.kind === 'guide-delete' || call.kind === 'comment-remove' || call.method === 'DELETE';
}
