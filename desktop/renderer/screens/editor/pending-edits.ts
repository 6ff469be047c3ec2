/** What was typed and is not yet in the draft, of all fields of an editor. */
export class PendingEdits {
  readonly #held = new Set<() => void>();
  readonly #running = new Set<Promise<void>>();
  readonly #listeners = new Set<() => void>();

  /** A field holds words back; `send` hands them over. */
  hold(send: () => void): void {
    this.#held.add(send);
    this.#tell();
  }

  release(send: () => void): void {
    this.#held.delete(send);
    this.#tell();
  }

  /** An edit on its way to the draft. */
  track(edit: Promise<void>): Promise<void> {
    this.#running.add(edit);
    this.#tell();
    const over = () => {
      this.#running.delete(edit);
      this.#tell();
    };
    edit.then(over, over);
    return edit;
  }

  /** Hands over everything that fields hold back. Resolves when it is in the draft. */
  async flush(): Promise<void> {
    for (const send of this.#held) send();
    await Promise.allSettled(this.#running);
  }

  isRunning(): boolean {
    return this.#running.size > 0;
  }

  readonly isBusy = (): boolean => this.#held.size > 0 || this.#running.size > 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
