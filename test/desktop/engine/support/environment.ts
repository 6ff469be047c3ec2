import { randomBytes, randomUUID } from 'node:crypto';

import { BehaviorSubject } from 'rxjs';

import type { Environment } from '#desktop/engine/platform/ports.ts';

export interface TestEnvironment extends Environment {
  online: BehaviorSubject<boolean>;
  /** Completed waits in ms, in order: how long the engine waited, however slow the machine is. */
  waits: number[];
}

/** A machine that pauses for longer than this ends no wait early, ms. */
const longestSlice = 50;

/** By default time runs twenty times as fast, so that waits between attempts are short. */
export function testEnvironment(fetch: typeof globalThis.fetch, speed = 20): TestEnvironment {
  const began = performance.now();
  const started = Date.now();
  let ids = 0;
  const waits: number[] = [];
  const monotonic = (): number => (performance.now() - began) * speed;
  return {
    now: () => started + monotonic(),
    monotonic,
    pageSession: 'page-1',
    uuid: () => `${String((ids += 1)).padStart(8, '0')}-${randomUUID().slice(0, 8)}`,
    random: () => 0.5,
    randomBytes: (size) => new Uint8Array(randomBytes(size)),
    fetch,
    setTimer: (run, ms) => {
      const wait = (left: number): void => {
        const slice = Math.min(left, longestSlice);
        timer = setTimeout(() => (left > slice ? wait(left - slice) : end()), slice);
      };
      const end = (): void => {
        waits.push(ms);
        run();
      };
      let timer: NodeJS.Timeout | undefined;
      wait(ms / speed);
      return () => clearTimeout(timer);
    },
    online: new BehaviorSubject(true),
    waits,
  };
}
