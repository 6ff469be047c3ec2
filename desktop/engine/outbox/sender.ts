import type { Subscription } from 'rxjs';

import { readResult } from '#shared/sync/reading.ts';
import { fileFields } from '#shared/sync/temporary-ids.ts';
import { batchLimits, type BatchCall } from '#shared/sync/wire.ts';

import type { ByteSource } from '#shared/formats/omanual/source.ts';

import type { Journal } from '../journal/journal.ts';
import {
  ForeignAnswer,
  Unreachable,
  type Answering,
  type ServerConnection,
} from '../sync/server-connection.ts';
import { linesAfterHead } from '../sync/mirror/answer.ts';
import type { Environment, OutboxCall } from '../platform/ports.ts';
import type { TroubleNotes } from '../sync/troubles.ts';
import { backoff, retryAfter } from '../sync/backoff.ts';
import { verdictOf, type Answer } from './answers.ts';
import { answerFrom, apiAnswer } from './api-answer.ts';
import { askAnswers } from './ask-answers.ts';
import { nextBatch } from './lanes.ts';
import { wireCall } from './replay-after-restore.ts';
import type { JournaledOutbox } from './outbox.ts';
import { Pace } from './pace.ts';
import type { Answered, ResponseHandler } from './response-handler.ts';
import { withRealIds } from '../sync/temporary-ids.ts';
import { UploadSender } from './upload-sender.ts';

export interface SenderDeps extends TroubleNotes {
  environment: Environment;
  /** Ms since 1970 by a clock that nobody sets while the app runs. */
  steadyNow: () => number;
  connection: ServerConnection;
  outbox: JournaledOutbox;
  responseHandler: ResponseHandler;
  journal: Journal;
  /** The file of an archive that a call names; null when this device does not have it any more. */
  archive(fileId: string): Promise<ByteSource | null>;
  userid: number;
  /** Whether there is a sign-in to send under. */
  maySend(): boolean;
  /** The server does not know a place that this device saw. */
  noteOtherHistory(): void;
  /** The token was refused: sending waits for sign-in. */
  noteExpired(token: string | null): void;
}

