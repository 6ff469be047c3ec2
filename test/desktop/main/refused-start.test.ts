import { writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { holdData } from '#desktop/main/held-data.ts';
import { soon } from '#test/support/soon.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { standInElectron } from './electron-stand-in.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let electron: ReturnType<typeof standInElectron>;

beforeEach(async () => {
  folder = await temporaryFolder('refused-start');
  electron = standInElectron(folder.path);
  vi.resetModules();
  vi.doMock('electron', () => electron);
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.doUnmock('electron');
  await folder[Symbol.asyncDispose]();
});

/** Starts the program; returns what it said when it ended. */
async function refused(): Promise<string[]> {
  await import('#desktop/main/main.ts');
  electron.app.ready.resolve();
  await soon(() => electron.app.did).toContain('exit 1');
  expect(electron.windows).toEqual([]);
  return electron.dialog.errors;
}

// Windows keeps a second process out, and hands over all arguments.
describe.skipIf(process.platform === 'win32')('the program opens no window and ends', () => {
  it('ELECTRON-88 in a folder that it cannot use', async () => {
    electron.app.firstInstance = false;
    await folder[Symbol.asyncDispose]();
    await writeFile(folder.path, 'a file');
    expect(await refused()).toEqual(['Benchbook cannot write to the folder of its data']);
  });

  it('ELECTRON-89 with too many files', async () => {
    const many = Array<string>(1000).fill(`/${'x'.repeat(30)}.zip`);
    vi.spyOn(process, 'argv', 'get').mockReturnValue(many);
    expect(await refused()).toEqual(['Benchbook cannot open so many files at once']);
  });

  it('ELECTRON-90 if another process works with its data, which the lock of Electron did not notice', async () => {
    await holdData(folder.path, process.platform);
    expect(await refused()).toEqual(['Benchbook is running already']);
  });
});
