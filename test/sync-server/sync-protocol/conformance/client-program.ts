import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

import { must } from '#shared/must.ts';

/** Time within which a client must answer a command, ms: some responses take 3 seconds each. */
const answersWithinMs = 60_000;

/** A call as the driver gives it to the client, without a key. */
export interface NewCall {
  lane: string;
  method: string;
  path: string;
  query?: Record<string, string>;
  body?: unknown;
}

export type Synced = { ok: true } | { ok: false; why: string };
export interface Queued {
  id: string;
  state: string;
}

/** Where a client finds its copy and its server. */
export interface Opening {
  folder: string;
  url: string;
  token: string;
  server: string;
}

/** The client that is checked: a program that reads commands and writes answers, one JSON object on each line. */
export class ClientProgram implements AsyncDisposable {
  readonly #command: readonly string[];
  #child: ChildProcess | null = null;
  #lines: AsyncIterator<string> | null = null;

  constructor(command: readonly string[]) {
    this.#command = command;
  }

  /** Starts the program if it does not run, and opens its copy. */
  async open(opening: Opening): Promise<void> {
    if (this.#child === null) {
      const [program = '', ...args] = this.#command;
      this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      const input = must(this.#child.stdout, 'an output');
      this.#lines = createInterface({ input })[Symbol.asyncIterator]();
    }
    await this.#ask({ do: 'open', ...opening });
  }

  /** Queues a call. Returns its key. */
  async call(call: NewCall): Promise<string> {
    const { id } = (await this.#ask({ do: 'call', call })) as { id?: unknown };
    if (typeof id !== 'string') throw new Error('call: the answer has no id');
    return id;
  }

  async sync(): Promise<Synced> {
    return (await this.#ask({ do: 'sync' })) as Synced;
  }

  /** Begins to sync, and kills the program after some time, ms. */
  async syncAndDie(afterMs: number): Promise<void> {
    this.#write({ do: 'sync' });
    await pause(afterMs);
    await this.kill();
  }

  /** The documents of the copy, by collection and id. */
  async records(): Promise<Record<string, unknown>> {
    const { records } = (await this.#ask({ do: 'records' })) as { records?: Record<string, unknown> };
    return must(records, 'records in the answer');
  }

  async queue(): Promise<Queued[]> {
    const { queue } = (await this.#ask({ do: 'queue' })) as { queue?: Queued[] };
    return must(queue, 'a queue in the answer');
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  #write(command: object): void {
    must(this.#child?.stdin, 'a running program').write(`${JSON.stringify(command)}\n`);
  }

  async #ask(command: { do: string } & Record<string, unknown>): Promise<unknown> {
    this.#write(command);
    const timeout = new AbortController();
    const late = pause(answersWithinMs, null, { signal: timeout.signal }).catch(() => null);
    const answered = await Promise.race([must(this.#lines, 'lines').next(), late]);
    timeout.abort();
    if (answered === null)
      throw new Error(`${command.do}: no answer within ${answersWithinMs / 1000} seconds`);
    if (answered.done === true) throw new Error(`${command.do}: the program ended`);
    return JSON.parse(answered.value);
  }
}
