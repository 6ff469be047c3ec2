import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { soon } from '#test/support/soon.ts';

const script = fileURLToPath(new URL('job-node.ts', import.meta.url));

/** A process of `job-node.ts`. */
export interface NodeProcess {
  child: ChildProcess;
  lines: string[];
  /** Resolves when it has printed a line that begins so. */
  says(beginning: string): Promise<void>;
}

/** Starts processes on one database, and kills them at the end. */
export function nodeProcesses(
  database: string,
): Disposable & { start: (mode: 'count' | 'die' | 'hold') => NodeProcess } {
  const folder = mkdtempSync(join(tmpdir(), 'benchbook-nodes-'));
  const children: ChildProcess[] = [];
  return {
    start(mode) {
      const dataDir = join(folder, String(children.length));
      const child = spawn(process.execPath, [script, database, dataDir, mode], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      children.push(child);
      const lines: string[] = [];
      createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
      return {
        child,
        lines,
        async says(beginning) {
          await soon(() => lines.some((line) => line.startsWith(beginning))).toBe(true);
        },
      };
    },
    [Symbol.dispose]() {
      for (const child of children) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Kills a process, and resolves when it has ended. */
export async function kill({ child }: Pick<NodeProcess, 'child'>): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
