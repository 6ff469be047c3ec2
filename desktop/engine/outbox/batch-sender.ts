import { readResult } from '#shared/sync/reading.ts';
import { batchLimits } from '#shared/sync/wire.ts';

import { type Backoff, retryAfter } from '../platform/backoff.ts';
import type { Environment, OutboxCall } from '../platform/ports.ts';
import type { Answering } from '../sync/answering.ts';
import { ForeignAnswer } from '../sync/connection-errors.ts';
import { linesAfterHead } from '../sync/mirror/answer.ts';
import type { ServerConnection } from '../sync/server-connection.ts';
import { verdictOf, type Answer } from './answers.ts';
import { answerFrom } from './api-answer.ts';
import { askAnswers } from './ask-answers.ts';
import type { InFlight } from './in-flight.ts';
import { Pace } from './pace.ts';
import type { Answered, ResponseHandler } from './response-handler.ts';

export interface BatchDeps {
  environment: Pick<Environment, 'now' | 'monotonic'>;
  connection: ServerConnection;
  responseHandler: ResponseHandler;
  inFlight: InFlight;
  /** Reset by every batch that is answered. */
  backoff: Backoff;
  /** The server does not know a checkpoint that this device saw. */
  noteOtherHistory(): void;
  /** The token was refused: sending waits for sign-in. */
  noteExpired(token: string | null): void;
}

/** Sends calls without files, several in one request. */
export class BatchSender {
  readonly #deps: BatchDeps;
  readonly #pace = new Pace();
  /** Calls that may have reached the server without an answer: it is asked about them before they are sent again. */
  readonly #unanswered = new Set<string>();
  #mostCalls: number = batchLimits.calls;

  constructor(deps: BatchDeps) {
    this.#deps = deps;
  }

  /** These calls may have reached the server in an earlier start of the app. */
  noteUnanswered(ids: Iterable<string>): void {
    for (const id of ids) this.#unanswered.add(id);
  }

  /** The device is online again: larger batches are tried again (OUTBOX-24). */
  forgetCeiling(): void {
    this.#pace.forgetCeiling();
  }

