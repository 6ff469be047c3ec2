import type { Locator } from 'playwright-core';

/** Maximum difference between a clock of the app or the server and the demo's stopwatch, seconds. */
const tolerance = 2;

/** Whether a clock that counts whole seconds agrees with the stopwatch. */
export function isAbout(seconds: number, stopwatchMs: number): boolean {
  return Math.abs(seconds - Math.floor(stopwatchMs / 1000)) <= tolerance;
}

/** A time as "14.1 s". */
export function shown(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** What a clock on the screen shows, such as 00:01:23, in seconds. */
export async function readClock(clock: Locator): Promise<number> {
  const words = await clock.innerText();
  const [hours, minutes, seconds] = words.split(':').map(Number);
  const read = (hours ?? NaN) * 3600 + (minutes ?? NaN) * 60 + (seconds ?? NaN);
  if (Number.isNaN(read)) throw new Error(`The clock shows "${words}"`);
  return read;
}
