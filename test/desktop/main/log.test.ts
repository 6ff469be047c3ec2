import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

const program = join(import.meta.dirname, 'log-to-closed-outputs.ts');

/** The uncaught exceptions of a program that logs after its outputs were closed. */
async function errorsOf(args: string[]): Promise<unknown> {
  const child: ChildProcess = fork(program, args, { silent: true });
  await once(child, 'message');
  for (const output of [child.stdout, child.stderr]) {
    const closed = once(output ?? child, 'close');
    output?.destroy();
    await closed;
  }
  const errors = once(child, 'message');
  child.send('go');
  const [found] = await errors;
  await once(child, 'exit');
  return found;
}

describe('the log', () => {
  it('ELECTRON-86 is no error when nobody reads it any more', async () => {
    expect(await errorsOf([])).toEqual([]);
    expect(await errorsOf(['unguarded'])).toContain('Error: write EPIPE');
  });
});
