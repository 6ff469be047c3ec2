import { onTestFinished } from 'vitest';

/** Closes `one` when the running test ends, passed or failed. Returns `one`. */
export function endsWithTest<T extends { close: () => Promise<void> }>(one: T): T {
  onTestFinished(() => one.close());
  return one;
}
