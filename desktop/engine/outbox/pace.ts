import { batchLimits } from '#shared/sync/wire.ts';

/** Intended time from sending a batch to its last answer, ms. */
const aim = 10_000;
/** Bytes of the first batch over an unknown connection: 2 s at 16 KB/s. */
const first = 32 * 1024;
/** Smallest batch, bytes: smaller ones would only add round trips. */
const least = 1024;
/** Largest growth from one batch to the next, since one measurement may be an outlier. */
const growth = 8;
/** A failed attempt that was shorter than this says nothing about the speed: there was no connection, ms. */
const telling = 5000;

/** Sizes batches so that each is answered in about ten seconds (OUTBOX-24). */
export class Pace {
  #bytes = first;
  /** Largest body that everything between device and server accepts, bytes. */
  #ceiling = batchLimits.bytes;

  /** Most bytes of the next batch; a single call may be larger. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A batch of `bytes` was answered completely, `ms` after it began. */
  answered(bytes: number, ms: number): void {
    // A batch that was small because few calls waited measures the round trip, not the speed.
    if (bytes < this.#bytes / 2 && ms < aim) return;
    const fits = (bytes / Math.max(1, ms)) * aim;
    // Calls cannot be divided: a batch may be smaller than the limit because the next call did not fit.
    const more = ms < aim * 0.8 ? this.#bytes * 1.25 : 0;
    this.#set(Math.min(Math.max(fits, more), this.#bytes * growth));
  }

  /** A batch got no answer; it failed `ms` after it began. */
  unanswered(ms: number): void {
    if (ms >= telling) this.#set(this.#bytes / 2);
  }

  /** A body of `bytes` was refused as too large (413). Returns whether a smaller one can be tried. */
  tooLarge(bytes: number): boolean {
    this.#ceiling = Math.max(least, Math.min(this.#ceiling, bytes / 2));
    this.#set(this.#ceiling);
    return bytes > least;
  }

  /** The device may have another connection now: larger bodies are tried again. */
  forgetCeiling(): void {
    this.#ceiling = batchLimits.bytes;
  }

  #set(bytes: number): void {
    this.#bytes = Math.round(Math.max(least, Math.min(this.#ceiling, bytes)));
  }
}
