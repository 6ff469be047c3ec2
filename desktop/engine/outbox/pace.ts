import { batchLimits } from '#shared/sync/wire.ts';

/** A batch is to take about so long, ms. */
const aim = 10_000;
/** What is sent over a link of which nothing is known: 2 s at 16 KB/s. */
const first = 32 * 1024;
/** Smaller batches would only add round trips. */
const least = 1024;
/** A batch is at most so many times as large as the one before: one good measurement is not trusted too far. */
const growth = 8;
/** An attempt that ended sooner tells nothing about the speed of the link: there was none, ms. */
const telling = 5000;

/** How many bytes a batch may have, so that it is answered in about ten seconds. */
export class Pace {
  #bytes = first;
  /** Beyond this something on the way takes no body. */
  #ceiling = batchLimits.bytes;

  /** Most bytes of the next batch; a single call goes whatever its size. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A batch of `bytes` was answered whole, `ms` after it was begun. */
  answered(bytes: number, ms: number): void {
    // What was small for want of calls measures the round trip, not the speed.
    if (bytes < this.#bytes / 2 && ms < aim) return;
    const fits = (bytes / Math.max(1, ms)) * aim;
    // Calls are of one piece: a batch may stay below what would fit because one more did not.
    const more = ms < aim * 0.8 ? this.#bytes * 1.25 : 0;
    this.#set(Math.min(Math.max(fits, more), this.#bytes * growth));
  }

  /** A batch got no answer, `ms` after it was begun. */
  unanswered(ms: number): void {
    if (ms >= telling) this.#set(this.#bytes / 2);
  }

  /** Something on the way takes no body of `bytes`. Returns whether a smaller one can be tried. */
  tooLarge(bytes: number): boolean {
    this.#ceiling = Math.max(least, Math.min(this.#ceiling, bytes / 2));
    this.#set(this.#ceiling);
    return bytes > least;
  }

  /** The device is on another way to the server. */
  forgetCeiling(): void {
    this.#ceiling = batchLimits.bytes;
  }

  #set(bytes: number): void {
    this.#bytes = Math.round(Math.max(least, Math.min(this.#ceiling, bytes)));
  }
}
