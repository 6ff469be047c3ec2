import { Worker } from 'node:worker_threads';

import type { WorkAnswer } from './worker-pool.ts';

/** Has this worker do each piece of work that its pool sends, until the server is gone. */
export function serveWork<Work extends object>(perform: (work: Work) => unknown): void {
  endWithServer();
  process.on('disconnect', () => process.exit());
  process.on('message', (work: Work) => void process.send?.(answerTo(() => perform(work))));
}

function answerTo(perform: () => unknown): WorkAnswer {
  try {
    return { done: perform() };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

/** Whoever works hears of nothing; a thread beside it looks whether the server is still there that would end it. */
function endWithServer(): void {
  const watch = `setInterval(() => {
    try {
      process.kill(${process.ppid}, 0);
    } catch {
      process.kill(process.pid, 'SIGKILL');
    }
  }, 2000);`;
  new Worker(watch, { eval: true }).unref();
}
