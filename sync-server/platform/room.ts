/**
 * A limited amount of memory or another resource. Callers take turns, each in the order of its requests. The next
 * request waits until enough is free, so that a large request is not delayed by many small ones. Not p-limit or
 * p-queue, because they count pieces of work, not their size, and have one queue for all callers.
 */
export class Room {
  readonly #all: number;
  #free: number;
  /** Waiting requests, by caller. The caller whose turn is next comes first. */
  readonly #lines = new Map<string, { size: number; start: () => void }[]>();

  constructor(all: number) {
    this.#all = all;
    this.#free = all;
  }

  /** Takes `size` once it is free, until disposal. A size above the total takes everything. */
  async take(caller: string, size: number): Promise<Disposable> {
    const taken = Math.min(size, this.#all);
    if (this.#lines.size > 0 || taken > this.#free)
      await new Promise<void>((start) => {
        const line = this.#lines.get(caller) ?? [];
        line.push({ size: taken, start });
        this.#lines.set(caller, line);
      });
    else this.#free -= taken;
    return { [Symbol.dispose]: () => this.#giveBack(taken) };
  }

  #giveBack(size: number): void {
    this.#free += size;
    for (const [caller, line] of this.#lines) {
      const [next] = line;
      if (next === undefined || next.size > this.#free) return;
      line.shift();
      this.#lines.delete(caller);
      // Its next turn comes after all others, later in this loop.
      if (line.length > 0) this.#lines.set(caller, line);
      this.#free -= next.size;
      next.start();
    }
  }
}
