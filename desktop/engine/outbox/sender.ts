import type { Subscription } from 'rxjs';

import {
  batchLimits,
  batchResult,
  feedHead,
  protocolVersion,
  type BatchCall,
  type BatchResult,
} from '#shared/sync/wire.ts';

import type { ByteSource } from '#shared/omanual/source.ts';

import type { Journal } from '../journal/journal.ts';
import { Unreachable, type Answering, type Link } from '../link.ts';
import type { Environment, OutboxCall } from '../ports.ts';
import { backoff, retryAfter, type Answer } from './answers.ts';
import { apiAnswer } from './api-answer.ts';
import { departure } from './lanes.ts';
import { wireCall } from './offer-again.ts';
import type { JournaledOutbox } from './outbox.ts';
import type { Settler } from './settler.ts';
import { withRealIds } from './temporary-ids.ts';
import { UploadSender } from './upload-sender.ts';

export interface SenderWorld {
  environment: Environment;
  link: Link;
  outbox: JournaledOutbox;
  settler: Settler;
  journal: Journal;
  /** The file of an archive that a call names; null when this device does not have it any more. */
  archive(fileId: string): Promise<ByteSource | null>;
  userid: number;
  /** Whether there is a sign-in to send under. */
  maySend(): boolean;
  /** The token was refused: sending waits for sign-in. */
  noteExpired(): void;
  noteTrouble: (error: unknown) => void;
}

/** Sends what waits in the outbox, in the leading tab only. Rules O3 to O7 of README.md. */
export class Sender {
  readonly #world: SenderWorld;
  readonly #uploads: UploadSender;
  readonly #subscriptions: Subscription[] = [];
  #running = new Set<'calls' | 'uploads'>();
  #cancelTimer: (() => void) | null = null;
  #failures = 0;
  /** How often the way to the server has come back. */
  #returns = 0;
  #notBefore = 0;
  #mostCalls: number = batchLimits.calls;
  #stopped = true;
  #busy: Promise<unknown> = Promise.resolve();

  constructor(world: SenderWorld) {
    this.#world = world;
    this.#uploads = new UploadSender({ ...world, readAnswer: (answering) => this.#toAnswer(answering) });
  }

  /** Takes over: what an earlier leader was sending when it died is sent again, under the same key. */
  async start(): Promise<void> {
    const { outbox, link } = this.#world;
    await outbox.update((calls) => ({
      put: calls.filter(isSending).map((call) => ({ ...call, state: 'queued' })),
    }));
    this.#stopped = false;
    this.#subscriptions.push(
      outbox.calls.subscribe(() => this.#schedule(0)),
      link.online.subscribe((online) => online && this.now()),
    );
  }

  /** Tries now, whatever the backoff says. */
  now(): void {
    this.#returns += 1;
    this.#failures = 0;
    this.#notBefore = 0;
    void this.#world.outbox
      .update((calls) => ({
        put: calls
          .filter((call) => call.state === 'queued' && call.nextTryAt > 0)
          .map((call) => ({ ...call, nextTryAt: 0 })),
      }))
      .catch(this.#world.noteTrouble);
    this.#schedule(0);
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
    this.#cancelTimer = this.#world.environment.setTimer(() => this.#depart(), ms);
  }

  #depart(): void {
    this.#cancelTimer = null;
    const { environment, outbox } = this.#world;
    const now = environment.now();
    if (this.#stopped || !this.#world.maySend()) return;
    if (now < this.#notBefore) return this.#schedule(this.#notBefore - now);
    // Left over when a result could not be stored: the server is asked again under the same key.
    const stranded = this.#running.size === 0 ? outbox.present().filter(isSending) : [];
    if (stranded.length > 0) return this.#run('calls', () => this.#giveBack(stranded));
    const { calls, uploads, nextAt } = departure(outbox.present(), now);
    if (calls.length > 0) this.#run('calls', () => this.#sendBatch(calls));
    if (uploads.length > 0) this.#run('uploads', () => this.#sendUpload(uploads[0] as OutboxCall));
    // A long upload must not hold back what only waits for its time.
    if (nextAt !== null) this.#schedule(nextAt - now);
  }

  #run(what: 'calls' | 'uploads', work: () => Promise<void>): void {
    if (this.#running.has(what)) return;
    this.#running.add(what);
    const returns = this.#returns;
    const run = work()
      .catch((error: unknown) => this.#fail(error, returns))
      .finally(() => {
        this.#running.delete(what);
        this.#schedule(0);
      });
    this.#busy = Promise.allSettled([this.#busy, run]);
  }

  /** Only a failure of the way or of the device comes here; refusals are settled call by call. */
  #fail(error: unknown, returns: number): void {
    const { environment } = this.#world;
    if (!(error instanceof Unreachable)) this.#world.noteTrouble(error);
    // The way broke and came back meanwhile: waiting for what is over would only be waiting.
    if (returns !== this.#returns) return;
    this.#failures += 1;
    this.#notBefore = environment.now() + backoff(this.#failures, environment.random());
  }

  async #sendBatch(ready: OutboxCall[]): Promise<void> {
    const batch = await this.#claim(this.#fitting(ready));
    if (batch.length === 0) return;
    const open = new Map(batch.map((call) => [call.id, call]));
    try {
      const calls = batch.map((call) => this.#onTheWire(call));
      const answering = await this.#world.link.request(
        '/sync/1/batch',
        {
          method: 'POST',
          body: JSON.stringify({ protocol: protocolVersion, calls }),
          headers: { 'Content-Type': 'application/json' },
        },
        60_000,
      );
      if (!answering.response.ok) return await this.#wholeBatchRefused(answering, batch);
      for await (const result of this.#results(answering)) {
        const call = open.get(result.id);
        if (call === undefined) continue;
        await this.#settle(call, result);
        open.delete(result.id);
      }
      if (open.size > 0) throw new Unreachable('The answer left calls out');
      this.#failures = 0;
      this.#mostCalls = batchLimits.calls;
    } finally {
      await this.#giveBack([...open.values()]);
    }
  }

  async *#results(answering: Answering): AsyncGenerator<BatchResult> {
    let isHead = true;
    for await (const line of this.#world.link.lines(answering)) {
      if (line === '') continue;
      if (isHead) this.#world.link.learnNow(feedHead.parse(JSON.parse(line)).now, answering);
      else yield batchResult.parse(JSON.parse(line)) as BatchResult;
      isHead = false;
    }
  }

  /** A batch refused as a whole is halved until the call that spoils it stands alone (O6). */
  async #wholeBatchRefused(answering: Answering, batch: OutboxCall[]): Promise<void> {
    const { response } = answering;
    const answer = await this.#toAnswer(answering);
    const concernsAll =
      response.status === 401 ||
      response.status === 408 ||
      response.status === 425 ||
      response.status === 429 ||
      response.status >= 500;
    if (concernsAll || batch.length === 1) {
      for (const call of batch) await this.#settle(call, answer);
      if (concernsAll && response.status !== 401) this.#pause(answer);
      return;
    }
    this.#mostCalls = Math.ceil(batch.length / 2);
  }

