import { withoutNul } from '#shared/rules/without-nul.ts';

import type { NewCall, OutboxCall } from '../platform/ports.ts';
import { needsOf } from '../sync/temporary-ids.ts';
import type { CallIndex } from './calls.ts';
import { coalesce } from './coalesce.ts';

/** What finds the names of what a new call means by its numbers. */
export interface Naming {
  /** The record that a new call is for, as the mirror knows it. */
  recordOf?: (call: NewCall) => Promise<OutboxCall['record']>;
  /** The step that a new call is about, as the mirror knows it. */
  stepOf?: (call: NewCall) => Promise<OutboxCall['step']>;
}

/** A new call without NUL, with the names of its record and step. */
export async function namedCall(call: NewCall, { recordOf, stepOf }: Naming): Promise<NewCall> {
  return {
    ...withoutNul(call),
    record: call.record ?? (await recordOf?.(call)),
    step: call.step ?? (await stepOf?.(call)),
  };
}

/** A new call with everything that an action leaves out. */
export function wholeCall(
  call: NewCall,
  own: Pick<OutboxCall, 'id' | 'userid' | 'at' | 'order' | 'recorded'>,
): OutboxCall {
  const whole: OutboxCall = {
    query: {},
    body: undefined,
    fileId: null,
    context: null,
    ...call,
    ...own,
    needs: [],
    state: call.state ?? 'queued',
    tries: 0,
    nextTryAt: 0,
    created: {},
    doneSeq: null,
    doneAt: null,
    refusal: null,
  };
  return { ...whole, needs: needsOf(whole) };
}

/**
 * What changes when `calls` join the outbox one after the other, and the call that each becomes part of. `whole` makes a
 * call with its order. `index` is the same afterwards: the calls exist only once they are journalled.
 */
export function joinAll(
  calls: readonly NewCall[],
  index: CallIndex,
  whole: (call: NewCall, order: number) => OutboxCall,
): { change: { put: OutboxCall[]; drop: string[] }; results: OutboxCall[] } {
  const before = new Map<string, OutboxCall | undefined>();
  const results = calls.map((call) => {
    const { put, drop, result } = coalesce(index, whole(call, (index.last?.order ?? 0) + 1));
    for (const id of [...put.map((one) => one.id), ...drop])
      if (!before.has(id)) before.set(id, index.get(id));
    index.apply(put, drop);
    return result;
  });
  const ids = [...before.keys()];
  const put = ids.flatMap((id) => index.get(id) ?? []);
  const drop = ids.filter((id) => before.get(id) !== undefined && index.get(id) === undefined);
  index.apply(
    ids.flatMap((id) => before.get(id) ?? []),
    ids.filter((id) => before.get(id) === undefined),
  );
  return { change: { put, drop }, results };
}
