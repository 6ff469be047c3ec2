import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The server as a person starts it, in a separate process, on an empty data folder and a free port. */
export interface ServerProcess extends AsyncDisposable {
  url: string;
  pid: number;
  dataDir: string;
  /** E-mail → password of the demo people, as printed at the first start. */
  passwords: Map<string, string>;
  output: string[];
}

interface StartOptions {
  /** A data folder that stays. Default: an empty one, which is removed at the end. */
  dataDir?: string;
  args?: string[];
  /** Modules loaded before the server's own (planted faults). */
  imports?: string[];
  env?: Record<string, string>;
}

/** Starts it and waits until it is ready. Throws with its output if it does not start. */
export async function startServerProcess(options: StartOptions = {}): Promise<ServerProcess> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'benchbook-server-'));
  const child = spawn(
    process.execPath,
    [
      ...(options.imports ?? []).flatMap((one) => ['--import', one]),
      'sync-server/start.ts',
      '--no-open',
      '--port',
      '0',
      '--data',
      dataDir,
      ...(options.args ?? []),
    ],
    { cwd: root, env: { ...process.env, ...options.env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output: string[] = [];
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output.push(
        ...chunk
          .toString('utf8')
          .split('\n')
          .filter((line) => line !== ''),
      );
      const url = output.map((line) => /ready at (\S+)/.exec(line)?.[1]).find((found) => found !== undefined);
      if (url !== undefined) resolve(url);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void exited.then((code) => reject(new Error(`The server stopped with ${code}:\n${output.join('\n')}`)));
  });
  const url = await ready;
  const passwords = new Map(
    output.flatMap((line) => {
      const found = /(\S+@benchbook\.example)\s+(\S+)/.exec(line);
      return found === null ? [] : [[found[1] ?? '', found[2] ?? ''] as const];
    }),
  );
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    passwords,
    output,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
