import type { UpdateState, UpdateStatus } from '#shared/model/update-state.ts';

import type { After } from './source.ts';

const HOUR = 60 * 60_000;

/** The state of updates as the page sees it, and who waits for its next change. */
export class ShownState {
  readonly #after: After;
  readonly #waiting = new Set<() => void>();
  #state: UpdateState;

  constructor(installed: string, status: UpdateStatus, after: After) {
    this.#after = after;
    this.#state = { number: 1, installed, left: null, status };
  }

  get status(): UpdateStatus {
    return this.#state.status;
  }

  /** The state, as soon as its number is not `known`; also after an hour. */
  async next(known: number): Promise<UpdateState> {
    if (this.#state.number !== known) return this.#state;
    const changed = Promise.withResolvers<void>();
    this.#waiting.add(changed.resolve);
    const hour = this.#after(HOUR);
    await Promise.race([changed.promise, hour.elapsed]);
    hour.cancel();
    this.#waiting.delete(changed.resolve);
    return this.#state;
  }

  /** Changes the status. `left`: the version that did not start. */
  show(status: UpdateStatus, left = this.#state.left): void {
    this.#state = { ...this.#state, number: this.#state.number + 1, left, status };
    this.tell();
  }

  /** Answers who waits. */
  tell(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