  /**
   * Sends as many of these calls as fit into a batch. Asks first for answers that never came: a request for keys is much
   * smaller than the calls (OUTBOX-23).
   * @throws Unreachable when there is no answer of the server
   */
  async send(ready: OutboxCall[]): Promise<void> {
    const open = ready.filter(({ id }) => this.#unanswered.has(id));
    return open.length > 0 ? this.#askFor(open) : this.#sendBatch(ready);
  }

  async #askFor(calls: OutboxCall[]): Promise<void> {
    const { token } = this.#deps.connection;
    const { asked, answers, refusal } = await askAnswers(this.#deps.connection, calls);
    if (refusal?.status === 410) return this.#otherHistory();
    if (refusal !== null && isForAll(refusal.status)) {
      if (refusal.status === 401) this.#deps.noteExpired(token);
      else this.#pause(refusal);
      return;
    }
    const done = asked.flatMap((call): Answered[] => {
      const answer = answers.get(call.id);
      return answer !== undefined && verdictOf(answer.status) === 'done' ? [{ call, answer }] : [];
    });
    await this.#deps.inFlight.settle(done, token);
    for (const { id } of asked) this.#unanswered.delete(id);
    this.#deps.backoff.reset();
  }

  async #sendBatch(ready: OutboxCall[]): Promise<void> {
    const { environment, connection, inFlight } = this.#deps;
    const batch = await inFlight.claim(this.#fitting(ready));
    if (batch.length === 0) return;
    const open = new Map(batch.map((call) => [call.id, call]));
    const calls = batch.map((call) => inFlight.onTheWire(call));
    const body = JSON.stringify({ protocol: connection.protocol, calls });
    const bytes = bytesOf(body);
    const begunAt = environment.monotonic();
    try {
      const headers = { 'Content-Type': 'application/json' };
      const { token } = connection;
      const answering = await connection.request('/sync/1/batch', { method: 'POST', body, headers });
      if (!answering.response.ok) return await this.#wholeBatchRefused(answering, batch, token);
      await this.#readAnswers(answering, open, token);
      this.#pace.answered(bytes, environment.monotonic() - begunAt);
      this.#deps.backoff.reset();
      this.#mostCalls = batchLimits.calls;
    } catch (error) {
      const isTooLarge = error instanceof ForeignAnswer && error.said.status === 413;
      if (isTooLarge && this.#pace.tooLarge(bytes) && batch.length > 1) return;
      for (const id of open.keys()) this.#unanswered.add(id);
      this.#pace.unanswered(environment.monotonic() - begunAt);
      throw error;
    } finally {
      await inFlight.giveBack([...open.values()]);
    }
  }

  /**
   * Settles the answers to a batch while more of them arrive. Answers that arrive meanwhile are settled together
   * (OUTBOX-40). Removes settled calls from `open`.
   * @throws ForeignAnswer when an answer is missing
   */
  async #readAnswers(
    answering: Answering,
    open: Map<string, OutboxCall>,
    token: string | null,
  ): Promise<void> {
    const { connection, inFlight } = this.#deps;
    const unanswered = new Map(open);
    const arrived: Answered[] = [];
    const settleArrived = async (): Promise<void> => {
      while (arrived.length > 0) {
        const group = arrived.splice(0);
        await inFlight.settle(group, token);
        for (const { call } of group) open.delete(call.id);
      }
      isSettling = false;
    };
    let isSettling = false;
    let settling = Promise.resolve();
    try {
      for await (const line of linesAfterHead(connection, answering)) {
        const result = connection.parsed(answering, readResult, line);
        connection.learnPlace(result.place);
        const call = unanswered.get(result.id);
        if (call === undefined) continue;
        unanswered.delete(result.id);
        arrived.push({ call, answer: result });
        if (isSettling) continue;
        isSettling = true;
        settling = settleArrived();
        // After a failure nothing more is settled. It is thrown below as the failure of the batch.
        settling.catch(() => undefined);
      }
    } finally {
      await settling;
    }
    if (unanswered.size > 0) throw connection.foreign(answering);
  }

  /** A batch that is refused as a whole is halved until the call at fault is alone (OUTBOX-6). */
  async #wholeBatchRefused(answering: Answering, batch: OutboxCall[], token: string | null): Promise<void> {
    const { response } = answering;
    const answer = answerFrom(response, await this.#deps.connection.refusal(answering));
    if (response.status === 410) return this.#otherHistory();
    if (isForAll(response.status) || batch.length === 1) {
      if (response.status === 401) this.#deps.noteExpired(token);
      for (const call of batch) await this.#deps.responseHandler.settle(call, answer);
      if (isForAll(response.status) && response.status !== 401) this.#pause(answer);
      return;
    }
    this.#mostCalls = Math.ceil(batch.length / 2);
  }

  /** The server ran no call: the mirror is loaded again first (OUTBOX-33). */
  #otherHistory(): void {
    this.#deps.noteOtherHistory();
    this.#deps.backoff.failed();
  }

  #pause(answer: Answer): void {
    const { environment, connection, backoff } = this.#deps;
    const wait = retryAfter(answer.headers, environment.now());
    backoff.failed(wait);
    if (wait !== null) connection.askedToWait(wait);
  }

  /** The first calls that fit into the batch; at least one. */
  #fitting(ready: OutboxCall[]): OutboxCall[] {
    let bytes = 0;
    const fitting: OutboxCall[] = [];
    for (const call of ready.slice(0, this.#mostCalls)) {
      bytes += bytesOf(JSON.stringify(this.#deps.inFlight.onTheWire(call)));
      // The envelope of the batch takes a few bytes too.
      if (fitting.length > 0 && bytes > this.#pace.bytes - 1024) break;
      fitting.push(call);
    }
    return fitting;
  }
}

/** Whether a refusal of a whole batch is about the moment and not about the calls. */
function isForAll(status: number): boolean {
  const verdict = verdictOf(status);
  return verdict === 'sign-in' || verdict === 'again';
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
