import { EndableWait } from './endable-wait.ts';
import type { Environment } from './ports.ts';

/** Longest wait that a server can ask for, in ms. */
export const longestWait = 15 * 60_000;

/** Milliseconds of a `Retry-After` header (seconds or a date), at most `longestWait`; null without one. */
export function retryAfter(headers: Record<string, string>, now: number): number | null {
  const text = headers['retry-after'] ?? headers['Retry-After'];
  if (text === undefined) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.min(longestWait, Math.max(0, ms));
}

/**
 * Wait in ms before the next attempt: it doubles with each failure up to 30 s. Half of it is jitter (`random` in [0, 1)),
 * so that devices do not all return at the same moment.
 */
export function backoff(tries: number, random: number): number {
  const whole = Math.min(30_000, 1000 * 2 ** Math.min(tries, 10));
  return Math.round(whole / 2 + (whole / 2) * random);
}

/** Counts failures in a row of one kind of work, and knows how long the next attempt must wait. */
export class Backoff {
  readonly #environment: Pick<Environment, 'monotonic' | 'random'>;
  #failures = 0;
  /** Monotonic ms, since the clock of the device can be set. */
  #notBefore = 0;

  constructor(environment: Pick<Environment, 'monotonic' | 'random'>) {
    this.#environment = environment;
  }

  /** Whether the last attempt failed. */
  get isWaiting(): boolean {
    return this.#failures > 0;
  }

  /** Ms until the next attempt may begin; 0 or less: now. */
  get remaining(): number {
    return this.#notBefore - this.#environment.monotonic();
  }

  /** An attempt failed. The next one waits for `ms`; null: for a time that grows with each failure. */
  failed(ms: number | null = null): void {
    this.#failures += 1;
    const wait = ms ?? backoff(this.#failures, this.#environment.random());
    this.#notBefore = this.#environment.monotonic() + wait;
  }

  /** An attempt succeeded, or the reason for waiting is gone. */
  reset(): void {
    this.#failures = 0;
    this.#notBefore = 0;
  }
}

/** Repeats work after growing waits until it succeeds. */
export class RetryLoop {
  readonly #environment: Pick<Environment, 'random'>;
  readonly #notes: { noteTrouble: (error: unknown) => void; noteSuccess: () => void };
  readonly #pause: EndableWait;
  #isClosed = false;

  constructor(
    environment: Pick<Environment, 'random' | 'setTimer'>,
    notes: { noteTrouble: (error: unknown) => void; noteSuccess: () => void },
  ) {
    this.#environment = environment;
    this.#notes = notes;
    this.#pause = new EndableWait(environment);
  }

  /** Resolves when `work` has succeeded, or after `close`. Each failure is noted as trouble. */
  async run(work: () => Promise<void>): Promise<void> {
    for (let failures = 1; !this.#isClosed; failures += 1) {
      try {
        await work();
        return this.#notes.noteSuccess();
      } catch (error) {
        if (this.#isClosed) return;
        this.#notes.noteTrouble(error);
        await this.#pause.for(backoff(failures, this.#environment.random()));
      }
    }
  }

  /** Ends the present wait. */
  now(): void {
    this.#pause.end();
  }

  close(): void {
    this.#isClosed = true;
    this.#pause.end();
  }
}
