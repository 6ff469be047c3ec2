import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { dialogHandlers } from '#desktop/main/dialogs.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { standInDialog } from './electron-stand-in.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder('dialogs');
});

afterEach(() => folder[Symbol.asyncDispose]());

const toOpen = { title: 'Import guides', filters: [], several: true };
const toSave = { title: 'Export', suggestedName: 'guide.zip', filters: [], bytes: new Uint8Array([1, 2]) };

describe('the file dialogs', () => {
  it('give the page names and bytes, never a path', async () => {
    await writeFile(join(folder.path, 'a.png'), 'a');
    const opened = await dialogHandlers(standInDialog([join(folder.path, 'a.png')])).openFiles(toOpen);
    expect(opened).toEqual([{ name: 'a.png', bytes: new TextEncoder().encode('a') }]);
  });

  it('save where the person chose, replacing an existing file', async () => {
    const path = join(folder.path, 'guide.zip');
    await writeFile(path, 'old');
    expect(await dialogHandlers(standInDialog([path])).saveFile(toSave)).toBe(true);
    expect([...(await readFile(path))]).toEqual([1, 2]);
    expect(await readdir(folder.path)).toEqual(['guide.zip']);
  });

  it('do nothing when the person cancels', async () => {
    const handlers = dialogHandlers(standInDialog([]));
    expect(await handlers.openFiles(toOpen)).toEqual([]);
    expect(await handlers.saveFile(toSave)).toBe(false);
  });

  it('leave no partial file when saving fails', async () => {
    const path = join(folder.path, 'taken');
    await mkdir(join(path, 'by a folder'), { recursive: true });
    await expect(dialogHandlers(standInDialog([path])).saveFile(toSave)).rejects.toThrow();
    expect(await readdir(folder.path)).toEqual(['taken']);
  });
});
