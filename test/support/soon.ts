import { expect } from 'vitest';

/** Expects what another process, a timer or a connection brings about: looks often, and is patient on a busy machine. */
export function soon<T>(read: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read, { timeout: 60_000, interval: 10 });
}
