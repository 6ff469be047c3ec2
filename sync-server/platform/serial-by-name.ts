import pLimit, { type LimitFunction } from 'p-limit';

/** Runs work of the same name one piece after another. Different names do not wait for each other. */
export class SerialByName<Name> {
  readonly #limits = new Map<Name, LimitFunction>();

  /** Number of pieces of work of this name that run or wait. */
  count(name: Name): number {
    const limit = this.#limits.get(name);
    return limit === undefined ? 0 : limit.activeCount + limit.pendingCount;
  }

  async run<T>(name: Name, work: () => Promise<T>): Promise<T> {
    const limit = this.#limits.get(name) ?? pLimit(1);
    this.#limits.set(name, limit);
    try {
      return await limit(work);
    } finally {
      if (this.count(name) === 0) this.#limits.delete(name);
    }
  }
}
