/** Edits of all fields of an editor that are not in the draft yet. */
export class PendingEdits {
  readonly #held = new Set<() => void>();
  readonly #running = new Set<Promise<void>>();
  readonly #listeners = new Set<() => void>();

  /** Registers a field with unsent text; `send` flushes it. */
  hold(send: () => void): void {
    this.#held.add(send);
    this.#tell();
  }

  release(send: () => void): void {
    this.#held.delete(send);
    this.#tell();
  }

  /** Registers an edit that is being applied. */
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

  /** Flushes all fields. Resolves when the text is in the draft. */
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
