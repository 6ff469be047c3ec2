// oxlint-disable-next-line no-restricted-imports -- names of temporary files, which nobody sees
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { wasWritten } from '#server/platform/was-written.ts';
import type { ByteSink } from '#shared/formats/omanual/source.ts';
import { syncFolder } from '#server/media/sync-folder.ts';
import { lockFolder } from '#server/storage/folder-lock.ts';

import { ArrivingFiles } from './arriving-files.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /** Archives made by the server, and uploaded files of imports. */
    archives: ArchiveFiles;
  }
}

/** Hash and size of a written file. */
export interface WrittenFile {
  sha256: string;
  size: number;
}

/** Archives made by the server, and uploaded files of imports. A file gets its name when it is complete and on disk. */
export class ArchiveFiles {
  readonly #folder: string;
  /** Files of imports that arrive in parts. */
  readonly arriving = new ArrivingFiles((importid) => this.uploadPath(importid));

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<ArchiveFiles> {
    await mkdir(join(folder, 'writing'), { recursive: true });
    await mkdir(join(folder, 'uploads'), { recursive: true });
    await mkdir(join(folder, 'command'), { recursive: true });
    return new ArchiveFiles(folder);
  }

  /** Removes unfinished files of an earlier process that were written before a time, UNIX ms. */
  async clear(before: number): Promise<void> {
    for (const name of await readdir(join(this.#folder, 'writing'))) {
      const path = join(this.#folder, 'writing', name);
      if (await wasWritten(path, before)) await rm(path, { force: true });
    }
  }

  /** Locks imports on the command line for this process; null if another process has the lock. */
  lockForCommand(): Disposable | null {
    return lockFolder(join(this.#folder, 'command'));
  }

  /** The path of an archive. It is named by the hash of its content, or by the job that made it for a person. */
  path(name: string): string {
    if (!/^[\w-]{1,80}$/.test(name)) throw new Error('Expected a name of letters, digits and -');
    return join(this.#folder, `${name}.omanual`);
  }

  /** The path of the file of an import, which may be incomplete or missing. */
  uploadPath(importid: number): string {
    return join(this.#folder, 'uploads', String(importid));
  }

  /** Writes an archive; `nameOf` names it when its hash is known. If `make` throws, nothing is left. */
  async write<T>(
    make: (sink: ByteSink) => Promise<T>,
    nameOf: (file: WrittenFile) => string,
  ): Promise<WrittenFile & { made: T }> {
    const { path, made, ...written } = await this.#writeTemporary(make, true);
    try {
      await rename(path, this.path(nameOf(written)));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    await syncFolder(this.#folder);
    return { ...written, made };
  }

  /**
   * Writes a temporary file, which the caller removes after sending it. After a crash it is removed at the next start.
   */
  async writeOnce(make: (sink: ByteSink) => Promise<unknown>): Promise<WrittenFile & { path: string }> {
    const { path, sha256, size } = await this.#writeTemporary(make, false);
    return { path, sha256, size };
  }

  async #writeTemporary<T>(
    make: (sink: ByteSink) => Promise<T>,
    lasts: boolean,
  ): Promise<WrittenFile & { path: string; made: T }> {
    const path = join(this.#folder, 'writing', randomUUID());
    const file = await open(path, 'wx');
    try {
      const sink = new HashingSink(file, lasts);
      const made = await make(sink);
      await sink.finish();
      await file.close();
      return { path, made, ...sink.written() };
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(path, { force: true });
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.path(name), { force: true });
  }

  /** Writes the file of an import from its beginning, hashed on the way; `fill` writes its bytes. */
  async writeUpload(importid: number, fill: (sink: HashingSink) => Promise<void>): Promise<WrittenFile> {
    const file = await open(this.uploadPath(importid), 'w');
    try {
      const sink = new HashingSink(file, true);
      await fill(sink);
      await sink.finish();
      return sink.written();
    } finally {
      await file.close();
    }
  }

  /** The number of bytes of the file of an import; null if there is no file. */
  async uploadSize(importid: number): Promise<number | null> {
    try {
      return (await stat(this.uploadPath(importid))).size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** Gives another import the same file, which never changes once it is complete. */
  async shareUpload(importid: number, other: number): Promise<void> {
    await rm(this.uploadPath(other), { force: true });
    await link(this.uploadPath(importid), this.uploadPath(other)).catch(() =>
      copyFile(this.uploadPath(importid), this.uploadPath(other)),
    );
  }

  /** The ids of imports with a file. */
  async uploads(): Promise<number[]> {
    return (await readdir(join(this.#folder, 'uploads'))).map(Number).filter(Number.isInteger);
  }

  async removeUpload(importid: number): Promise<void> {
    await rm(this.uploadPath(importid), { force: true });
  }
}

/** Bytes that are written together, because most pieces of an archive are small. */
const writtenTogether = 1024 * 1024;

/** Bytes after which they are synced to disk early, so that the final sync is short. */
const begunTogether = 4 * 1024 * 1024;

class HashingSink implements ByteSink {
  readonly #file: FileHandle;
  readonly #lasts: boolean;
  readonly #hash = createHash('sha256');
  #size = 0;
  #waiting: Uint8Array[] = [];
  #waitingSize = 0;
  #begun = 0;
  #syncing: Promise<void> = Promise.resolve();

  /** `lasts`: whether the file must be synced to disk. */
  constructor(file: FileHandle, lasts: boolean) {
    this.#file = file;
    this.#lasts = lasts;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#size += bytes.length;
    this.#waiting.push(bytes);
    this.#waitingSize += bytes.length;
    if (this.#waitingSize >= writtenTogether) await this.#flush();
  }

  /** Resolves when everything is written, and synced if the file lasts. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#syncing;
    if (this.#lasts) await this.#file.sync();
  }

  async #flush(): Promise<void> {
    const whole = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingSize = 0;
    await this.#file.writeFile(whole);
    if (!this.#lasts || this.#size - this.#begun < begunTogether) return;
    // A sync error is reported only once, so the pending sync must be awaited here.
    await this.#syncing;
    this.#begun = this.#size;
    this.#syncing = this.#file.datasync();
    this.#syncing.catch(() => undefined);
  }

  written(): WrittenFile {
    return { sha256: this.#hash.digest('hex'), size: this.#size };
  }
}
