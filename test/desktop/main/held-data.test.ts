import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { once } from 'node:events';

import { expect, it } from 'vitest';

import { holdData } from '#desktop/main/held-data.ts';
import { soon } from '#test/support/soon.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

// Windows has no such sockets.
const testOnUnix = it.skipIf(process.platform === 'win32');

testOnUnix('ELECTRON-90 holds a folder for as long as the process runs, also when it is killed', async () => {
  await using temporary = await temporaryFolder('held');
  const folder = temporary.path;
  const code = `import { holdData } from '#desktop/main/held-data.ts'; await holdData(${JSON.stringify(folder)}, 'linux'); setInterval(() => {}, 1000); console.log('held');`;
  const other = execFile(process.execPath, ['--input-type=module', '--eval', code]);
  await once(other.stdout ?? process.stdin, 'data');
  expect(await holdData(folder, 'linux')).toMatchObject({ why: 'running' });
  expect(await holdData(folder, 'linux')).not.toBeNull();
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(existsSync(join(folder, 'running.sock'))).toBe(true);
  await soon(() => holdData(folder, 'linux')).toBeNull();
  expect(await holdData(folder, 'linux')).not.toBeNull();
});

testOnUnix('ELECTRON-90 goes on where there can be no socket', async () => {
  await using temporary = await temporaryFolder('held');
  const long = join(temporary.path, 'x'.repeat(100));
  mkdirSync(long);
  expect(await holdData(long, 'linux')).toBeNull();
  expect(readdirSync(long)).toEqual([]);
  expect(await holdData(join(temporary.path, 'missing'), 'linux')).toBeNull();
  expect(await holdData(temporary.path, 'win32')).toBeNull();
  expect(await holdData(temporary.path, 'linux')).toBeNull();
});
