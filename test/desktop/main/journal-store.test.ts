import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type FileCalls, ballastSize, JournalFiles } from '#desktop/main/journal-store.ts';
import { IpcRouter } from '#desktop/main/ipc.ts';
import { journalHandlers } from '#desktop/main/journals.ts';
import { findBridge } from '#desktop/renderer/platform/bridge.ts';
import { openFileArchiveFiles } from '#desktop/renderer/platform/file-archive-files.ts';
import { openFileJournalStore } from '#desktop/renderer/platform/file-journal-store.ts';
import { must } from '#shared/must.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { open as openJournalOn, outboxOf, put } from '../engine/journal/world.ts';
import { ourPage, standInDialog } from './electron-stand-in.ts';
import { recordingHandlers } from './recording-handlers.ts';

let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
let folder: string;

beforeEach(async () => {
  temporary = await temporaryFolder('files');
  folder = join(temporary.path, 'journals/person');
});

afterEach(async () => {
  for (const files of opened.splice(0)) await files.close();
  await temporary[Symbol.asyncDispose]();
});

const opened: JournalFiles[] = [];

async function openFiles(...given: Parameters<typeof JournalFiles.open>): Promise<JournalFiles> {
  const files = await JournalFiles.open(...given);
  opened.push(files);
  return files;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The files of the journal, without the one that shows which process has it open. */
async function filesThere(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name !== 'holder.tmp');
}

/** Real calls that count, and fail according to `fail`. */
function calls(fail: { sync?: number; room?: number; code?: string } = {}): FileCalls & { syncs: number } {
  let room = fail.room ?? Infinity;
  return {
    syncs: 0,
    async write(file, given, at) {
      if (room === 0) throw Object.assign(new Error('failed'), { code: fail.code ?? 'ENOSPC' });
      // A disk that fills up stores part of a write first.
      const part = given.subarray(0, room);
      room -= part.length;
      return (await file.write(part, 0, part.length, at)).bytesWritten;
    },
    async sync(file) {
      this.syncs += 1;
      if (this.syncs === fail.sync) throw Object.assign(new Error('failed'), { code: 'EIO' });
      await file.sync();
    },
  };
}

