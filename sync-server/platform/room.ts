/**
 * A limited amount of memory, or of anything else. Callers take turns, each in the order of its requests. The next one
 * waits until there is room for it, so that a large request is not delayed by many small ones. p-limit and p-queue count
 * pieces of work, not their size, and know no callers.
 */
export class Room {
  readonly #all: number;
  #free: number;
  /** Waiting work, by caller; the caller whose turn it is comes first. */
  readonly #lines = new Map<string, { size: number; start: () => void }[]>();

  constructor(all: number) {
    this.#all = all;
    this.#free = all;
  }

  /** Waits until there is room for `size`, and releases it on disposal. A size above the total takes all of it. */
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
      // Its next turn is after all others; this loop comes to it then.
      if (line.length > 0) this.#lines.set(caller, line);
      this.#free -= next.size;
      next.start();
    }
  }
}
