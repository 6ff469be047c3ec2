import { readResult } from '#shared/sync/reading.ts';
import { batchLimits, type BatchResult, mostKeys, type SyncedCollection } from '#shared/sync/wire.ts';

import type { ServerConnection } from '../sync/server-connection.ts';
import { OtherHistory, Unreachable } from '../sync/connection-errors.ts';
import { answerOf, linesAfterHead } from '../sync/mirror/answer.ts';
import type { OutboxCall } from '../platform/ports.ts';
import { doneCall, parkedCall, verdictOf } from './answers.ts';
import { askAnswers } from './ask-answers.ts';
import {
  madeBy,
  mayOverwrite,
  offersOf,
  toOffer,
  wireCall,
  withTemporaryIds,
  type Made,
} from './replay-after-restore.ts';
import type { JournaledOutbox } from './outbox.ts';

export interface OfferDeps {
  connection: ServerConnection;
  outbox: JournaledOutbox;
  now(): number;
  /** Whether the bytes of an upload are still on this device. */
  hasFile(id: string): Promise<boolean>;
  /** Whether the revision that a call names belongs to another version now. */
  isMistaken(call: OutboxCall): Promise<boolean>;
  /** The real ids that these temporary ids (with `tmp:`) have in the mirror. */
  idsNow(temporaries: ReadonlySet<string>): Promise<Record<string, string>>;
  /** The `uid` of the record that has a number on the server now. */
  uidNow(record: { c: SyncedCollection; id: string }): Promise<string | undefined>;
  /** Those of these calls, oldest first, that would replace what somebody wrote since. */
  overwriting(calls: readonly OutboxCall[]): Promise<ReadonlySet<string>>;
  /** Called because drafts may be based on versions that are gone, or on guides that must be created again. */
  meetHistory(made: Made): Promise<void>;
}

/**
 * Offers sent calls again to a server that was restored from an older backup (OUTBOX-14). Calls that it still knows have no
 * second effect. Calls that it refuses, and uploads, return to the outbox, where a person sees them.
 */
export async function offerAgain(deps: OfferDeps): Promise<void> {
  const { outbox } = deps;
  const sent = await outbox.log.read();
  const done = outbox.index.inState('done');
  const made = madeBy([...sent, ...done]);
  const temporaries = new Set(made.values());
  const now = await deps.idsNow(temporaries);
  // Nobody else has changed a record that must be created again; its old number may belong to another record.
  const isThere = ({ target }: OutboxCall): boolean => !temporaries.has(target.id) || target.id in now;
  const stale = await staleOf(deps, [...offersOf(sent), ...done.map(toOffer)].filter(isThere));
  const waiting = await mistakenOf(deps, outbox.present());
  const present = await ofPresentRecords(deps, outbox.present(), made);
  await outbox.update((calls) => ({
    put: [...calls].flatMap((call) => {
      const own = present.has(call.id) ? call : withTemporaryIds(call, made);
      const next = waiting.has(call.id) ? withoutRevision(own) : own;
      if (call.state === 'done') return stale.has(call.id) ? asStale(toOffer(next)) : toOffer(next);
      return next === call ? [] : next;
    }),
  }));
  outbox.forgetIds([...temporaries], now);
  await deps.meetHistory(made);
  const mistaken = await mistakenOf(deps, offersOf(sent));
  const offers = offersOf(sent).map((call) => {
    if (stale.has(call.id)) return asStale(call);
    return mistaken.has(call.id) ? withoutRevision(call) : call;
  });
  const returning = new Set(stale);
  const gone: OutboxCall[] = [];
  for (const call of offers) {
    if (call.fileId === null) continue;
    if (await deps.hasFile(call.fileId)) returning.add(call.id);
    else gone.push(call);
  }
  const calls = offers.filter(({ fileId, id }) => fileId === null && !stale.has(id));
  for (const part of portions(calls, deps.connection.protocol)) {
    const results = await send(deps.connection, part);
    for (const { id } of part) if (verdictOf(results.get(id)?.status ?? 0) !== 'done') returning.add(id);
    await outbox.learn(part.flatMap((call) => withResult(call, results.get(call.id), deps.now())));
  }
  // All return in their old order, since one may wait for another that is before it in its lane.
  const back = offers.filter(({ id }) => returning.has(id));
  await outbox.update((present) => {
    const [oldest] = present;
    const first = Math.min(0, oldest?.order ?? 0);
    const put = back.filter(({ id }) => present.get(id) === undefined);
    return {
      put: put.map((call, index) => ({ ...call, order: first - put.length + index })),
      unsent: [...back, ...gone].map(({ id }) => id),
    };
  });
}

