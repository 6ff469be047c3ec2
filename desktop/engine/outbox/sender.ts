import type { Subscription } from 'rxjs';

import type { ByteSource } from '#shared/formats/omanual/source.ts';
import { batchLimits } from '#shared/sync/wire.ts';

import type { Journal } from '../journal/journal.ts';
import { Backoff } from '../platform/backoff.ts';
import type { Environment, OutboxCall } from '../platform/ports.ts';
import { Unreachable } from '../sync/connection-errors.ts';
import type { TroubleNotes } from '../sync/troubles.ts';
import { apiAnswer } from './api-answer.ts';
import { BatchSender } from './batch-sender.ts';
import { InFlight, type InFlightDeps } from './in-flight.ts';
import { nextBatch } from './lanes.ts';
import { UploadSender } from './upload-sender.ts';

export interface SenderDeps extends TroubleNotes, InFlightDeps {
  environment: Environment;
  journal: Journal;
  /** The file of an archive that a call names; null when this device does not have it any more. */
  archive(fileId: string): Promise<ByteSource | null>;
  /** Whether somebody is signed in and the server is known. */
  maySend(): boolean;
  /** The server does not know a checkpoint that this device saw. */
  noteOtherHistory(): void;
}

/** Calls that are sent in batches, and calls with a file. A wait of one kind does not hold back the other. */
type Kind = 'calls' | 'uploads';

/** Decides when waiting calls are sent, in the leading tab only. Rules OUTBOX-3 to OUTBOX-7 of README.md. */
export class Sender {
  readonly #deps: SenderDeps;
  readonly #inFlight: InFlight;
  readonly #batches: BatchSender;
  readonly #uploads: UploadSender;
  readonly #backoff: Readonly<Record<Kind, Backoff>>;
  readonly #subscriptions: Subscription[] = [];
  #running = new Set<Kind>();
  #cancelTimer: (() => void) | null = null;
  /** How often waits were ended because the server can be reached again. */
  #returns = 0;
  #stopped = true;
  #busy: Promise<unknown> = Promise.resolve();
  #calls: Promise<unknown> = Promise.resolve();

  constructor(deps: SenderDeps) {
    const { environment, connection } = deps;
    this.#deps = deps;
    this.#backoff = { calls: new Backoff(environment), uploads: new Backoff(environment) };
    this.#inFlight = new InFlight(deps);
    this.#batches = new BatchSender({ ...deps, inFlight: this.#inFlight, backoff: this.#backoff.calls });
    this.#uploads = new UploadSender({
      ...deps,
      readAnswer: (answering, result) => apiAnswer(connection, answering, result),
    });
  }

  /** Begins to send. Calls that an earlier leading tab was sending when it died are sent again, under the same key. */
  async start(): Promise<void> {
    const { outbox, connection } = this.#deps;
    // If a full disk prevents this, `#depart` does it before it sends anything.
    await outbox
      .update((calls) => ({
        put: calls.inState('sending').map((call) => ({ ...call, state: 'queued' })),
      }))
      .catch(this.#deps.noteTrouble);
    const tried = outbox.present().filter(({ tries }) => tries > 0);
    this.#batches.noteUnanswered(tried.map(({ id }) => id));
    this.#stopped = false;
    this.#subscriptions.push(
      outbox.calls.subscribe(() => this.#schedule(0)),
      connection.online.subscribe((online) => {
        if (!online) return;
        this.#batches.forgetCeiling();
        this.now();
      }),
    );
  }

  /** Ends all waits and sends now. */
  now(): void {
    this.#returns += 1;
    this.#backoff.calls.reset();
    this.#backoff.uploads.reset();
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

  /** Resolves when no batch is on its way any more; uploads may be. */
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
    const { outbox } = this.#deps;
    if (this.#stopped || !this.#deps.maySend()) return;
    // Remains when a result could not be stored: the server is asked again under the same key.
    const stranded = this.#running.size === 0 ? outbox.index.inState('sending') : [];
    if (stranded.length > 0) {
      const wait = this.#backoff.calls.remaining;
      if (wait > 0) return this.#schedule(wait);
      return this.#run('calls', () => this.#inFlight.giveBack(stranded));
    }
    const now = this.#deps.steadyNow();
    const { calls, uploads, nextAt } = nextBatch(outbox.index, now, batchLimits.calls);
    if (outbox.index.count('queued') + outbox.index.count('sending') === 0)
      this.#deps.connection.forget(isOfOutbox);
    const waits = nextAt === null ? [] : [nextAt - now];
    const go = (kind: Kind, work: () => Promise<void>): void => {
      const wait = this.#backoff[kind].remaining;
      if (wait > 0) waits.push(wait);
      else this.#run(kind, work);
    };
    if (calls.length > 0) go('calls', () => this.#batches.send(calls));
    const [upload] = uploads;
    if (calls.length === 0 && upload === undefined && this.#running.size === 0) this.#deps.noteSuccess();
    if (upload !== undefined) go('uploads', () => this.#sendUpload(upload));
    // A long upload must not hold back calls that only wait for their time.
    if (waits.length > 0) this.#schedule(Math.min(...waits));
  }

  #run(kind: Kind, work: () => Promise<void>): void {
    if (this.#running.has(kind)) return;
    this.#running.add(kind);
    const returns = this.#returns;
    const run = work()
      .then(() => this.#noteSuccess())
      .catch((error: unknown) => this.#fail(kind, error, returns))
      .finally(() => {
        this.#running.delete(kind);
        this.#schedule(0);
      });
    if (kind === 'calls') this.#calls = run;
    this.#busy = Promise.allSettled([this.#busy, run]);
  }

  /** The success of one kind does not end the trouble of the other. */
  #noteSuccess(): void {
    const { calls, uploads } = this.#backoff;
    if (!calls.isWaiting && !uploads.isWaiting) this.#deps.noteSuccess();
  }

  /** Handles failures of the network or of the device; refusals are settled for each call. */
  #fail(kind: Kind, error: unknown, returns: number): void {
    if (!(error instanceof Unreachable)) this.#deps.noteTrouble(error);
    // The server can be reached again since this began: there is no reason to wait.
    if (returns !== this.#returns) return;
    this.#backoff[kind].failed();
  }

  async #sendUpload(ready: OutboxCall): Promise<void> {
    const [call] = await this.#inFlight.claim([ready]);
    if (call === undefined || call.fileId === null) return;
    let isOpen = true;
    const { token } = this.#deps.connection;
    try {
      const answer = await this.#uploads.send(call, call.fileId, this.#inFlight.onTheWire(call));
      await this.#inFlight.settle([{ call, answer }], token);
      isOpen = false;
      this.#backoff.uploads.reset();
    } finally {
      if (isOpen) await this.#inFlight.giveBack([call]);
    }
  }
}

/** Whether only waiting calls request this path. */
function isOfOutbox(path: string): boolean {
  return /^\/api\/|^\/sync\/1\/(batch|answers|uploads)/.test(path);
}
