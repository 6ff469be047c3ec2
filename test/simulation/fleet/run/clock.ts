/** Start of every run, virtual ms since 1970. */
const began = Date.UTC(2026, 0, 5, 8);

/** The virtual time of a run. */
export class Clock {
  #now = began;

  /** Virtual ms since 1970. */
  get now(): number {
    return this.#now;
  }

  /** Virtual ms since the start. */
  get passed(): number {
    return this.#now - began;
  }

  pass(ms: number): void {
    this.#now += ms;
  }

  /** Passes to a time, unless it is over. */
  passTo(now: number): void {
    this.#now = Math.max(this.#now, now);
  }

  /** Returns to an earlier time: the next device runs through the same period. */
  returnTo(now: number): void {
    this.#now = now;
  }
}
