import { randomFillSync } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import pLimit from 'p-limit';

import { IpcError } from '#desktop/ipc.ts';

import { asIpcError, unlessMissing } from './disk-errors.ts';
import { copyWhole, readPart } from './file-bytes.ts';
import { isAt, JournalHolder } from './journal-holder.ts';

/** File system calls that tests can make fail. */
export interface FileCalls {
  write(file: FileHandle, bytes: Uint8Array, at: number): Promise<number>;
  sync(file: FileHandle): Promise<void>;
}

const realCalls: FileCalls = {
  write: async (file, bytes, at) => (await file.write(bytes, 0, bytes.length, at)).bytesWritten,
  sync: (file) => file.sync(),
};

/** The file that reserves space. */
export const ballastName = 'ballast.bin';
/** Space reserved for the time when the disk is full, bytes. */
export const ballastSize = 32 * 1024 * 1024;
const TEMPORARY = '.tmp';

/**
 * The files of one journal, in one folder. Calls run one after the other, in the order in which they were made.
 */
export class JournalFiles {
  readonly #folder: string;
  readonly #calls: FileCalls;
  readonly #holder: JournalHolder;
  /** The file that was appended to last; it stays open. */
  #open: { name: string; file: FileHandle } | undefined;
  readonly #queue = pLimit(1);

  private constructor(folder: string, calls: FileCalls, holder: JournalHolder) {
    this.#folder = folder;
    this.#calls = calls;
    this.#holder = holder;
  }

