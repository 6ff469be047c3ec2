import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { IpcError } from '#desktop/ipc.ts';

import { unlessMissing } from './disk-errors.ts';

/**
 * Earlier versions, too, remove it when they open a journal, and do not list it: its name ends like those of temporary
 * files.
 */
const holderName = 'holder.tmp';

/**
 * Shows which process has a journal open: an empty file of its own in the folder, which the next one to open the journal
 * removes. The lock of Electron alone does not keep a second process out: on Linux and macOS it is a socket in a folder
 * for temporary files, where cleaners remove it (JOURNAL-18).
 */
export class JournalHolder {
  readonly #path: string;
  /** Open, so that no other file gets its number. Undefined where there was no room for it. */
  #file: FileHandle | undefined;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Call it after what another process left was removed, and before anything is read. Does not throw. */
  static async begin(folder: string): Promise<JournalHolder> {
    const holder = new JournalHolder(join(folder, holderName));
    await holder.#make();
    return holder;
  }

  /** @throws IpcError `unavailable` if another process has opened the journal */
  async require(): Promise<void> {
    if (this.#file === undefined) return;
    if (await isAt(this.#path, this.#file)) return;
    // Another process would have made its own. Somebody removed all temporary files, or the folder.
    if ((await stat(this.#path).catch(unlessMissing)) === undefined) return this.#make();
    throw new IpcError('unavailable', 'The journal was opened by another process');
  }

  async end(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #make(): Promise<void> {
    await this.end();
    this.#file = await open(this.#path, 'wx').catch(() => undefined);
  }
}

/** Whether this open file still is the one at the path. */
export async function isAt(path: string, file: FileHandle): Promise<boolean> {
  const [there, { ino, dev }] = await Promise.all([stat(path).catch(unlessMissing), file.stat()]);
  return there?.ino === ino && there.dev === dev;
}
