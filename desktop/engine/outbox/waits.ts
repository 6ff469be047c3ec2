import type { OutboxCall } from '../platform/ports.ts';
import { idsCreatedBy } from '../sync/temporary-ids.ts';
import { needsLead } from './recorded.ts';

/**
 * What calls wait for, by their ids: the call that creates something that they need, or the call before them in their lane
 * that waits for a person or for another call (OUTBOX-6). Calls that only wait for their turn are not in the map.
 *
 * @param calls In their order.
 */
export function waitsOf(calls: readonly OutboxCall[]): ReadonlyMap<string, OutboxCall> {
  const open = calls.filter(({ state }) => state !== 'done');
  const makers = new Map(open.flatMap((call) => idsCreatedBy(call).map((id) => [id, call] as const)));
  const waits = new Map<string, OutboxCall>();
  const heldUp = new Map<string, OutboxCall>();
  for (const call of open) {
    const maker = call.needs.flatMap((id) => makers.get(id) ?? []).find(({ id }) => id !== call.id);
    const awaited = maker ?? heldUp.get(call.lane);
    if (awaited !== undefined) waits.set(call.id, awaited);
    if ((awaited !== undefined || waitsForPerson(call)) && !heldUp.has(call.lane))
      heldUp.set(call.lane, call);
  }
  return waits;
}

function waitsForPerson(call: OutboxCall): boolean {
  return call.state === 'parked' || call.state === 'conflict' || needsLead(call);
}
