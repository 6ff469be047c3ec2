import { Problem } from '#shared/api/problem.ts';
import type { WorkedRevision } from '#shared/model/revision.ts';
import type { EntryFacts, EntryStatus } from '#shared/model/work-log.ts';
import { canMove } from '#shared/rules/work-log.ts';
import { revisionInForce } from '#shared/rules/work-revision.ts';

import { deviationContextOf, type DeviationContext } from '../outbox/kinds/deviations.ts';
import { fieldsOf } from '../outbox/kinds/kind.ts';
import { type EntryContext, entryContextOf, seenInCall } from '../outbox/kinds/work-orders.ts';
import type { NewCall, OutboxCall } from '../platform/ports.ts';
import { statusAfter } from '../features/records/work-order-view.ts';
import {
  type ActionContext,
  bodyId,
  impossible,
  newTemporaryId,
  openCallsOf,
  reportsOf,
} from '../features/action-context.ts';

/** The waiting calls of a work order that somebody else took over, with its reports. Throws when it was not. */
function frozenCalls(context: ActionContext, entryid: string): OutboxCall[] {
  const calls = openCallsOf(context, 'workLog', entryid);
  if (!calls.some((call) => call.state === 'conflict')) throw impossible('This work order is not held up');
  return [...calls, ...reportsOf(context, entryid)].toSorted((a, b) => a.order - b.order);
}

/**
 * - STATION-ENGINE-13 At a station, a person keeps and discards only their own part of such work, since an order of their own
 *   is in their name. What people who left the station recorded can be discarded by everybody there.
 *
 * @throws Problem forbidden when nothing of it is the person's
 */
function ownFrozenCalls(
  context: ActionContext,
  entryid: string,
  isOwn: (call: OutboxCall) => boolean,
): OutboxCall[] {
  const own = frozenCalls(context, entryid).filter((call) => call.recorded === undefined || isOwn(call));
  if (own.length === 0)
    throw new Problem('forbidden', 'Only the person who recorded this can keep or discard it');
  return own;
}

/** Whether the person who is signed in recorded a call, or somebody who no longer is of the station. */
function isDiscardable(context: ActionContext, { recorded, userid }: OutboxCall): boolean {
  const { people = [] } = context.sources.core.station.present()?.now.self ?? {};
  return userid === context.userid() || !people.some(({ accountid }) => accountid === recorded?.for);
}

/**
 * Moves the person's waiting calls to a new work order of their own. It starts at the first waiting call, and all later
 * moves and values follow in order. It is journalled before the old calls are removed. Resolves to its temporary
 * entryid.
 */
export async function saveAsOwnOrder(context: ActionContext, entryid: string): Promise<string> {
  const calls = ownFrozenCalls(context, entryid, ({ userid }) => userid === context.userid());
  const about = calls.map(entryContextOf).find((found) => found !== undefined);
  const first = calls[0];
  if (about === undefined || first === undefined) throw impossible('There is nothing to save');
  const { key, id } = newTemporaryId(context);
  const { guideid, workorderid } = about;
  const guide = context.resolve(guideid);
  const revision = revisionWorkedBy(calls);
  const { serials } = baseOf(calls) ?? {};
  const numbers = serials === undefined ? {} : { serials };
  const start: NewCall = {
    id: key,
    kind: 'entry-create',
    lane: `entry:${key}`,
    method: 'POST',
    path: '/work_log',
    ...seenInCall(revision, {
      guideid: bodyId(guide),
      workorderid,
      ...numbers,
      ...momentIn(first.body),
    }),
    target: { collection: 'workLog', id },
    subject: workorderid,
    context: {
      guideid: guide,
      workorderid,
      ...(revision === undefined ? {} : { revision }),
      ...numbers,
    } satisfies EntryContext,
  };
  await context.sources.core.outbox.add([start, ...callsForOwnOrder(context, calls, start, id)]);
  await removeAll(context, calls);
  return id;
}

/** The revision that the person worked by before somebody else took the order over. */
function revisionWorkedBy(calls: readonly OutboxCall[]): WorkedRevision | undefined {
  const base = baseOf(calls);
  const bound = base === undefined ? undefined : revisionInForce(base);
  if (bound === undefined) return undefined;
  const { decision: _decision, userid: _userid, at: _at, ...revision } = bound;
  return revision;
}

/** The order before its first waiting call. */
function baseOf(calls: readonly OutboxCall[]): EntryFacts | undefined {
  return calls.map((call) => entryContextOf(call)?.base).find((one) => one !== undefined);
}

/** The calls that are possible for a new work order, addressed to it. */
function callsForOwnOrder(
  context: ActionContext,
  calls: readonly OutboxCall[],
  { lane, target }: NewCall,
  id: string,
): NewCall[] {
  let status: EntryStatus = 'started';
  const result: NewCall[] = [];
  for (const { kind, method, path, body, subject, ...call } of calls) {
    const report = deviationContextOf({ kind, method, path, body, subject, ...call });
    if (report !== undefined) {
      const { key, id: own } = newTemporaryId(context);
      result.push({
        id: key,
        kind,
        method,
        path,
        body: { ...fieldsOf(body), entryid: id },
        lane,
        target: { collection: 'deviations', id: own },
        subject,
        context: { ...report, entryid: id } satisfies DeviationContext,
      });
      continue;
    }
    const about = entryContextOf({ kind, method, path, body, subject, ...call });
    const move = about?.move ?? 'data';
    if (about === undefined || !canMove(status, move)) continue;
    status = statusAfter[move] ?? status;
    const { base: _base, ...kept } = about;
    const own = `/work_log/${id}${path.slice(path.lastIndexOf('/'))}`;
    result.push({ kind, method, path: own, body, lane, target, subject, context: kept });
  }
  return result;
}

/** The waiting calls of a work order as a file. */
export function exportOrder(
  context: ActionContext,
  entryid: string,
): Promise<{ filename: string; json: string }> {
  const calls = frozenCalls(context, entryid);
  const name = calls[0]?.subject.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-') ?? entryid;
  const record = calls.map(({ kind, method, path, body, at, context: about }) => ({
    kind,
    method,
    path,
    body,
    at,
    about,
  }));
  return Promise.resolve({ filename: `work-order-${name}.json`, json: JSON.stringify(record, null, 2) });
}

/** Discards the waiting calls of a work order. The screen asks first. */
export async function discardOrder(context: ActionContext, entryid: string): Promise<void> {
  await removeAll(
    context,
    ownFrozenCalls(context, entryid, (call) => isDiscardable(context, call)),
  );
}

async function removeAll(context: ActionContext, calls: readonly OutboxCall[]): Promise<void> {
  for (const call of calls.toReversed()) await context.sources.core.outbox.remove(call.id);
}

const momentFields = new Set(['at', 'mono', 'session', 'offset']);

function momentIn(body: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => momentFields.has(name)));
}
