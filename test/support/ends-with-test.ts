import { onTestFinished } from 'vitest';

/** Closes `one` when the running test is over, however that ends; returns it. */
export function endsWithTest<T extends { close: () => Promise<void> }>(one: T): T {
  onTestFinished(() => one.close());
  return one;
}
