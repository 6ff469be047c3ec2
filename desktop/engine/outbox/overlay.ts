import type { OutboxCall } from '../ports.ts';

/**
 * Whether a view still has to apply `call` on top of the mirror's record of its target (`seq` of that record, null
 * when the mirror has none). False as soon as the mirror holds the call's effect (README, O12).
 */
export function appliesOnTop(call: OutboxCall, seq: number | null): boolean {
  if (call.state !== 'done') return true;
  if (seq === null) return call.doneSeq !== null && !removesItsTarget(call);
  return call.doneSeq !== null && seq < call.doneSeq;
}

/** The id of the record that `call` is about: the real one as soon as the call itself has made it. */
export function targetIdOf(call: OutboxCall): string {
  return call.created[call.target.id] ?? call.target.id;
}

function removesItsTarget(call: OutboxCall): boolean {
  return call.kind === 'guide-delete' || call.kind === 'comment-remove' || call.method === 'DELETE';
}