/** Sends what waits in the outbox, in the leading tab only. Rules OUTBOX-3 to OUTBOX-7 of README.md. */
export class Sender {
  readonly #deps: SenderDeps;
  readonly #uploads: UploadSender;
  readonly #subscriptions: Subscription[] = [];
  #running = new Set<'calls' | 'uploads'>();
  #cancelTimer: (() => void) | null = null;
  /** How long each kind waits after failures: what stops one of them must not hold back the other. */
  #patience = { calls: newPatience(), uploads: newPatience() };
  /** How often the way to the server has come back. */
  #returns = 0;
  readonly #pace = new Pace();
  /** Calls that may have reached the server without an answer: it is asked about them before they are sent anew. */
  readonly #unanswered = new Set<string>();
  #mostCalls: number = batchLimits.calls;
  #stopped = true;
  #busy: Promise<unknown> = Promise.resolve();
  #calls: Promise<unknown> = Promise.resolve();

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#uploads = new UploadSender({
      ...deps,
      readAnswer: (answering, result) => apiAnswer(deps.connection, answering, result),
    });
  }

  /** Takes over: what an earlier leader was sending when it died is sent again, under the same key. */
  async start(): Promise<void> {
    const { outbox, connection } = this.#deps;
    // What a full disk stops here is done before the first nextBatch.
    await outbox
      .update((calls) => ({
        put: calls.inState('sending').map((call) => ({ ...call, state: 'queued' })),
      }))
      .catch(this.#deps.noteTrouble);
    for (const { id, tries } of outbox.present()) if (tries > 0) this.#unanswered.add(id);
    this.#stopped = false;
    this.#subscriptions.push(
      outbox.calls.subscribe(() => this.#schedule(0)),
      connection.online.subscribe((online) => {
        if (!online) return;
        this.#pace.forgetCeiling();
        this.now();
      }),
    );
  }

  /** Tries now, whatever the backoff says. */
  now(): void {
    this.#returns += 1;
    this.#patience = { calls: newPatience(), uploads: newPatience() };
    void this.#deps.outbox
      .update((calls) => ({
        put: calls
          .inState('queued')
          .filter(({ nextTryAt }) => nextTryAt > 0)
          .map((call) => ({ ...call, nextTryAt: 0 })),
      }))
      .catch(this.#deps.noteTrouble);
    this.#schedule(0);
  }

  /** Resolves when no call is on its way any more; uploads may be. */
  async settled(): Promise<void> {
    await this.#calls;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer?.();
    for (const subscription of this.#subscriptions.splice(0)) subscription.unsubscribe();
    await this.#busy;
  }

  #schedule(ms: number): void {
    if (this.#stopped) return;
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.environment.setTimer(() => this.#depart(), ms);
  }

  #depart(): void {
    this.#cancelTimer = null;
    const { environment, outbox } = this.#deps;
    if (this.#stopped || !this.#deps.maySend()) return;
    // Left over when a result could not be stored: the server is asked again under the same key.
    const stranded = this.#running.size === 0 ? outbox.index.inState('sending') : [];
    if (stranded.length > 0) {
      const wait = this.#patience.calls.notBefore - environment.monotonic();
      if (wait > 0) return this.#schedule(wait);
      return this.#run('calls', () => this.#giveBack(stranded));
    }
    const now = this.#deps.steadyNow();
    const { calls, uploads, nextAt } = nextBatch(outbox.index, now, batchLimits.calls);
    if (outbox.index.count('queued') + outbox.index.count('sending') === 0)
      this.#deps.connection.forget(isOfOutbox);
    const waits = nextAt === null ? [] : [nextAt - now];
    const go = (what: 'calls' | 'uploads', work: () => Promise<void>): void => {
      const wait = this.#patience[what].notBefore - environment.monotonic();
      if (wait > 0) waits.push(wait);
      else this.#run(what, work);
    };
    if (calls.length > 0) go('calls', () => this.#sendCalls(calls));
    const [upload] = uploads;
    if (calls.length === 0 && upload === undefined && this.#running.size === 0) this.#deps.noteSuccess();
    if (upload !== undefined) go('uploads', () => this.#sendUpload(upload));
    // A long upload must not hold back what only waits for its time.
    if (waits.length > 0) this.#schedule(Math.min(...waits));
  }

  #run(what: 'calls' | 'uploads', work: () => Promise<void>): void {
    if (this.#running.has(what)) return;
    this.#running.add(what);
    const returns = this.#returns;
    const run = work()
      .then(() => this.#noteSuccess())
      .catch((error: unknown) => this.#fail(what, error, returns))
      .finally(() => {
        this.#running.delete(what);
        this.#schedule(0);
      });
    if (what === 'calls') this.#calls = run;
    this.#busy = Promise.allSettled([this.#busy, run]);
  }

  /** What one kind of sending could do says nothing of the other. */
  #noteSuccess(): void {
    const { calls, uploads } = this.#patience;
    if (calls.failures === 0 && uploads.failures === 0) this.#deps.noteSuccess();
  }

  /** Only a failure of the way or of the device comes here; refusals are settled call by call. */
  #fail(what: 'calls' | 'uploads', error: unknown, returns: number): void {
    if (!(error instanceof Unreachable)) this.#deps.noteTrouble(error);
    // The way broke and came back meanwhile: waiting for what is over would only be waiting.
    if (returns !== this.#returns) return;
    this.#wait(what, null);
  }

  /** Nothing of this kind leaves for `ms`, or for longer with each failure. */
  #wait(what: 'calls' | 'uploads', ms: number | null): void {
    const { environment } = this.#deps;
    const failures = this.#patience[what].failures + 1;
    const wait = ms ?? backoff(failures, environment.random());
    this.#patience[what] = { failures, notBefore: environment.monotonic() + wait };
  }

  /** What may have reached the server is asked for first: its keys are a fraction of the calls (OUTBOX-23). */
  async #sendCalls(ready: OutboxCall[]): Promise<void> {
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
    await this.#settle(done, token);
    for (const { id } of asked) this.#unanswered.delete(id);
    this.#patience.calls = newPatience();
  }

  async #sendBatch(ready: OutboxCall[]): Promise<void> {
    const { environment, connection } = this.#deps;
    const batch = await this.#claim(this.#fitting(ready));
    if (batch.length === 0) return;
    const open = new Map(batch.map((call) => [call.id, call]));
    const calls = batch.map((call) => this.#onTheWire(call));
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
      this.#patience.calls = newPatience();
      this.#mostCalls = batchLimits.calls;
    } catch (error) {
      const isTooLarge = error instanceof ForeignAnswer && error.said.status === 413;
      if (isTooLarge && this.#pace.tooLarge(bytes) && batch.length > 1) return;
      for (const id of open.keys()) this.#unanswered.add(id);
      this.#pace.unanswered(environment.monotonic() - begunAt);
      throw error;
    } finally {
      await this.#giveBack([...open.values()]);
    }
  }

  /**
   * Settles the answers to a batch while more of them come in: what came meanwhile is settled together (OUTBOX-42). Takes what
   * is settled out of `open`.
   * @throws ForeignAnswer when an answer is missing
   */
  async #readAnswers(
    answering: Answering,
    open: Map<string, OutboxCall>,
    token: string | null,
  ): Promise<void> {
    const { connection } = this.#deps;
    const unanswered = new Map(open);
    const arrived: Answered[] = [];
    const settleArrived = async (): Promise<void> => {
      while (arrived.length > 0) {
        const group = arrived.splice(0);
        await this.#settle(group, token);
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
        // After a failure nothing more is settled: it is the failure of the batch, below.
        settling.catch(() => undefined);
      }
    } finally {
      await settling;
    }
    if (unanswered.size > 0) throw connection.foreign(answering);
  }

  /** A batch refused as a whole is halved until the call that spoils it stands alone (OUTBOX-6). */
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

  /** No call was run: the mirror is loaded anew first (OUTBOX-33). */
  #otherHistory(): void {
    this.#deps.noteOtherHistory();
    this.#wait('calls', null);
  }

  #pause(answer: Answer): void {
    const wait = retryAfter(answer.headers, this.#deps.environment.now());
    this.#wait('calls', wait);
    if (wait !== null) this.#deps.connection.askedToWait(wait);
  }

  async #sendUpload(ready: OutboxCall): Promise<void> {
    const [call] = await this.#claim([ready]);
    if (call === undefined || call.fileId === null) return;
    let isOpen = true;
    const { token } = this.#deps.connection;
    try {
      const answer = await this.#uploads.send(call, call.fileId, this.#onTheWire(call));
      await this.#settle([{ call, answer }], token);
      isOpen = false;
      this.#patience.uploads = newPatience();
    } finally {
      if (isOpen) await this.#giveBack([call]);
    }
  }

  /** `token`: with which they were asked for. */
  async #settle(answered: readonly Answered[], token: string | null): Promise<void> {
    const { environment, connection } = this.#deps;
    if (answered.some(({ answer }) => verdictOf(answer.status) === 'sign-in')) this.#deps.noteExpired(token);
    await this.#deps.responseHandler.settleAll(answered);
    for (const { answer } of answered) {
      const wait =
        verdictOf(answer.status) === 'again' ? retryAfter(answer.headers, environment.now()) : null;
      if (wait !== null) connection.askedToWait(wait);
    }
  }

  /** Marks calls as being sent; leaves out what another tab changed meanwhile, and what is not this person's (OUTBOX-13). */
  async #claim(ready: OutboxCall[]): Promise<OutboxCall[]> {
    let claimed: OutboxCall[] = [];
    await this.#deps.outbox.update((present) => {
      // What joined a call since it was chosen may need a file that is not there yet.
      const { calls, uploads } = nextBatch(present, this.#deps.steadyNow(), batchLimits.calls);
      const leaving = new Map([...calls, ...uploads].map((call) => [call.id, call]));
      claimed = ready
        .flatMap(({ id }) => leaving.get(id) ?? [])
        .filter(({ userid }) => userid === this.#deps.userid)
        .map((call) => ({ ...call, state: 'sending', tries: call.tries + 1 }));
      return { put: claimed };
    });
    return claimed;
  }

  /** The answer did not come: back to the queue, with a key that makes a second delivery harmless. */
  async #giveBack(calls: OutboxCall[]): Promise<void> {
    if (calls.length === 0) return;
    await this.#deps.outbox.update((present) => ({
      put: calls
        .flatMap(({ id }) => present.get(id) ?? [])
        .filter(({ state }) => state === 'sending')
        .map((call) => ({ ...call, state: 'queued' })),
    }));
  }

  #fitting(ready: OutboxCall[]): OutboxCall[] {
    let bytes = 0;
    const fitting: OutboxCall[] = [];
    for (const call of ready.slice(0, this.#mostCalls)) {
      bytes += bytesOf(JSON.stringify(this.#onTheWire(call)));
      // The braces and the protocol number take a few bytes too.
      if (fitting.length > 0 && bytes > this.#pace.bytes - 1024) break;
      fitting.push(call);
    }
    return fitting;
  }

  /**
   * The call with the ids of the server, but for files: answers to uploads tell no place of the feed, so a restore in
   * between may have given a file's number away. The server knows what it made under the temporary id (OUTBOX-34).
   */
  #onTheWire(call: OutboxCall): BatchCall {
    const { connection, outbox } = this.#deps;
    const named = withRealIds(call, (temporary) => outbox.realId(temporary), fileFields);
    return wireCall(named, connection.protocol);
  }
}

/** Whether a refusal of a whole batch says something of the moment, not of the calls. */
function isForAll(status: number): boolean {
  const verdict = verdictOf(status);
  return verdict === 'sign-in' || verdict === 'again';
}

/** Whether only what waits in the outbox is asked for at a path. */
function isOfOutbox(path: string): boolean {
  return /^\/api\/|^\/sync\/1\/(batch|answers|uploads)/.test(path);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Failures in a row, and the moment before which nothing is sent: monotonic ms, since clocks are set. */
function newPatience(): { failures: number; notBefore: number } {
  return { failures: 0, notBefore: 0 };
}
