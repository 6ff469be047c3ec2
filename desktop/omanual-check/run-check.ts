// Part of the page, so that nothing is requested when a check begins.
// oxlint-disable-next-line import/default -- Vite makes the export
import CheckWorker from './worker.ts?worker&inline';
import type { Checked } from './worker.ts';

/** How a check ended. `late`: it took more time than it may. */
export type Outcome = Checked | { ok: false; reason: 'late' | 'stopped' };

/** Time for any file, and for each megabyte of it, ms. */
const baseTime = 30_000;
const timePerMegabyte = 100;

/** The time that the check of a file may take, ms. */
export function timeFor(size: number): number {
  return baseTime + (size / 1024 ** 2) * timePerMegabyte;
}

/** Checks a file in a worker of its own, which ends with the check, after its time, or when `signal` aborts. */
export function runCheck(file: File, signal: AbortSignal): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const worker = new CheckWorker();
  const clock = setTimeout(() => resolve({ ok: false, reason: 'late' }), timeFor(file.size));
  signal.addEventListener('abort', () => resolve({ ok: false, reason: 'stopped' }));
  worker.addEventListener('message', ({ data }: MessageEvent<Checked>) => resolve(data));
  worker.addEventListener('error', ({ message }) => resolve({ ok: false, reason: message }));
  worker.postMessage(file);
  return promise.finally(() => {
    clearTimeout(clock);
    worker.terminate();
  });
}
