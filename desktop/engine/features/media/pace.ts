/** How long the last files count, ms. */
const spanMs = 60_000;
/** After a break of this length, the pace is measured anew, ms. */
const breakMs = 15_000;
/** Shortest time from which a pace follows, ms. */
const shortMs = 4000;

/**
 * How fast files are loaded.
 *
 * - CARRY-8 The time that is left follows from the last minute. It is not told after a break, nor in the first seconds.
 */
export class Pace {
  readonly #monotonic: () => number;
  #loaded: { at: number; bytes: number }[] = [];
  #began = 0;

  /** `monotonic`: ms that never go back. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** A file was loaded. */
  note(bytes: number): void {
    const at = this.#monotonic();
    const last = this.#loaded.at(-1)?.at;
    if (last === undefined || at - last > breakMs) {
      this.#loaded = [];
      this.#began = at;
    }
    this.#loaded.push({ at, bytes });
    if (at - this.#began <= spanMs) return;
    this.#loaded = this.#loaded.filter((one) => at - one.at <= spanMs);
    this.#began = at - spanMs;
  }

  /** Time until so many bytes are loaded, ms; null while nothing is known. */
  remaining(bytes: number): number | null {
    const now = this.#monotonic();
    const last = this.#loaded.at(-1)?.at ?? -Infinity;
    const elapsed = now - this.#began;
    if (now - last > breakMs || elapsed < shortMs) return null;
    const loaded = this.#loaded.reduce((sum, one) => sum + one.bytes, 0);
    return loaded === 0 ? null : Math.round((bytes / loaded) * elapsed);
  }
}
