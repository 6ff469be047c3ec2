import type { OutboxCall } from '../platform/ports.ts';
import type { Calls } from './calls.ts';
import { nameOtherFields } from './named-by-number.ts';
import { idsCreatedBy } from '../sync/temporary-ids.ts';
import { callKindSpecs } from './kinds/index.ts';
import type { Coalesced } from './kinds/kind.ts';

/** Joins `incoming` with the last call of its lane, if that is unsent and its kind allows it. */
export function coalesce(calls: Pick<Calls, 'inLane' | 'needing'>, incoming: OutboxCall): Coalesced {
  const last = calls.inLane(incoming.lane).findLast(({ state }) => state !== 'done');
  if (last === undefined || !isUnsent(last) || isOfAnother(last, incoming)) return asItIs(incoming);
  // At a station, nobody's words become part of what another person recorded.
  if (last.recorded?.for !== incoming.recorded?.for) return asItIs(incoming);
  const isNeeded = idsCreatedBy(last).some((id) => calls.needing(id).some((call) => call !== last));
  return callKindSpecs[incoming.kind].join?.(last, incoming, isNeeded) ?? asItIs(incoming);
}

/** Whether the server cannot have a call: it was never sent (OUTBOX-1), or refused (OUTBOX-7). */
export function isUnsent(call: OutboxCall): boolean {
  return (call.state === 'queued' && call.tries === 0) || call.state === 'parked';
}

/** Whether the two calls mean different records, or fields, by the same number, as after a restore (OUTBOX-34). */
function isOfAnother(last: OutboxCall, incoming: OutboxCall): boolean {
  const uid = incoming.record?.uid ?? last.record?.uid;
  return (last.record?.uid ?? uid) !== uid || nameOtherFields(last, incoming);
}

function asItIs(incoming: OutboxCall): Coalesced {
  return { put: [incoming], drop: [], result: incoming };
}
