import { once } from 'node:events';
import { join } from 'node:path';

import { must } from '#shared/must.ts';
import { makeStartFolder, type Started } from '#test/support/start-process.ts';

/** A node as a person starts it, in a process of its own. It keeps its port. */
export interface ServerNode {
  readonly url: string;
  readonly process: Started;
  /** Ends it as a person does, or with SIGKILL. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
}

/** Starts nodes on a database, and kills them at the end. */
export function serverNodes(database: string): Disposable & { start: () => Promise<ServerNode> } {
  const folder = makeStartFolder();
  let count = 0;
  return {
    async start() {
      count += 1;
      const args = ['--data', join(folder.dir, `data-${count}`), '--database', database, '--no-demo'];
      let running = folder.start([...args, '--port', '0']);
      const url = await running.ready();
      return {
        url,
        get process() {
          return running;
        },
        async end(signal) {
          const { child } = running;
          if (child.exitCode !== null || child.signalCode !== null) return;
          const ended = once(child, 'exit');
          child.kill(signal);
          await ended;
        },
        async start() {
          running = folder.start([...args, '--port', must(new URL(url).port, 'a port')]);
          await running.ready();
        },
      };
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