describe('the journal files of the main process', () => {
  it('JOURNAL-1 appends at a position, cuts what followed it, and reads it back after a restart', async () => {
    const files = await openFiles(folder);
    await files.append('segment-1', 0, bytes('first'));
    await files.append('segment-1', 5, bytes(' torn tail'));
    await files.append('segment-1', 5, bytes(' new'));
    await files.close();
    const again = await openFiles(folder);
    expect(await again.read('segment-1')).toEqual(bytes('first new'));
    expect(await again.read('segment-2')).toBeUndefined();
    expect(await again.list()).toEqual(['segment-1']);
    await again.remove('segment-1');
    await again.remove('segment-1');
    expect(await again.list()).toEqual([]);
  });

  it('JOURNAL-1 requests fsync of the file, and of the folder when the file is new', async () => {
    await openFiles(folder);
    const counted = calls();
    const files = await openFiles(folder, counted);
    await files.append('segment-1', 0, bytes('a'));
    expect(counted.syncs).toBe(2);
    await files.append('segment-1', 1, bytes('b'));
    expect(counted.syncs).toBe(3);
    await files.write('file-1', bytes('c'));
    expect(counted.syncs).toBe(5);
  });

  it('ARCHIVE-2 writes pieces of a large file without fsync until it is requested', async () => {
    const counted = calls();
    const files = await openFiles(folder, counted);
    await files.put('archive-1', 0, bytes('first torn'));
    await files.put('archive-1', 5, bytes(' second'));
    const before = counted.syncs;
    await files.put('archive-1', 12, bytes(' third'));
    expect(counted.syncs).toBe(before);
    await files.flush('archive-1');
    expect(counted.syncs).toBe(before + 1);
    expect(await files.read('archive-1')).toEqual(bytes('first second third'));
    await expect(files.put('archive-1', 30, bytes('a'))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('JOURNAL-1 makes new folders durable from the first existing one', async () => {
    const counted = calls();
    await openFiles(folder, counted);
    expect(counted.syncs).toBe(2);
  });

  it('JOURNAL-2 refuses to append beyond the end of a file', async () => {
    const files = await openFiles(folder);
    await expect(files.append('segment-1', 3, bytes('a'))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('JOURNAL-9 reports a failed fsync as such', async () => {
    const files = await openFiles(folder, calls({ sync: 3 }));
    await expect(files.append('segment-1', 0, bytes('a'))).rejects.toMatchObject({ kind: 'sync-failed' });
  });

  it.each(['ENOSPC', 'EDQUOT'])(
    'JOURNAL-10 reports %s as no space, and the next append overwrites the torn one',
    async (code) => {
      const files = await openFiles(folder, calls({ room: 7, code }));
      await files.append('segment-1', 0, bytes('first'));
      await expect(files.append('segment-1', 5, bytes(' second'))).rejects.toMatchObject({
        kind: 'no-space',
      });
      const after = await openFiles(folder);
      expect(await after.read('segment-1')).toEqual(bytes('first s'));
      await after.append('segment-1', 5, bytes('!'));
      expect(await after.read('segment-1')).toEqual(bytes('first!'));
    },
  );

  it('JOURNAL-9 reports any other failure without a path', async () => {
    const files = await openFiles(folder, calls({ room: 0, code: 'EIO' }));
    const failed = files.write('file-1', bytes('a'));
    await expect(failed).rejects.toMatchObject({ kind: 'unavailable', message: 'The disk answered EIO' });
    expect(await filesThere()).toEqual([]);
  });

  it('JOURNAL-12 keeps the old file when writing the new one fails or is interrupted', async () => {
    await (await openFiles(folder)).write('file-1', bytes('old'));
    const failing = await openFiles(folder, calls({ room: 1 }));
    await expect(failing.write('file-1', bytes('new'))).rejects.toMatchObject({ kind: 'no-space' });
    await writeFile(join(folder, 'file-1.tmp'), 'ne');
    const again = await openFiles(folder);
    expect(await again.read('file-1')).toEqual(bytes('old'));
    expect(await filesThere()).toEqual(['file-1']);
  });

  it('JOURNAL-18 calls nothing stored that another process could overwrite, and overwrites nothing of it', async () => {
    const first = await openFiles(folder);
    await first.append('segment-1', 0, bytes('first'));
    await first.write('file-1', bytes('photo'));
    const second = await openFiles(folder);
    await second.append('segment-1', 5, bytes(' second'));
    const late = { kind: 'unavailable', message: 'The journal was opened by another process' };
    await expect(first.append('segment-1', 5, bytes('!'))).rejects.toMatchObject(late);
    await expect(first.write('file-1', bytes('other'))).rejects.toMatchObject(late);
    await expect(first.remove('segment-1')).rejects.toMatchObject(late);
    await second.append('segment-1', 12, bytes(' third'));
    expect(await second.read('segment-1')).toEqual(bytes('first second third'));
    expect(await second.read('file-1')).toEqual(bytes('photo'));
  });

  it('JOURNAL-18 an append that another process did not see when it opened the journal is not called stored', async () => {
    let during = async (): Promise<void> => undefined;
    const first = await openFiles(folder, {
      ...calls(),
      async sync(file) {
        await during();
        await file.sync();
      },
    });
    await first.append('segment-1', 0, bytes('first'));
    during = async () => void (await openFiles(folder));
    await expect(first.append('segment-1', 5, bytes('!'))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it.each([
    ['removed', () => rm(folder, { recursive: true })],
    ['moved away', () => rename(folder, `${folder}-moved`)],
    [
      'replaced by a copy',
      async () => {
        await cp(folder, `${folder}-copy`, { recursive: true });
        await rm(folder, { recursive: true });
        await rename(`${folder}-copy`, folder);
      },
    ],
  ])('JOURNAL-18 calls nothing stored in a folder that was %s', async (_how, happen) => {
    const files = await openFiles(folder);
    await files.append('segment-1', 0, bytes('first'));
    await happen();
    await expect(files.append('segment-1', 5, bytes('!'))).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(files.flush('segment-1')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('JOURNAL-18 goes on when a program that removes temporary files removed the sign of who has it open', async () => {
    const files = await openFiles(folder);
    await files.append('segment-1', 0, bytes('first'));
    await rm(join(folder, 'holder.tmp'));
    await files.append('segment-1', 5, bytes('!'));
    await openFiles(folder);
    await expect(files.append('segment-1', 6, bytes('!'))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('JOURNAL-10 reserves 32 MB that cannot be compressed away, and releases them', async () => {
    const files = await openFiles(folder);
    expect(await files.releaseBallast()).toBe(false);
    expect(await files.reserveBallast()).toBe(true);
    expect(await files.reserveBallast()).toBe(true);
    const ballast = await readFile(join(folder, 'ballast.bin'));
    expect([ballast.length, new Set(ballast.subarray(0, 4096)).size > 200]).toEqual([ballastSize, true]);
    expect(await files.list()).toEqual([]);
    expect(await files.releaseBallast()).toBe(true);
    expect(await filesThere()).toEqual([]);
    const full = await openFiles(folder, calls({ room: 1000 }));
    expect(await full.reserveBallast()).toBe(false);
    expect(await filesThere()).toEqual([]);
  });
});

describe('the journal over the bridge', () => {
  const processes: { closeAll(): Promise<void> }[] = [];

  afterEach(async () => {
    for (const main of processes.splice(0)) await main.closeAll();
  });

  function bridge(folderOfAll: string, chosen: string[] = []) {
    const handlers = journalHandlers(folderOfAll, standInDialog(chosen));
    processes.push(handlers);
    const router = new IpcRouter(recordingHandlers([], handlers), () => undefined);
    const page = {
      benchbook: {
        call: async (name: string, args: unknown[]) =>
          structuredClone(await router.answer(ourPage, name, structuredClone(args))),
      },
    };
    return must(findBridge(page), 'a bridge');
  }

  it('ARCHIVE-2 stores large files in pieces, reads parts of them, and exports whole copies', async () => {
    const target = join(temporary.path, 'given.omanual');
    const main = bridge(temporary.path, [target]);
    const files = await openFileArchiveFiles(main);
    const writer = await files.open('archive-1', 0);
    await writer.write(new Uint8Array([1, 2, 3]));
    await writer.write(new Uint8Array([9, 9]));
    await writer.flush();
    const again = await files.open('archive-1', 3);
    await again.write(new Uint8Array([4, 5]));
    await again.flush();
    expect(again.size).toBe(5);
    const source = await files.source('archive-1');
    expect(source.size).toBe(5);
    expect(await source.read(1, 3)).toEqual(new Uint8Array([2, 3, 4]));
    await expect(source.read(4, 2)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await files.give('archive-1', { filename: 'a/b:c.omanual', title: 'Where' })).toBe(true);
    expect([...(await readFile(target))]).toEqual([1, 2, 3, 4, 5]);
    expect(await files.list()).toEqual(['archive-1']);
    await files.remove('archive-1');
    expect(await files.size('archive-1')).toBeUndefined();
    await expect(files.source('archive-1')).rejects.toMatchObject({ kind: 'missing' });
  });

  it('JOURNAL-2 stores records and files on the disk', async () => {
    const main = bridge(temporary.path);
    const journal = await openJournalOn(await openFileJournalStore(main, 'person'));
    expect(journal.health()).toMatchObject({ durability: 'file', writable: true, lowSpace: false });
    await journal.append([put('a', { update: new Uint8Array([1, 2]) })]);
    await journal.putFile('photo', new Uint8Array(100_000).fill(3), { type: 'image/png', name: 'p.png' });
    await journal.compact();
    await journal.append([put('b', 1)]);
    await journal.close();

    const again = await openJournalOn(await openFileJournalStore(bridge(temporary.path), 'person'), 1);
    expect(await outboxOf(again)).toEqual({ a: { update: new Uint8Array([1, 2]) }, b: 1 });
    expect((await again.readFile('photo')).bytes).toEqual(new Uint8Array(100_000).fill(3));
    const other = await openJournalOn(await openFileJournalStore(main, 'other'), 2);
    expect(await outboxOf(other)).toEqual({});
  });

  it('JOURNAL-14 refuses a page whose journal another page has taken over', async () => {
    const main = bridge(temporary.path);
    const before = await openJournalOn(await openFileJournalStore(main, 'person'));
    await before.append([put('a', 1)]);
    const after = await openJournalOn(await openFileJournalStore(main, 'person'), 1);
    await expect(before.append([put('a', 'late')])).rejects.toMatchObject({ kind: 'unavailable' });
    expect(before.health()).toMatchObject({ writable: false });
    await after.append([put('b', 2)]);
    expect(await outboxOf(after)).toEqual({ a: 1, b: 2 });
  });

  it('JOURNAL-2 keeps every acknowledged append of a killed process', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const writer = execFile(process.execPath, [
        join(import.meta.dirname, 'append-forever.ts'),
        folder,
        String(round),
      ]);
      const died = new Promise((resolve) => writer.once('exit', resolve));
      let text = '';
      await new Promise<void>((resolve, reject) => {
        writer.once('exit', () => reject(new Error('The writer ended by itself')));
        writer.stdout?.on('data', (part: string) => {
          text += part;
          if (text.split('\n').length > 50 + round * 17) resolve();
        });
      });
      writer.kill('SIGKILL');
      await died;
      acknowledged.push(...text.split('\n').slice(0, -1));
    }
    const journal = await openJournalOn(
      await openFileJournalStore(bridge(join(temporary.path, 'journals')), 'person'),
    );
    const numbers = Object.keys(await outboxOf(journal));
    expect(numbers).toEqual(expect.arrayContaining(acknowledged));
    expect(journal.health().damage.every(({ kind }) => kind === 'tail')).toBe(true);
  });
});
