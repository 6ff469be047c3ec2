/** Time that moves only when somebody moves it: from one timer to the next, in an order that is always the same. */
export class EventTime {
  readonly #timers = new Map<number, { at: number; run: () => void }>();
  readonly #began: number;
  #now: number;
  #last = 0;
  /** What the wall clock shows beyond the time that passed, ms. */
  #wallOffset = 0;

  constructor(now: number) {
    this.#now = now;
    this.#began = now;
  }

  /** True time, ms since 1970. */
  now(): number {
    return this.#now;
  }

  /** What the wall clock shows, ms since 1970. */
  wall(): number {
    return this.#now + this.#wallOffset;
  }

  monotonic(): number {
    return this.#now - this.#began;
  }

  /** Somebody sets the wall clock. */
  setWall(offset: number): void {
    this.#wallOffset = offset;
  }

  /** Returns the function that takes the timer away. */
  setTimer(run: () => void, ms: number): () => void {
    const id = (this.#last += 1);
    this.#timers.set(id, { at: this.#now + Math.max(0, Math.min(ms, 2 ** 31 - 1)), run });
    return () => this.#timers.delete(id);
  }

  /** When the next timer is due; null: there is none. */
  nextAt(): number | null {
    let next: number | null = null;
    for (const { at } of this.#timers.values()) if (next === null || at < next) next = at;
    return next;
  }

  /** Moves on to the next timer that is due at or before `until`, and runs it. False: there is none. */
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

  /** Lets time pass without anything that happens in it: timers that are due by then run afterwards. */
  passTo(now: number): void {
    this.#now = Math.max(this.#now, now);
  }

  /** The device was switched off at `now`: nothing that waited for a time waits any more. */
  clear(now: number): void {
    this.#timers.clear();
    this.#now = now;
  }
}
