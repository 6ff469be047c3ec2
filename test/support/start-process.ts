import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { must } from '#shared/must.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A process of the command that starts Benchbook. */
export interface Started {
  child: ChildProcess;
  output: { out: string; err: string };
  /** Resolves when its output matches `pattern`; rejects if it ends before. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with its address; rejects if it ends before it is ready. */
  ready(): Promise<string>;
  /** Its exit code, when it has ended. */
  ended: Promise<number | null>;
}

/** A folder for one test, with environment variables that isolate the process from the rest of the machine. */
export interface StartFolder extends Disposable {
  dir: string;
  start(args: string[], env?: Record<string, string>): Started;
}

/** Creates a folder. The app is a page of one line, so nothing needs to be built. */
export function makeStartFolder(): StartFolder {
  const dir = mkdtempSync(join(tmpdir(), 'benchbook-start-'));
  const app = join(dir, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'index.html'), '<!doctype html><title>Benchbook</title>');
  const running = new Set<ChildProcess>();
  return {
    dir,
    start(args, env = {}) {
      const started = startProcess(['--no-open', ...args], { BENCHBOOK_APP: app, HOME: dir, ...env });
      running.add(started.child);
      return started;
    },
    [Symbol.dispose]() {
      for (const child of running) if (child.exitCode === null) child.kill('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function startProcess(args: string[], env: Record<string, string>): Started {
  const { PATH: path = '' } = process.env;
  const child = spawn(process.execPath, ['sync-server/start.ts', ...args], {
    cwd: root,
    env: { PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  const prints: Started['prints'] = (pattern) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(output.out);
        if (found !== null) resolve(found);
      };
      look();
      child.stdout.on('data', look);
      void ended.then((code) => reject(new Error(`It ended with ${code}: ${output.out}${output.err}`)));
    });
  const ready: Started['ready'] = async () => must((await prints(/ready at (\S+)/))[1], 'the address');
  return { child, output, ended, prints, ready };
}
