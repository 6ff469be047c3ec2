import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { must } from '#shared/must.ts';

const children = new Set<ChildProcess>();

/** Ends all programs that still run. */
export function endPrograms(): void {
  for (const child of children) child.kill();
}

/** A program in a process of its own, to which lines and messages are sent. */
export class Program {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(path: string, ...args: string[]) {
    this.#child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });
    children.add(this.#child);
    this.#lines = createInterface({ input: must(this.#child.stdout, 'an output') })[Symbol.asyncIterator]();
  }

  /** The next line of its output. */
  async line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('A program ended');
    return value;
  }

  /** Writes a line to its input. */
  write(text: string): void {
    this.#child.stdin?.write(`${text}\n`);
  }

  /** Sends a message that has no answer. */
  tell(message: object): void {
    this.#child.send(message);
  }

  /** Sends a message, and returns the answer. */
  async ask<T>(what: string): Promise<T> {
    this.#child.send(what);
    const [answer] = (await once(this.#child, 'message')) as [T];
    return answer;
  }

  async end(): Promise<void> {
    children.delete(this.#child);
    this.#child.kill();
    await once(this.#child, 'exit');
  }
}
