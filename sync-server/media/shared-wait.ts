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