  #pause(answer: Answer): void {
    const { environment } = this.#world;
    this.#failures += 1;
    const wait =
      retryAfter(answer.headers, environment.now()) ?? backoff(this.#failures, environment.random());
    this.#notBefore = environment.now() + wait;
  }

  async #sendUpload(ready: OutboxCall): Promise<void> {
    const [call] = await this.#claim([ready]);
    if (call === undefined || call.fileId === null) return;
    let isOpen = true;
    try {
      await this.#settle(call, await this.#uploads.send(call, call.fileId, this.#onTheWire(call)));
      isOpen = false;
      this.#failures = 0;
    } finally {
      if (isOpen) await this.#giveBack([call]);
    }
  }

  async #toAnswer(answering: Answering): Promise<Answer> {
    const lines: string[] = [];
    for await (const line of this.#world.link.lines(answering)) lines.push(line);
    return apiAnswer(answering.response, lines.join('\n'));
  }

  async #settle(call: OutboxCall, answer: Answer): Promise<void> {
    if (answer.status === 401) this.#world.noteExpired();
    await this.#world.settler.settle(call, answer);
  }

  /** Marks calls as being sent; leaves out what another tab changed meanwhile, and what is not this person's (O13). */
  async #claim(ready: OutboxCall[]): Promise<OutboxCall[]> {
    let claimed: OutboxCall[] = [];
    await this.#world.outbox.update((calls) => {
      const stillReady = new Set(ready.map(({ id }) => id));
      claimed = calls
        .filter(
          (call) => stillReady.has(call.id) && call.state === 'queued' && call.userid === this.#world.userid,
        )
        .map((call) => ({ ...call, state: 'sending', tries: call.tries + 1 }));
      return { put: claimed };
    });
    return claimed;
  }

  /** The answer did not come: back to the queue, with a key that makes a second delivery harmless. */
  async #giveBack(calls: OutboxCall[]): Promise<void> {
    if (calls.length === 0) return;
    const ids = new Set(calls.map(({ id }) => id));
    await this.#world.outbox.update((present) => ({
      put: present
        .filter((call) => ids.has(call.id) && isSending(call))
        .map((call) => ({ ...call, state: 'queued' })),
    }));
  }

  #fitting(ready: OutboxCall[]): OutboxCall[] {
    let bytes = 0;
    const fitting: OutboxCall[] = [];
    for (const call of ready.slice(0, this.#mostCalls)) {
      bytes += new TextEncoder().encode(JSON.stringify(this.#onTheWire(call))).length;
      // The braces and the protocol number take a few bytes too.
      if (fitting.length > 0 && bytes > batchLimits.bytes - 1024) break;
      fitting.push(call);
    }
    return fitting;
  }

  #onTheWire(call: OutboxCall): BatchCall {
    return wireCall(withRealIds(call, (temporary) => this.#world.outbox.realId(temporary)));
  }
}

function isSending(call: OutboxCall): boolean {
  return call.state === 'sending';
}
