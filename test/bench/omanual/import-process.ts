import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { memorySettings } from '#server/bootstrap/memory.ts';
import type { ArchiveImport } from '#shared/model/archive-record.ts';
import { must } from '#shared/must.ts';

import type { ImportGround, Question } from './import-server.ts';
import { childrenOf, forgetPeak, residentOf } from './page-process.ts';

/** Memory since the last `forgetPeaks`, bytes; null without Linux's `/proc`. */
interface Peaks {
  server: number;
  /** All child processes together. */
  children: number;
}

/** An empty server in a process of its own, with the settings of `npm start`. */
export class ImportServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ground: ImportGround;

  private constructor(child: ChildProcess, ground: ImportGround) {
    this.#child = child;
    this.#ground = ground;
  }

  static async start(): Promise<ImportServer> {
    const child = fork(join(import.meta.dirname, 'import-server.ts'), {
      execArgv: [...memorySettings.flags],
      env: { ...memorySettings.variables, ...process.env },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    for await (const line of createInterface({ input: must(child.stdout, 'an output') }))
      return new ImportServer(child, JSON.parse(line) as ImportGround);
    throw new Error('The server ended');
  }

  get url(): string {
    return this.#ground.url;
  }

  async ask(question: Question): Promise<number> {
    this.#child.send(question);
    const [answer] = (await once(this.#child, 'message')) as [number];
    return answer;
  }

  /** Creates an import, sends its file in two parts, and returns the import's number. */
  async send(bytes: Uint8Array<ArrayBuffer>, rules: object = {}): Promise<number> {
    const { importid } = await this.#call('POST', '', JSON.stringify({ size: bytes.length, ...rules }));
    const half = Math.ceil(bytes.length / 2);
    for (const offset of bytes.length > 1 ? [0, half] : [0])
      await this.#call(
        'PUT',
        `/${importid}/file?offset=${offset}`,
        bytes.subarray(offset, offset === 0 ? half : undefined),
      );
    return importid;
  }

  read(importid: number): Promise<ArchiveImport> {
    return this.#call('GET', `/${importid}`);
  }

  async #call(method: string, path: string, body?: BodyInit): Promise<ArchiveImport> {
    const { token, url } = this.#ground;
    const response = await fetch(`${url}/api/2.0/omanual/imports${path}`, {
      method,
      headers: { Authorization: `api ${token}` },
      ...(body === undefined ? {} : { body }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path} answered ${JSON.stringify(answer)}`);
    return answer as ArchiveImport;
  }

  get #family(): number[] {
    const pid = must(this.#child.pid, 'a process');
    return [pid, ...childrenOf(pid)];
  }

  /** Processor time of the server and its child processes so far, ms; NaN without Linux's `/proc`. */
  processor(): number {
    return this.#family.reduce((sum, pid) => sum + processorOf(pid), 0);
  }

  forgetPeaks(): void {
    for (const pid of this.#family) forgetPeak({ pid });
  }

  peaks(): Peaks {
    const [server = 0, ...children] = this.#family.map((pid) => residentOf(pid)?.peak ?? 0);
    return { server, children: children.reduce((sum, peak) => sum + peak, 0) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.send('end');
    await ended;
  }
}

/** Length of a clock tick in `/proc`, ms. */
const tickMs = 10;

/** Processor time of a process and of its ended children. */
function processorOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * tickMs, 0);
  } catch {
    return process.platform === 'linux' ? 0 : NaN;
  }
}
