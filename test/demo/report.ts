/** A promise of the README that did not hold. */
export class BrokenPromise extends Error {
  override name = 'BrokenPromise';
}

/** What happened, one line per fact. */
export class Report {
  readonly #startedAt = performance.now();

  act(title: string): void {
    process.stdout.write(`\n${title}\n`);
  }

  fact(text: string): void {
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(1).padStart(6);
    process.stdout.write(`${seconds} s  ${text}\n`);
  }

  /** Does `work`, during which the promise must be kept; whatever goes wrong in it breaks the promise by name. */
  async keeps<T>(promise: string, work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      this.fact(promise);
      return value;
    } catch (error) {
      if (error instanceof BrokenPromise) throw error;
      const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
      throw new BrokenPromise(`${promise}\n  but: ${reason}`);
    }
  }

  /** States a promise as a fact when it holds; throws BrokenPromise naming it when it does not. */
  promise(text: string, holds: boolean, found?: unknown): void {
    if (!holds)
      throw new BrokenPromise(found === undefined ? text : `${text}\n  found: ${JSON.stringify(found)}`);
    this.fact(text);
  }
}
