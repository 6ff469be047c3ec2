/** A worker that no journal has taken by then ends, ms: another tab has the journal open. */
const longestWait = 30_000;

let ahead: Worker | null = null;

function start(): Worker {
  return new Worker(new URL('./opfs-worker.ts', import.meta.url), { type: 'module' });
}

/** Starts the worker of the journal ahead of the engine: on a slow device that takes as long as running its code. */
export function startWorkerAhead(): void {
  const worker = start();
  ahead = worker;
  const forget = (): void => {
    if (ahead !== worker) return;
    worker.terminate();
    ahead = null;
  };
  // Whoever needs one then starts it, and hears why it fails.
  worker.addEventListener('error', forget);
  setTimeout(forget, longestWait);
}

/** The worker that was started ahead, or a new one. */
export function takeWorker(): Worker {
  const worker = ahead ?? start();
  ahead = null;
  return worker;
}
