/** A promise of the README that did not hold. */
export class BrokenPromise extends Error {
  override name = 'BrokenPromise';
}

/** What happened, one line per fact. */
export class Report {
  readonly #startedAt = performance.now();
  #expected = 'The demo can begin';

  act(title: string): void {
    this.#expected = title;
    process.stdout.write(`\n${title}\n`);
  }

  fact(text: string): void {
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(1).padStart(6);
    process.stdout.write(`${seconds} s  ${text}\n`);
  }

  /** Names the promise that the following steps must keep: a wait that fails breaks it. */
  expect(promise: string): void {
    this.#expected = promise;
  }

  /** Wraps an error as the broken promise. */
  broken(error: unknown): BrokenPromise {
    if (error instanceof BrokenPromise) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return new BrokenPromise(`${this.#expected}\n  but: ${reason}`);
  }

  /** Reports a promise that holds as a fact; otherwise throws BrokenPromise with its name. */
  promise(text: string, holds: boolean, found?: unknown): void {
    if (!holds)
      throw new BrokenPromise(found === undefined ? text : `${text}\n  found: ${JSON.stringify(found)}`);
    this.fact(text);
  }
}
