/** Tells listeners in this process that write transactions committed, or that the server is closing. */
export class Bus {
  readonly #listeners = new Set<() => void>();
  readonly #closers = new Set<() => void>();
  #isTelling = false;

  /**
   * A write transaction committed; what moved, listeners read from the feed. They are told once, soon, of all that is
   * committed together.
   */
  committed(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    setImmediate(() => {
      this.#isTelling = false;
      for (const listener of this.#listeners) listener();
    });
  }

  /** The server is closing: long-lived streams end. */
  close(): void {
    for (const closer of this.#closers) closer();
  }

  /** How many listen. */
  get listening(): number {
    return this.#listeners.size;
  }

  /** Returns the function that stops listening. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the function that stops listening. */
  onClose(closer: () => void): () => void {
    this.#closers.add(closer);
    return () => this.#closers.delete(closer);
  }
}
