/** Receives the description of an answer that breaks its contract. */
type Report = (flaw: string) => void;

let report: Report | undefined;

/** Sends the flaws of all servers of this process to `next`, until the next call. */
export function watchBrokenAnswers(next: Report): void {
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
