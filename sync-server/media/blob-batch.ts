// oxlint-disable-next-line no-restricted-imports -- names of temporary files, which nobody sees
import { hash, randomUUID } from 'node:crypto';
import {
  close,
  closeSync,
  fsync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { blobPath, type StoredBlob } from './blobs.ts';
import { syncFolder } from './sync-folder.ts';

interface Written {
  temporary: string;
  path: string;
  size: number;
  file: number;
}

const synced = promisify(fsync);
const closed = promisify(close);

/**
 * Stores many small blobs in the folder of `FileBlobs`, for a process that does nothing else: it writes without giving way
 * to other work, and all files wait for the disk together. Until `keep`, nothing is stored (MEDIA-11).
 */
export class BlobBatch implements AsyncDisposable {
  readonly #folder: string;
  readonly #incoming: string;
  readonly #known: Set<string>;
  #written: Written[] = [];

  /** `known`: folders that are known to exist, shared by the batches of a process. */
  constructor(folder: string, known: Set<string>) {
    this.#known = known;
    this.#folder = folder;
    this.#incoming = join(folder, 'incoming');
  }

  /** Writes a blob, unless it is stored already. */
  add(content: Uint8Array): StoredBlob {
    const sha256 = hash('sha256', content);
    const path = blobPath(this.#folder, sha256);
    const stored = { sha256, size: content.length };
    if (sizeOf(path) !== content.length) {
      const temporary = join(this.#incoming, `${sha256}.${randomUUID()}`);
      this.#written.push({ temporary, path, size: content.length, file: writtenFile(temporary, content) });
    }
    return stored;
  }

  /** Writes a temporary file that is not stored; returns its path. Whoever reads it removes it. */
  set(content: Uint8Array): string {
    const path = join(this.#incoming, randomUUID());
    closeSync(writtenFile(path, content));
    return path;
  }

  /** Resolves when all of them would survive a power loss. */
  async keep(): Promise<void> {
    const all = this.#written;
    await Promise.all(all.map(({ file }) => synced(file)));
    await syncFolder(this.#incoming);
    await this.#close();
    await this.#makeFolders(all.map(({ path }) => dirname(path)));
    for (const { temporary, path, size } of all) {
      try {
        renameSync(temporary, path);
      } catch (error) {
        // A process that started meanwhile may have moved it already.
        if (sizeOf(path) !== size) throw error;
      }
    }
  }

  async #makeFolders(wanted: readonly string[]): Promise<void> {
    const folders = [...new Set(wanted)].filter((folder) => !this.#known.has(folder));
    const made = folders.filter((folder) => mkdirSync(folder, { recursive: true }) !== undefined);
    if (made.length > 0) await syncFolder(this.#folder);
    for (const folder of folders) this.#known.add(folder);
  }

  /** Removes what was not kept. */
  async [Symbol.asyncDispose](): Promise<void> {
    const all = this.#written;
    await this.#close();
    for (const { temporary } of all) rmSync(temporary, { force: true });
  }

  async #close(): Promise<void> {
    const all = this.#written;
    this.#written = [];
    await Promise.all(all.map(({ file }) => closed(file)));
  }
}

function writtenFile(path: string, content: Uint8Array): number {
  const file = openSync(path, 'wx');
  try {
    for (let done = 0; done < content.length;) done += writeSync(file, content, done);
    return file;
  } catch (error) {
    closeSync(file);
    rmSync(path, { force: true });
    throw error;
  }
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
