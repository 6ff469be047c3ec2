import { busy } from '#server/platform/fair-queue.ts';

import { type Caller, tooMuch } from './in-flight.ts';
import type { Limits } from './limits.ts';

const retryAfterSeconds = 5;

type AnswerLimits = Pick<Limits, 'answerBytesOfCaller' | 'answerBytes'>;

/** Limits the bytes of unread answers: of each caller, and of all. */
export class UnreadAnswers {
  readonly #limits: AnswerLimits;
  readonly #bytes = new Map<string, number>();
  #all = 0;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
  }

  /** @throws Problem 429 when too much of what the caller asked for waits to be read */
  mustHaveRead({ name }: Caller): void {
    if ((this.#bytes.get(name) ?? 0) >= this.#limits.answerBytesOfCaller) throw tooMuch();
  }

  /**
   * Counts an answer of `bytes` until the returned function is called. The answer that exceeds the limit is the last
   * one accepted.
   * @throws Problem 429 when too much of what the caller requested is waiting to be read, 503 when the total is too
   * much
   */
  hold(caller: Caller, bytes: number): () => void {
    this.mustHaveRead(caller);
    if (this.#all >= this.#limits.answerBytes) throw busy(retryAfterSeconds);
    this.#add(caller.name, bytes);
    return () => this.#add(caller.name, -bytes);
  }

  #add(name: string, bytes: number): void {
    this.#all += bytes;
    const left = (this.#bytes.get(name) ?? 0) + bytes;
    if (left === 0) this.#bytes.delete(name);
    else this.#bytes.set(name, left);
  }
}
