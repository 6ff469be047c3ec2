import { batchLimits, batchResult, feedHead, protocolVersion, type BatchResult } from '#shared/sync/wire.ts';

import type { Link } from '../link.ts';
import { answerOf } from '../mirror/answer.ts';
import type { OutboxCall } from '../ports.ts';
import { doneCall, verdictOf } from './answers.ts';
import { offersOf, unknownToDrafts, wireCall } from './offer-again.ts';
import type { JournaledOutbox } from './outbox.ts';

export interface OfferWorld {
  link: Link;
  outbox: JournaledOutbox;
  now(): number;
  /** Whether the bytes of an upload are still here. */
  hasFile(id: string): Promise<boolean>;
}

/**
 * Tells a server that was restored from an older backup again what this device had told it (O14). What it still knows
 * has no second effect. What it now refuses, and uploads, return to the outbox, where a person sees them.
 */
export async function offerAgain(world: OfferWorld): Promise<void> {
  const { outbox } = world;
  await outbox.update((calls) => ({
    put: calls
      .filter(({ state }) => state === 'done')
      .map((call) => ({ ...call, ...unknownToDrafts(call), state: 'queued', doneSeq: null, doneAt: null })),
  }));
  const offers = offersOf(await outbox.log.read());
  const returning: OutboxCall[] = [];
  for (const call of offers)
    if (call.fileId !== null && (await world.hasFile(call.fileId))) returning.push(call);
  const calls = offers.filter(({ fileId }) => fileId === null);
  for (let from = 0; from < calls.length; from += offerSize) {
    const part = calls.slice(from, from + offerSize);
    const results = await send(world.link, part);
    const refused = part.filter(({ id }) => verdictOf(results.get(id)?.status ?? 0) !== 'done');
    returning.push(...refused);
    await outbox.learn(part.flatMap((call) => withResult(call, results.get(call.id), world.now())));
  }
  await outbox.update((present) => {
    const known = new Set(present.map(({ id }) => id));
    const first = Math.min(0, ...present.map(({ order }) => order));
    const put = returning.filter(({ id }) => !known.has(id));
    return { put: put.map((call, index) => ({ ...call, order: first - put.length + index })) };
  });
}

// Below the most calls of a batch, so that a long history does not meet the limit of bytes.
const offerSize = batchLimits.calls / 4;

async function send(link: Link, calls: OutboxCall[]): Promise<Map<string, BatchResult>> {
  const body = JSON.stringify({ protocol: protocolVersion, calls: calls.map(wireCall) });
  const headers = { 'Content-Type': 'application/json' };
  const answering = await answerOf(link, link.request('/sync/1/batch', { method: 'POST', body, headers }));
  const results = new Map<string, BatchResult>();
  let last = '';
  let isHead = true;
  for await (const line of link.lines(answering)) {
    if (line === '') continue;
    last = line;
    if (isHead) link.parsed(answering, feedHead, line);
    else {
      const result = link.parsed(answering, batchResult, line) as BatchResult;
      results.set(result.id, result);
    }
    isHead = false;
  }
  if (results.size < calls.length) throw link.foreign(answering, last);
  return results;
}

function withResult(call: OutboxCall, result: BatchResult | undefined, now: number): OutboxCall[] {
  return result !== undefined && verdictOf(result.status) === 'done' ? [doneCall(call, result, now)] : [];
}
