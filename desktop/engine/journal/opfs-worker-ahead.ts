let ahead: Worker | null = null;

function start(): Worker {
  return new Worker(new URL('./opfs-worker.ts', import.meta.url), { type: 'module' });
}

/**
 * Starts the worker of the journal ahead of the engine: on a slow device that takes as long as running the engine's code.
 * Returns a function that ends the worker unless a journal has taken it: in a second tab none does.
 */
export function startWorkerAhead(): () => void {
  const worker = start();
  ahead = worker;
  const end = (): void => {
    if (ahead !== worker) return;
    worker.terminate();
    ahead = null;
  };
  // Whoever needs one then starts it, and hears why it fails.
  worker.addEventListener('error', end);
  return end;
}

/** The worker that was started ahead, or a new one. */
export function takeWorker(): Worker {
  const worker = ahead ?? start();
  ahead = null;
  return worker;
}
