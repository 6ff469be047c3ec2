import type { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a process has used. */
export interface Usage {
  /** Processor time since its start, ms. */
  processorMs: number;
  /** Resident memory, bytes. */
  bytes: number;
  /** How long the event loop stood still since the last question, ms: the 99th percentile and the longest time. */
  stillP99: number;
  stillMost: number;
}

/** Answers each message `usage` with what this process has used. Ends this process with the benchmark. */
export function answerUsage(loop: ReturnType<typeof monitorEventLoopDelay>): void {
  loop.enable();
  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    if (message !== 'usage') return;
    const { user, system } = process.cpuUsage();
    const usage: Usage = {
      processorMs: (user + system) / 1000,
      bytes: process.memoryUsage.rss(),
      stillP99: loop.percentile(99) / 1e6,
      stillMost: loop.max / 1e6,
    };
    loop.reset();
    process.send?.(usage);
  });
}