  /** Opens `folder`, creates it if needed, and removes temporary files of interrupted writes. */
  static async open(folder: string, calls: FileCalls = realCalls): Promise<JournalFiles> {
    const created = await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) {
      if (name.endsWith(TEMPORARY)) await rm(join(folder, name), { force: true });
    }
    const files = new JournalFiles(folder, calls, await JournalHolder.begin(folder));
    if (created !== undefined) await files.#syncNewFolders(created);
    return files;
  }

  list(): Promise<string[]> {
    return this.#inOrder(async () => {
      const names = await readdir(this.#folder);
      return names.filter((name) => name !== ballastName && !name.endsWith(TEMPORARY)).toSorted();
    });
  }

  read(name: string): Promise<Uint8Array | undefined> {
    return this.#inOrder(async () => {
      const bytes = await readFile(join(this.#folder, name)).catch(unlessMissing);
      return bytes === undefined ? undefined : new Uint8Array(bytes);
    });
  }

  size(name: string): Promise<number | undefined> {
    return this.#inOrder(async () => (await stat(join(this.#folder, name)).catch(unlessMissing))?.size);
  }

  /** Reads exactly `length` bytes, starting at `at`. */
  readPart(name: string, at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#inOrder(() => readPart(join(this.#folder, name), at, length));
  }

  /** Copies a file to a path outside the journal, completely or not at all. */
  copyTo(name: string, path: string): Promise<void> {
    return this.#inOrder(() => copyWhole(join(this.#folder, name), path));
  }

  append(name: string, at: number, bytes: Uint8Array): Promise<void> {
    return this.#inOrder(async () => {
      const file = await this.#put(name, at, bytes);
      await this.#sync(file);
      await this.#requireThere(name, file);
    });
  }

  /** As `append`, without fsync. The bytes are safe after `flush`. */
  put(name: string, at: number, bytes: Uint8Array): Promise<void> {
    return this.#inOrder(async () => void (await this.#put(name, at, bytes)));
  }

  /** Resolves after an fsync of everything that was written to the file. */
  flush(name: string): Promise<void> {
    return this.#inOrder(async () => {
      const { file } = await this.#openToAppend(name);
      await this.#sync(file);
      await this.#requireThere(name, file);
    });
  }

  write(name: string, bytes: Uint8Array): Promise<void> {
    return this.#inOrder(async () => {
      await this.#holder.require();
      if (this.#open?.name === name) await this.#closeOpen();
      await this.#replace(name, bytes);
      await this.#holder.require();
    });
  }

  remove(name: string): Promise<void> {
    return this.#inOrder(async () => {
      await this.#holder.require();
      if (this.#open?.name === name) await this.#closeOpen();
      await rm(join(this.#folder, name), { force: true });
    });
  }

  releaseBallast(): Promise<boolean> {
    return this.#inOrder(async () => {
      const existing = await stat(join(this.#folder, ballastName)).catch(unlessMissing);
      await rm(join(this.#folder, ballastName), { force: true });
      return existing !== undefined;
    });
  }

  reserveBallast(): Promise<boolean> {
    return this.#inOrder(async () => {
      const existing = await stat(join(this.#folder, ballastName)).catch(unlessMissing);
      if (existing?.size === ballastSize) return true;
      try {
        // Random bytes, because some file systems store zeros without using space.
        await this.#replace(ballastName, randomFillSync(new Uint8Array(ballastSize)));
        return true;
      } catch (error) {
        await rm(join(this.#folder, ballastName), { force: true });
        if (error instanceof IpcError && error.kind === 'no-space') return false;
        throw error;
      }
    });
  }

  close(): Promise<void> {
    return this.#inOrder(async () => {
      await this.#closeOpen();
      await this.#holder.end();
    });
  }

  /** Writes a temporary file and renames it, so that the name always has either the old or the new bytes. */
  async #replace(name: string, bytes: Uint8Array): Promise<void> {
    const temporary = join(this.#folder, name + TEMPORARY);
    try {
      await using file = await open(temporary, 'w').catch(asIpcError);
      await this.#writeAll(file, bytes, 0);
      await this.#sync(file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await rename(temporary, join(this.#folder, name)).catch(asIpcError);
    await this.#syncFolder(this.#folder);
  }

  async #put(name: string, at: number, bytes: Uint8Array): Promise<FileHandle> {
    await this.#holder.require();
    const { file, created } = await this.#openToAppend(name);
    const { size } = await file.stat();
    if (size < at) throw new IpcError('unavailable', `${name} is shorter than what was written to it`);
    if (size > at) await file.truncate(at);
    await this.#writeAll(file, bytes, at);
    if (created) await this.#syncFolder(this.#folder);
    return file;
  }

  async #openToAppend(name: string): Promise<{ file: FileHandle; created: boolean }> {
    if (this.#open?.name === name) return { file: this.#open.file, created: false };
    await this.#closeOpen();
    const path = join(this.#folder, name);
    const existing = await open(path, 'r+').catch(unlessMissing);
    const file = existing ?? (await open(path, 'wx+').catch(asIpcError));
    this.#open = { name, file };
    return { file, created: existing === undefined };
  }

  async #writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const count = await this.#calls.write(file, bytes.subarray(written), at + written).catch(asIpcError);
      if (count === 0) throw new IpcError('no-space', 'No space is left on the disk');
      written += count;
    }
  }

  /** @throws IpcError if the next start would not find what was written to this file (JOURNAL-18) */
  async #requireThere(name: string, file: FileHandle): Promise<void> {
    await this.#holder.require();
    if (!(await isAt(join(this.#folder, name), file)))
      throw new IpcError('unavailable', `${name} was removed, moved or replaced`);
  }

  /** After a failed fsync the system may have dropped the bytes, so that a later success proves nothing. */
  async #sync(file: FileHandle): Promise<void> {
    await this.#calls.sync(file).catch((cause: unknown) => {
      throw new IpcError('sync-failed', 'The disk did not take what was written', {
        cause,
      });
    });
  }

  async #syncFolder(folder: string): Promise<void> {
    // Windows has no fsync for folders; NTFS journals their entries itself.
    if (process.platform === 'win32') return;
    await using handle = await open(folder, 'r');
    await this.#sync(handle);
  }

  async #syncNewFolders(first: string): Promise<void> {
    for (let folder = this.#folder; folder.length >= first.length; folder = dirname(folder)) {
      await this.#syncFolder(dirname(folder));
    }
  }

  async #closeOpen(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.file.close();
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue(work).catch(asIpcError);
  }
}
