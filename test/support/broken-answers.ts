/** Receives the description of an answer that breaks its contract. */
type Report = (flaw: string) => void;

let report: Report | undefined;

/** Sends the flaws of all servers of this process to `next`, until the next call; `undefined`: to nobody. */
export function watchBrokenAnswers(next: Report | undefined): void {
  report = next;
}

/** Reports a flaw to the running test; ends the process where no test runs (threads of simulations, measurements). */
export function reportBrokenAnswer(flaw: string): void {
  if (report !== undefined) report(flaw);
  else
    setImmediate(() => {
      throw new Error(flaw);
    });
}

/** Flaws of the tests of one file. Each fails the test that was running; of tests that run at once, the next that ends. */
export class BrokenAnswers {
  readonly #flaws: string[] = [];
  readonly #outsideOfTests: string[] = [];

  /** `test`: what runs now, for the message. */
  note(flaw: string, test: string): void {
    this.#flaws.push(`${flaw}\nLast test: ${test}`);
  }

  beginTest(): void {
    this.#outsideOfTests.push(...this.#flaws.splice(0));
  }

  /** @throws an error with the flaws since the test began */
  endTest(): void {
    failFor(this.#flaws.splice(0));
  }

  /** @throws an error with the flaws that no test was running for */
  endFile(): void {
    failFor([...this.#outsideOfTests.splice(0), ...this.#flaws.splice(0)]);
  }
}

function failFor(found: readonly string[]): void {
  if (found.length > 0) throw new Error(found.join('\n\n'));
}
