import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { must } from '#shared/must.ts';

/** A program of a benchmark in a process of its own. */
export interface Program<T> {
  /** What it printed when it was ready. */
  said: T;
  /** Its processor time so far, ms. */
  processor: () => Promise<number>;
}

/** Starts programs, and ends them together. */
export class Programs implements Disposable {
  readonly #children: ChildProcess[] = [];

  /** Starts the program at `path`, which prints a line of JSON when it is ready (`tell-processor.ts`). */
  async start<T>(path: string, ...args: string[]): Promise<Program<T>> {
    const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    this.#children.push(child);
    const processor = async (): Promise<number> => {
      child.send('processor');
      const [used] = (await once(child, 'message')) as [number];
      return used;
    };
    for await (const line of createInterface({ input: must(child.stdout, 'an output') }))
      return { said: JSON.parse(line) as T, processor };
    throw new Error(`${path} ended`);
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill();
  }
}
