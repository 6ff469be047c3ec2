import type { OutboxCall } from '../ports.ts';
import { followsPrevious } from './revisions.ts';
import { idsCreatedBy } from './temporary-ids.ts';

/** What can leave now. */
export interface Departure {
  /** Calls for the batch, lane by lane in order. */
  calls: OutboxCall[];
  /** Uploads, each alone. */
  uploads: OutboxCall[];
  /** When the next call may leave that only waits for its time; null when none does. */
  nextAt: number | null;
}

/** Chooses the calls that may be sent (O3): of each lane the first ones, up to the first that must wait. */
export function departure(calls: readonly OutboxCall[], now: number): Departure {
  const pending = calls.filter(({ state }) => state !== 'done');
  const makers = makersOf(pending);
  const lanes = Map.groupBy(pending, ({ lane }) => lane);
  const result: Departure = { calls: [], uploads: [], nextAt: null };
  for (const lane of lanes.values()) {
    for (const [index, call] of lane.entries()) {
      if (call.state !== 'queued' || waitsFor(call, makers).length > 0) break;
      if (index > 0 && followsPrevious(call)) break;
      if (call.nextTryAt > now) {
        result.nextAt = Math.min(result.nextAt ?? Number.POSITIVE_INFINITY, call.nextTryAt);
        break;
      }
      if (call.fileId !== null) {
        if (index === 0) result.uploads.push(call);
        break;
      }
      result.calls.push(call);
    }
  }
  return result;
}

/** Ids of the calls that `call` waits for because they create what it names. */
export function waitsFor(call: OutboxCall, makers: ReadonlyMap<string, string>): string[] {
  return call.needs.flatMap((id) => {
    const maker = makers.get(id);
    return maker === undefined || maker === call.id ? [] : [maker];
  });
}

/** Of which call each temporary id is made, for `waitsFor`. */
function makersOf(calls: readonly OutboxCall[]): Map<string, string> {
  return new Map(
    calls
      .filter(({ state }) => state !== 'done')
      .flatMap((call) => idsCreatedBy(call).map((id) => [id, call.id])),
  );
}
