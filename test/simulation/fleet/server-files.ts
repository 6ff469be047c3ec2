import { createPrivateKey } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runCli } from '#server/cli/program.ts';

import { chanceOf } from './stillness.ts';

/** The folders of the server: its files, and copies of them. The server is stopped while files move. */
export class ServerFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  get data(): string {
    return join(this.#root, 'data');
  }

  get database(): string {
    return join(this.data, 'benchbook.sqlite');
  }

  /** The files at the crash of the server. */
  get #snapshot(): string {
    return join(this.#root, 'snapshot');
  }

  /** The files of the other server, which is not at the address now. */
  get #aside(): string {
    return join(this.#root, 'aside');
  }

  get #backup(): string {
    return join(this.#root, 'backup');
  }

  /** Removes everything and creates the files of a new server, whose key is that of `seed`. */
  begin(seed: number): void {
    rmSync(this.#root, { recursive: true, force: true });
    this.#create(seed);
  }

  /** Exchanges the files with those of the other server. `seed`: for its key. Returns whether it is new. */
  swap(seed: number): boolean {
    const held = join(this.#root, 'held');
    renameSync(this.data, held);
    if (existsSync(this.#aside)) renameSync(this.#aside, this.data);
    else this.#create(seed);
    renameSync(held, this.#aside);
    return !existsSync(this.database);
  }

  /** Copies the files of the running server, as a crash in this moment would leave them. */
  takeSnapshot(): void {
    copy(this.data, this.#snapshot);
  }

  restoreSnapshot(): void {
    rmSync(this.data, { recursive: true });
    renameSync(this.#snapshot, this.data);
  }

  backUp(): void {
    rmSync(this.#backup, { recursive: true, force: true });
    copy(this.data, this.#backup);
  }

  /** Restores the backup: with the command, or by copying the files. */
  async restore(how: 'command' | 'files'): Promise<void> {
    if (how === 'command') return this.#restoreWithCommand();
    rmSync(this.data, { recursive: true });
    copy(this.#backup, this.data);
  }

  async #restoreWithCommand(): Promise<void> {
    const said: string[] = [];
    const say = (line: string): void => void said.push(line);
    const terminal = { env: {}, out: say, err: say, input: async () => '' };
    const code = await runCli(['restore', this.#backup, '--data', this.data], terminal);
    if (code !== 0) throw new Error(said.join('\n'));
    for (const name of said.join('\n').matchAll(/kept in (\S+);/g))
      rmSync(name[1] ?? '', { recursive: true, force: true });
  }

  #create(seed: number): void {
    mkdirSync(this.data, { recursive: true });
    writeFileSync(join(this.data, 'server.key'), keyOf(seed), { mode: 0o600 });
  }
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
}

/** A key derived from the seed: it identifies the server. */
function keyOf(seed: number): string {
  const random = chanceOf(seed);
  const secret = Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256));
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
