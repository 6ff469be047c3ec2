import { expect } from 'vitest';

/** Polls for the effect of another process, a timer or a connection, with a long timeout for busy machines. */
export function soon<T>(read: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read, { timeout: 150_000, interval: 10 });
}
