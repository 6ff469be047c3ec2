/** Notifies listeners in this process of commits and of the closing of the server. */
export class Bus {
  readonly #listeners = new Set<() => void>();
  readonly #closers = new Set<() => void>();
  #isScheduled = false;

  /**
   * Reports that a write transaction committed. Listeners are called once, soon, for several commits together; they
   * read from the feed what changed.
   */
  committed(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      for (const listener of this.#listeners) listener();
    });
  }

  /** Reports that the server is closing, so that event streams end. */
  close(): void {
    for (const closer of this.#closers) closer();
  }

  /** Calls `listener` after commits. Returns the function that stops this. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `closer` when the server closes. Returns the function that stops this. */
  onClose(closer: () => void): () => void {
    this.#closers.add(closer);
    return () => this.#closers.delete(closer);
  }
}
