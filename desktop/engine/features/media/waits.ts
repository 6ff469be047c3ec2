/** Waits after failures: each longer than the one before, the last one again and again. */
export class Waits {
  readonly #ms: readonly number[];
  readonly #setTimer: (run: () => void, ms: number) => () => void;
  readonly #cancels = new Set<() => void>();

  constructor(ms: readonly number[], setTimer: (run: () => void, ms: number) => () => void) {
    this.#ms = ms;
    this.#setTimer = setTimer;
  }

  /** Calls `run` after so many failures in a row. Returns a function that cancels it. */
  after(failures: number, run: () => void): () => void {
    const cancel = this.#setTimer(
      () => {
        this.#cancels.delete(cancel);
        run();
      },
      this.#ms[Math.min(failures, this.#ms.length) - 1] ?? 0,
    );
    this.#cancels.add(cancel);
    return () => {
      cancel();
      this.#cancels.delete(cancel);
    };
  }

  /** Cancels all. */
  end(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }
}
