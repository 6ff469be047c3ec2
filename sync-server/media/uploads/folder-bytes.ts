import { mkdir, open, readdir, readFile, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { expiryOf } from './expiry.ts';
import type { FoundUpload, UploadBytes } from './upload-bytes.ts';

/**
 * Uploads in a folder of this machine, one folder per person. The name of a file contains the upload's id and total size,
 * its content is what has arrived, and its time is that of the last byte.
 */
export class FolderBytes implements UploadBytes {
  readonly #folder: string;
  readonly #now: () => number;

  private constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  /** Opens the folder, making it if needed. `now`: wall clock, ms. */
  static async open(folder: string, now: () => number): Promise<FolderBytes> {
    await mkdir(folder, { recursive: true });
    return new FolderBytes(folder, now);
  }

  async people(): Promise<number[]> {
    return (await readdir(this.#folder)).map(Number);
  }

  async list(userid: number, only?: string): Promise<FoundUpload[]> {
    const names = await readdir(this.#folderOf(userid)).catch((error: unknown) => gone(error) ?? []);
    const found: FoundUpload[] = [];
    for (const name of names) {
      const [id = '', size] = name.split('.');
      if (only !== undefined && id !== only) continue;
      const about = await stat(join(this.#folderOf(userid), name)).catch(gone);
      if (about === undefined) continue;
      const expires_date = expiryOf(about.mtimeMs);
      found.push({ userid, state: { upload: id, offset: about.size, size: Number(size), expires_date } });
    }
    return found;
  }

  async begin(userid: number, id: string, size: number): Promise<void> {
    await mkdir(this.#folderOf(userid), { recursive: true });
    await this.#closeTouched(await open(join(this.#folderOf(userid), `${id}.${size}`), 'a'));
  }

  async append(upload: FoundUpload, pieces: AsyncIterable<Buffer>): Promise<void> {
    const file = await open(this.#pathOf(upload), 'a');
    try {
      for await (const piece of pieces) await file.writeFile(piece);
      await file.sync();
    } finally {
      await this.#closeTouched(file);
    }
  }

  read(upload: FoundUpload): Promise<Buffer> {
    return readFile(this.#pathOf(upload));
  }

  async remove(upload: FoundUpload): Promise<void> {
    await rm(this.#pathOf(upload), { force: true });
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }

  /** Sets the modification time of a file to now, and closes it. */
  async #closeTouched(file: FileHandle): Promise<void> {
    const seconds = this.#now() / 1000;
    await file.utimes(seconds, seconds);
    await file.close();
  }

  #pathOf({ userid, state }: FoundUpload): string {
    return join(this.#folderOf(userid), `${state.upload}.${state.size}`);
  }

  #folderOf(userid: number): string {
    return join(this.#folder, String(userid));
  }
}

/** Returns undefined for ENOENT, for use with `catch`; throws any other error. */
function gone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
