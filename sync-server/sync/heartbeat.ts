/** How many groups of streams there are. Each turn of the timer serves one. */
const groups = 20;

/**
 * Calls a function of each open stream once in an interval. All streams share one timer, because a timer for each would
 * wake an idle process for every stream: with 100 devices five times a second instead of once.
 */
export class Heartbeat {
  readonly #turnMs: number;
  readonly #groups: Set<() => void>[] = Array.from({ length: groups }, () => new Set());
  #added = 0;
  #turn = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(intervalMs: number) {
    this.#turnMs = intervalMs / groups;
  }

  /** Calls `beat` once in each interval until the returned function is called. */
  add(beat: () => void): () => void {
    const group = this.#groups[this.#added % groups];
    this.#added += 1;
    group?.add(beat);
    this.#timer ??= setInterval(() => this.#next(), this.#turnMs);
    return () => {
      group?.delete(beat);
      if (this.#groups.some(({ size }) => size > 0)) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #next(): void {
    this.#turn += 1;
    for (const beat of this.#groups[this.#turn % groups] ?? []) beat();
  }
}
