/** Time that is advanced by the caller: from one timer to the next, in a deterministic order. */
export class EventTime {
  readonly #timers = new Map<number, { at: number; run: () => void }>();
  readonly #began: number;
  #now: number;
  #last = 0;
  /** Wall clock minus passed time, ms. */
  #wallOffset = 0;

  constructor(now: number) {
    this.#now = now;
    this.#began = now;
  }

  /** True time, ms since 1970. */
  now(): number {
    return this.#now;
  }

  /** Wall clock, ms since 1970. */
  wall(): number {
    return this.#now + this.#wallOffset;
  }

  monotonic(): number {
    return this.#now - this.#began;
  }

  /** Sets the wall clock. */
  setWall(offset: number): void {
    this.#wallOffset = offset;
  }

  /** Returns a function that cancels the timer. */
  setTimer(run: () => void, ms: number): () => void {
    const id = (this.#last += 1);
    this.#timers.set(id, { at: this.#now + Math.max(0, Math.min(ms, 2 ** 31 - 1)), run });
    return () => this.#timers.delete(id);
  }

  /** Due time of the next timer; null: none. */
  nextAt(): number | null {
    let next: number | null = null;
    for (const { at } of this.#timers.values()) if (next === null || at < next) next = at;
    return next;
  }

  /** Advances to the next timer due by `until`, and runs it. False: none. */
  runNext(until: number): boolean {
    let found: number | null = null;
    let foundAt = Infinity;
    for (const [id, { at }] of this.#timers) if (at <= until && at < foundAt) [found, foundAt] = [id, at];
    const timer = found === null ? undefined : this.#timers.get(found);
    if (found === null || timer === undefined) return false;
    this.#timers.delete(found);
    this.#now = Math.max(this.#now, timer.at);
    timer.run();
    return true;
  }

  /** Lets time pass without running timers: timers due by then run afterwards. */
  passTo(now: number): void {
    this.#now = Math.max(this.#now, now);
  }

  /** The device was switched off at `now`: cancels all timers. */
  clear(now: number): void {
    this.#timers.clear();
    this.#now = now;
  }
}
