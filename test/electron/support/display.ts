import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** A display for windows; `name` is the value of `DISPLAY`. */
export interface Display extends AsyncDisposable {
  name: string | undefined;
}

/** Whether windows can be opened here. */
export function hasDisplay(): boolean {
  if (process.platform !== 'linux' || process.env['DISPLAY'] !== undefined) return true;
  return spawnSync('Xvfb', ['-help'], { stdio: 'ignore' }).error === undefined;
}

/** The display of this session, or a virtual one. */
export async function openDisplay(): Promise<Display> {
  if (process.platform !== 'linux' || process.env['DISPLAY'] !== undefined)
    return { name: process.env['DISPLAY'], [Symbol.asyncDispose]: async () => undefined };
  // Another account may connect, since root does not run Electron itself.
  const server = spawn(
    'Xvfb',
    ['-displayfd', '3', '-ac', '-nolisten', 'tcp', '-screen', '0', '1600x1200x24'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const exited = once(server, 'exit');
  const numbers = server.stdio[3];
  if (numbers === null || numbers === undefined) throw new Error('Xvfb has no pipe');
  const [number] = (await once(numbers, 'data')) as [Buffer];
  return {
    name: `:${number.toString().trim()}`,
    async [Symbol.asyncDispose]() {
      server.kill();
      await exited;
    },
  };
}
