import { Worker } from 'node:worker_threads';

import type { WorkAnswer } from './worker-pool.ts';

/**
 * The main loop of a worker process: performs each piece of work that its pool sends, one at a time, until the server
 * exits. The first argument of the program is the processor time that each piece may take, ms. Work that takes more
 * ends the process.
 */
export function serveWork<Work extends object>(perform: (work: Work) => unknown): void {
  // Number of the current piece of work; 0: none.
  const current = new Int32Array(new SharedArrayBuffer(4));
  let count = 0;
  watch(current, Number(process.argv[2]));
  process.on('disconnect', () => process.exit());
  process.on('message', (work: Work) => {
    count += 1;
    Atomics.store(current, 0, count);
    void answerTo(async () => perform(work)).then((answer) => {
      Atomics.store(current, 0, 0);
      process.send?.(answer);
    });
  });
}

async function answerTo(perform: () => Promise<unknown>): Promise<WorkAnswer> {
  try {
    return { done: await perform() };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Starts a thread that ends the process when its work takes too much processor time, or when the server no longer
 * runs. A busy main thread could not check this itself.
 */
function watch(current: Int32Array, ms: number): void {
  const program = `
    const { current, ms, server } = require('node:worker_threads').workerData;
    const end = () => process.kill(process.pid, 'SIGKILL');
    let known = 0;
    let begun = 0;
    setInterval(() => {
      try {
        process.kill(server, 0);
      } catch {
        end();
      }
      const { user, system } = process.cpuUsage();
      const used = (user + system) / 1000;
      const work = Atomics.load(current, 0);
      if (work !== known) [known, begun] = [work, used];
      else if (work !== 0 && used - begun > ms) end();
    }, 100);`;
  new Worker(program, { eval: true, workerData: { current, ms, server: process.ppid } }).unref();
}
