import type { OutboxCall } from '../platform/ports.ts';
import { longestWait } from '../platform/backoff.ts';
import type { Calls } from './calls.ts';
import { followsPrevious } from './revisions.ts';

/** Calls that can be sent now. */
export interface NextBatch {
  /** Calls for the batch, in their order. */
  calls: OutboxCall[];
  /** Uploads, each alone. */
  uploads: OutboxCall[];
  /** When the next call may be sent that waits only for its time, ms; null: there is none, or `calls` is full. */
  nextAt: number | null;
}

/** Chooses at most `most` calls that may be sent (OUTBOX-3): the first ones of each lane, up to the first that must wait. */
export function nextBatch(calls: Calls, now: number, most = Number.POSITIVE_INFINITY): NextBatch {
  const result: NextBatch = { calls: [], uploads: [], nextAt: null };
  const mayLeave = (call: OutboxCall): boolean => {
    if (call.state !== 'queued' || waitsForOthers(call, calls)) return false;
    // No wait is longer than `longestWait`: if one seems to be, the clock was set back before this start of the app.
    if (call.nextTryAt <= now || call.nextTryAt > now + longestWait) return true;
    result.nextAt = Math.min(result.nextAt ?? Number.POSITIVE_INFINITY, call.nextTryAt);
    return false;
  };
  result.uploads = calls.withFile().filter((call) => isFirstOfLane(call, calls) && mayLeave(call));
  const begun = new Set<string>();
  const ended = new Set<string>();
  for (const call of calls) {
    if (result.calls.length >= most) break;
    if (call.state === 'done' || ended.has(call.lane)) continue;
    const isFirst = !begun.has(call.lane);
    begun.add(call.lane);
    if (call.fileId === null && (isFirst || !followsPrevious(call)) && mayLeave(call))
      result.calls.push(call);
    else ended.add(call.lane);
  }
  return result;
}

/** Whether `call` waits for another call that creates what it names. */
function waitsForOthers(call: OutboxCall, calls: Calls): boolean {
  return call.needs.some((id) => (calls.makerOf(id) ?? call).id !== call.id);
}

function isFirstOfLane(call: OutboxCall, calls: Calls): boolean {
  return calls.inLane(call.lane).find(({ state }) => state !== 'done') === call;
}
