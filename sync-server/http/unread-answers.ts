import { busy } from '#server/platform/fair-queue.ts';

import { type Caller, tooMuch } from './in-flight.ts';
import type { Limits } from './limits.ts';

const retryAfterSeconds = 5;

type AnswerLimits = Pick<Limits, 'answerBytesOfCaller' | 'answerBytes'>;

/**
 * Limits the bytes of unread responses.
 *
 * - LOAD-15 For one device, or one address without a token, up to 64 MB of responses can wait to be read (429 beyond
 *   that); in total 512 MB (503). Cached responses are in memory only once and do not count.
 */
export class UnreadAnswers {
  readonly #limits: AnswerLimits;
  readonly #bytes = new Map<string, number>();
  #all = 0;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
  }

  /** @throws Problem 429 if the caller has too many unread bytes */
  mustHaveRead({ name }: Caller): void {
    if ((this.#bytes.get(name) ?? 0) >= this.#limits.answerBytesOfCaller) throw tooMuch();
  }

  /**
   * Counts a response of `bytes` until the returned function is called. The response that exceeds the limit is the
   * last one accepted.
   * @throws Problem 429 if the caller has too many unread bytes, 503 if the total is too high
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