/**
 * Calls without a revision that the server forgot, and that would replace what somebody wrote since (OUTBOX-35). None for
 * a server that cannot say what it knows (404): it is sent all of them.
 */
async function staleOf(deps: OfferDeps, calls: readonly OutboxCall[]): Promise<ReadonlySet<string>> {
  const forgotten: OutboxCall[] = [];
  const asking = calls.filter(mayOverwrite);
  for (let from = 0; from < asking.length; from += mostKeys) {
    const part = asking.slice(from, from + mostKeys);
    const { answers, refusal } = await askAnswers(deps.connection, part);
    if (refusal?.status === 404 || refusal?.status === 405) return new Set();
    if (refusal?.status === 410) throw new OtherHistory('The server was restored again');
    if (refusal !== null) throw new Unreachable(`The server answered ${refusal.status}`);
    forgotten.push(...part.filter(({ id }) => !answers.has(id)));
  }
  return deps.overwriting(forgotten);
}

/** The call parked for a decision: the newer text is on the server, the person's in the call. */
function asStale(call: OutboxCall): OutboxCall {
  return parkedCall(call, 409, { message: overwritten });
}

const overwritten =
  'The server was restored from a backup, and this was changed there since. Your text is kept here: compare the two, then send yours again or discard it.';

/**
 * Calls that name a number of `made` and mean the record that has it now. They were made after the restore, before an
 * earlier offer was interrupted.
 */
async function ofPresentRecords(
  deps: OfferDeps,
  calls: readonly OutboxCall[],
  made: Made,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const call of calls) {
    if (call.record === undefined || !made.has(`${call.record.c}/${call.record.id}`)) continue;
    if ((await deps.uidNow(call.record)) === call.record.uid) found.add(call.id);
  }
  return found;
}

async function mistakenOf(deps: OfferDeps, calls: readonly OutboxCall[]): Promise<ReadonlySet<string>> {
  const mistaken = new Set<string>();
  for (const call of calls) if (await deps.isMistaken(call)) mistaken.add(call.id);
  return mistaken;
}

/** The call with revision 0, which no version has: the server answers 409, and the merge sees both versions (OUTBOX-31). */
function withoutRevision(call: OutboxCall): OutboxCall {
  if (call.query['revisionid'] !== undefined) return { ...call, query: { ...call.query, revisionid: '0' } };
  const { body } = call;
  const isForm = typeof body === 'object' && body !== null && 'form_revisionid' in body;
  return isForm ? { ...call, body: { ...body, form_revisionid: 0 } } : call;
}

/** Well below the limits of a batch and of proxies: a batch that is always refused would stop the offer. */
const portionLimits = { calls: batchLimits.calls / 4, bytes: 256 * 1024 } as const;

/** The calls in their order, in batches within `portionLimits`; a larger call is alone. */
export function portions(calls: readonly OutboxCall[], protocol: number): OutboxCall[][] {
  const parts: OutboxCall[][] = [];
  let bytes = 0;
  for (const call of calls) {
    const own = new TextEncoder().encode(JSON.stringify(wireCall(call, protocol))).length;
    const last = parts.at(-1);
    if (last !== undefined && last.length < portionLimits.calls && bytes + own <= portionLimits.bytes) {
      last.push(call);
      bytes += own;
    } else {
      parts.push([call]);
      bytes = own;
    }
  }
  return parts;
}

async function send(connection: ServerConnection, calls: OutboxCall[]): Promise<Map<string, BatchResult>> {
  const body = JSON.stringify({
    protocol: connection.protocol,
    calls: calls.map((call) => wireCall(call, connection.protocol)),
  });
  const headers = { 'Content-Type': 'application/json' };
  const answering = await answerOf(
    connection,
    connection.request('/sync/1/batch', { method: 'POST', body, headers }),
  );
  const results = new Map<string, BatchResult>();
  for await (const line of linesAfterHead(connection, answering)) {
    const result = connection.parsed(answering, readResult, line);
    connection.learnPlace(result.place);
    results.set(result.id, result);
  }
  if (results.size < calls.length) throw connection.foreign(answering);
  return results;
}

function withResult(call: OutboxCall, result: BatchResult | undefined, now: number): OutboxCall[] {
  return result !== undefined && verdictOf(result.status) === 'done' ? [doneCall(call, result, now)] : [];
}
