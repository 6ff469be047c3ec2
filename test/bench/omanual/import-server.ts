/** An empty server in a separate process, to which a benchmark sends archives; prints its address on its first line. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { watchMemory } from '#server/bootstrap/memory.ts';
import { collectGarbage } from '#test/support/collect-garbage.ts';
import { startServer } from '#test/support/server.ts';

/** The data that a benchmark needs about the server. */
export interface ImportGround {
  url: string;
  token: string;
}

/** What a benchmark may ask; each question is answered by a number. */
export type Question =
  /** Until no job is left. */
  | 'idle'
  /** The longest pause of the event loop since the last question, ms. */
  | 'pause'
  /** The longest work of the event loop between two timers since then, ms of its own processor time. */
  | 'work'
  /** Resident memory after a garbage collection, bytes. */
  | 'memory';

const server = await startServer({ checked: false });
const { token } = await server.person('Ana', ['User', 'Author', 'Moderator', 'Admin']);
const delays = monitorEventLoopDelay({ resolution: 2 });
delays.enable();

// A busy machine makes pauses, but no processor time.
let longestWork = 0;
let before = processorTime();
setInterval(() => {
  const now = processorTime();
  longestWork = Math.max(longestWork, now - before);
  before = now;
}, 2);

function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const answers: Record<Question, () => number | Promise<number>> = {
  idle: async () => {
    await server.jobs.idle();
    return 0;
  },
  pause: () => {
    const longest = delays.max / 1e6;
    delays.reset();
    return longest;
  },
  work: () => {
    const longest = longestWork;
    longestWork = 0;
    return longest;
  },
  memory: () => {
    collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    delays.reset();
    before = processorTime();
    longestWork = 0;
    return process.memoryUsage.rss();
  },
};
process.on('message', (asked: Question | 'end') => {
  if (asked === 'end') void server[Symbol.asyncDispose]().then(() => process.exit());
  else void Promise.resolve(answers[asked]()).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
// Like `npm start`.
watchMemory();
process.stdout.write(`${JSON.stringify({ url: server.url, token } satisfies ImportGround)}\n`);
