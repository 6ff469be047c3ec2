import { Problem, type ProblemCode } from '#shared/api/problem.ts';

import type { CallKind, OutboxCall, Recorded } from '../platform/ports.ts';
import { offlineEndpoints } from './kinds/index.ts';

/** The person who does something at a station. */
export interface Recorder {
  userid: number;
  recorded: Recorded;
}

/** The kinds of calls that a station sends in the name of people. The server refuses all others. */
const recordable: ReadonlySet<CallKind> = new Set(
  offlineEndpoints.filter(({ recorded }) => recorded === true).map(({ offline }) => offline),
);

/**
 * - STATION-ENGINE-2 What a station may not send in the name of a person is refused at once, and not when it is sent.
 *   Changing or removing one's comment is possible while the comment waits.
 *
 * @throws Problem forbidden
 */
export function mustBeRecordable(calls: readonly OutboxCall[]): void {
  if (calls.some(({ kind, recorded }) => recorded !== undefined && !recordable.has(kind)))
    throw new Problem('forbidden', 'This is not possible at a station. Sign in on a device of your own');
}

/** The code of a 403 for the call of a person who no longer belongs to the station: it waits until a lead decides. */
const needsLeadCode: ProblemCode = 'station-needs-lead';

/** Whether a lead must accept a call before the server takes it. */
export function needsLead({ state, refusal }: Pick<OutboxCall, 'state' | 'refusal'>): boolean {
  return state !== 'done' && state !== 'parked' && refusal?.code === needsLeadCode;
}

/** Whether a refusal of the server says so. */
export function saysNeedsLead(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'code' in body && body.code === needsLeadCode;
}
