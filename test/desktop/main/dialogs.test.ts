import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { dialogHandlers, pdfHandlers } from '#desktop/main/dialogs.ts';
import { journalHandlers } from '#desktop/main/journals.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { standInDialog } from './electron-stand-in.ts';

const closers: (() => Promise<void>)[] = [];
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder('dialogs');
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await folder[Symbol.asyncDispose]();
});

const toOpen = { title: 'Import guides', filters: [], several: true };
const toSave = { title: 'Export', suggestedName: 'guide.zip', filters: [], bytes: new Uint8Array([1, 2]) };

/** The calls that save a file where the person chooses. */
async function savers(path: string): Promise<(() => Promise<boolean>)[]> {
  const dialog = standInDialog([path]);
  const journals = journalHandlers(join(folder.path, 'journals'), dialog);
  closers.push(() => journals.closeAll());
  const lease = await journals.journalOpen('archives');
  await journals.journalAppend(lease, 'a', 0, new Uint8Array([1, 2]));
  return [
    () => dialogHandlers(dialog).saveFile(toSave),
    () => journals.journalSaveAs(lease, 'a', { title: 'Save', suggestedName: 'a.zip', filters: [] }),
  ];
}

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

  it('save the page as a PDF where the person chose, and make none when they cancel', async () => {
    const path = join(folder.path, 'WO-7.pdf');
    const asked = { title: 'Save as PDF', suggestedName: 'WO-7.pdf' };
    let printed = 0;
    const print = async (): Promise<Uint8Array> => {
      printed += 1;
      return new TextEncoder().encode('%PDF');
    };
    expect(await pdfHandlers(standInDialog([]), print).savePdf(asked)).toBe(false);
    expect(printed).toBe(0);
    expect(await pdfHandlers(standInDialog([path]), print).savePdf(asked)).toBe(true);
    expect(await readFile(path, 'utf8')).toBe('%PDF');
  });

  it('leave no partial file when saving fails', async () => {
    const path = join(folder.path, 'taken');
    await mkdir(join(path, 'by a folder'), { recursive: true });
    for (const save of await savers(path)) await expect(save()).rejects.toThrow();
    expect((await readdir(folder.path)).toSorted()).toEqual(['journals', 'taken']);
  });

  it('ELECTRON-58 leave the other files of the folder alone, also those named like partial ones', async () => {
    const path = join(folder.path, 'guide.zip');
    const blocked = join(folder.path, 'blocked');
    await mkdir(join(blocked, 'by a folder'), { recursive: true });
    for (const name of [path, blocked]) await writeFile(`${name}.part`, 'of the person');
    for (const save of await savers(path)) expect(await save()).toBe(true);
    for (const save of await savers(blocked)) await expect(save()).rejects.toThrow();
    for (const name of [path, blocked]) expect(await readFile(`${name}.part`, 'utf8')).toBe('of the person');
    expect((await readdir(folder.path)).toSorted()).toEqual([
      'blocked',
      'blocked.part',
      'guide.zip',
      'guide.zip.part',
      'journals',
    ]);
  });
});
