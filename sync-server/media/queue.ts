/**
 * Runs work side by side while it weighs at most `most` together, in the order it came; what is heavier by itself runs
 * alone.
 */
export function createScale(most: number): <T>(weight: number, work: () => Promise<T>) => Promise<T> {
  let load = 0;
  const waiting: { weight: number; start: () => void }[] = [];
  const letIn = (): void => {
    for (
      let [next] = waiting;
      next !== undefined && (load === 0 || load + next.weight <= most);
      [next] = waiting
    ) {
      waiting.shift();
      load += next.weight;
      next.start();
    }
  };
  return async (weight, work) => {
    await new Promise<void>((resolve) => {
      waiting.push({ weight, start: resolve });
      letIn();
    });
    try {
      return await work();
    } finally {
      load -= weight;
      letIn();
    }
  };
}

/** A wait that many share, such as for the disk: one that has begun already does not count for who comes now. */
export class SharedWait {
  readonly #wait: () => Promise<void>;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(wait: () => Promise<void>) {
    this.#wait = wait;
  }

  /** Resolves after a wait that begins from now on. */
  soon(): Promise<void> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<void> {
    await this.#running.catch(() => undefined);
    this.#next = undefined;
    this.#running = this.#wait();
    await this.#running;
  }
}
