// oxlint-disable-next-line no-restricted-imports -- names of temporary files, which nobody sees
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { BadSetting } from '#server/platform/config.ts';
import { syncFolder } from '#server/media/sync-folder.ts';
import { lockFolder } from '#server/storage/folder-lock.ts';

/**
 * The storage of backups. Names are relative paths of letters, digits, `-`, `.` and `/`. A folder is the only target so
 * far; another kind of storage needs to implement this interface only.
 */
export interface BackupTarget {
  /** Its name in messages. */
  readonly label: string;
  /** Whether a name exists. */
  has(name: string): Promise<boolean>;
  /** Sorted names under a folder; empty if the folder does not exist. */
  list(folder: string): Promise<string[]>;
  /** The content of a name. Reading throws if it does not exist or cannot be read. */
  read(name: string): AsyncIterable<Uint8Array>;
  /** Stores content durably. The name appears only when the content is complete. */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  remove(name: string): Promise<void>;
  /** Locks the target for writing, until disposed of; null if another process has the lock. */
  lock(): Promise<Disposable | null>;
  /** Free space in bytes; null if unknown. */
  freeBytes(): Promise<number | null>;
}

/** Makes a folder and its parents one by one: the recursive mode of Node.js never ends in `/proc`. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder, { mode: folderMode });
}

/** Folder of the target for incomplete content. */
const incoming = 'incoming';

const folderMode = 0o700;
const fileMode = 0o600;

/** A folder on a disk or a network share. */
export class FolderTarget implements BackupTarget {
  readonly label: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.label = folder;
  }

  /** Opens a folder. `make`: create it if needed. @throws BadSetting if it does not exist or cannot be created */
  static async open(folder: string, { make }: { make: boolean }): Promise<FolderTarget> {
    try {
      if (make) await makeFolder(folder);
      else await readdir(folder);
    } catch (cause) {
      const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
      throw new BadSetting(
        code === 'ENOENT'
          ? `There is no folder ${folder}.`
          : `The folder ${folder} cannot be used for backups (${code}).`,
        { cause },
      );
    }
    return new FolderTarget(folder);
  }

  async has(name: string): Promise<boolean> {
    try {
      await stat(this.#path(name));
      return true;
    } catch (error) {
      const { code = 'unknown error' } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return false;
      throw new BadSetting(`The folder ${this.#folder} cannot be used for backups (${code}).`, {
        cause: error,
      });
    }
  }

  async list(folder: string): Promise<string[]> {
    try {
      const entries = await readdir(join(this.#folder, folder), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) =>
          join(entry.parentPath, entry.name)
            .slice(this.#folder.length + 1)
            .replaceAll('\\', '/'),
        )
        .toSorted();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  read(name: string): AsyncIterable<Uint8Array> {
    return createReadStream(this.#path(name), { highWaterMark: 1024 * 1024 });
  }

  async write(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#path(name);
    const temporary = join(this.#folder, incoming, randomUUID());
    for (const folder of [dirname(temporary), dirname(path)])
      await mkdir(folder, { recursive: true, mode: folderMode });
    try {
      {
        await using file = await open(temporary, 'wx', fileMode);
        for await (const chunk of content) await file.writeFile(chunk);
        await file.sync();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncFolder(dirname(path));
  }

  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
  }

  async lock(): Promise<Disposable | null> {
    const lock = lockFolder(this.#folder, 'backup.lock');
    // Left by a process that was killed.
    if (lock !== null) await rm(join(this.#folder, incoming), { recursive: true, force: true });
    return lock;
  }

  async freeBytes(): Promise<number | null> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }

  #path(name: string): string {
    if (!/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(name)) throw new Error(`Not a name of a backup: ${name}`);
    return join(this.#folder, name);
  }
}
