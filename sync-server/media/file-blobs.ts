// oxlint-disable-next-line no-restricted-imports -- names of temporary files, which nobody sees
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { sha256Of } from '#server/platform/slices.ts';

import { blobPath, isSha256, type Blobs, type ListedBlob, type StoredBlob } from './blobs.ts';
import type { IncomingFile } from './incoming.ts';
import { receiveInto } from './receiving.ts';
import { DiskFile, type StoredFile } from './stored-file.ts';
import { SharedWait, syncFolder } from './sync-folder.ts';

/** An incomplete file is removed at a start if nothing was written to it for this time, ms. */
const abandonedMs = 3_600_000;

/**
 * Blobs in a folder of this machine. Data derived from a blob is stored next to it.
 *
 * - MEDIA-11 A stored file is complete and on disk before a record refers to it, even after a power loss. Files that
 *   arrive together share their waits for the disk.
 */
export class FileBlobs implements Blobs {
  readonly folder: string;
  readonly areLocal = true;
  readonly #incoming: string;
  readonly #making = new Map<string, Promise<StoredFile>>();
  readonly #incomingSynced: SharedWait;
  /** Folders that are known to exist. */
  readonly #folders = new Set<string>();

  private constructor(folder: string) {
    this.folder = folder;
    this.#incoming = join(folder, 'incoming');
    this.#incomingSynced = new SharedWait(() => syncFolder(this.#incoming));
  }

  /**
   * Opens the store in `folder`, making it if needed. Complete files that a power loss left in `incoming` are moved to
   * their names; remains of interrupted uploads are removed.
   */
  static async open(folder: string): Promise<FileBlobs> {
    const blobs = new FileBlobs(folder);
    await mkdir(blobs.#incoming, { recursive: true });
    for (const name of await readdir(blobs.#incoming)) await blobs.#recover(name);
    return blobs;
  }

  /**
   * Resolves when the bytes would survive a power loss. The temporary file has the hash in its name, so only the folder `incoming` must be synced, once for many files: a start moves files that were not renamed yet (`open`).
   */
  async put(content: Uint8Array): Promise<StoredBlob> {
    const sha256 = await sha256Of(content);
    const path = this.path(sha256);
    if ((await sizeOf(path)) !== content.length) {
      const temporary = await this.#writeIncoming(`${sha256}.${randomUUID()}`, content);
      await this.#incomingSynced.soon();
      await this.#rename(temporary, path).catch(async (error: unknown) => {
        // Another process that started meanwhile may have moved it already.
        if ((await sizeOf(path)) !== content.length) throw error;
      });
    }
    return { sha256, size: content.length };
  }

  async #recover(name: string): Promise<void> {
    const path = join(this.#incoming, name);
    const sha256 = /^([0-9a-f]{64})\./.exec(name)?.[1];
    try {
      if (sha256 !== undefined && (await hashOf(path)) === sha256)
        return await this.#renameDurably(path, this.path(sha256));
      const { mtimeMs } = await stat(path);
      // A recent file may still be written by another process.
      // oxlint-disable-next-line no-restricted-properties -- file times come from the machine's clock
      if (mtimeMs < Date.now() - abandonedMs) await rm(path, { force: true });
    } catch (error) {
      // Another process moved it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  async receive(
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    isOurs = false,
  ): Promise<IncomingFile> {
    return receiveInto(
      this.#incoming,
      content,
      ({ path, sha256 }) => this.#renameDurably(path, this.path(sha256)),
      isOurs,
    );
  }

  /** The path of a blob. */
  path(sha256: string): string {
    return blobPath(this.folder, sha256);
  }

  async open(sha256: string, size?: number): Promise<StoredFile> {
    return size === undefined ? DiskFile.at(this.path(sha256)) : new DiskFile(this.path(sha256), size);
  }

  async has(sha256: string): Promise<boolean> {
    return (await sizeOf(this.path(sha256))) !== null;
  }

  async remove(sha256: string): Promise<void> {
    await rm(this.path(sha256), { force: true });
  }

  async *list(): AsyncGenerator<ListedBlob> {
    for (const name of (await readdir(this.folder)).filter((one) => /^[0-9a-f]{2}$/.test(one)))
      for (const sha256 of await readdir(join(this.folder, name))) {
        if (!isSha256(sha256)) continue;
        // It may be removed meanwhile.
        const facts = await stat(this.path(sha256)).catch(() => null);
        if (facts !== null) yield { sha256, size: facts.size, storedAt: facts.mtimeMs };
      }
  }

  async read(sha256: string): Promise<Buffer> {
    const bytes = await readFile(this.path(sha256));
    const found = await sha256Of(bytes);
    if (found !== sha256) throw new Error(`Blob ${sha256} is damaged`);
    return bytes;
  }

  async derived(sha256: string, name: string, make: () => Promise<Uint8Array>): Promise<StoredFile> {
    const path = `${this.path(sha256)}.${name}`;
    const making =
      this.#making.get(path) ?? this.#derive(path, make).finally(() => this.#making.delete(path));
    this.#making.set(path, making);
    return making;
  }

  async #derive(path: string, make: () => Promise<Uint8Array>): Promise<StoredFile> {
    const size = await sizeOf(path);
    if (size !== null) return new DiskFile(path, size);
    const bytes = await make();
    const temporary = await this.#writeIncoming(randomUUID(), bytes);
    // It can be made again, so the rename need not be synced.
    await this.#rename(temporary, path);
    return new DiskFile(path, bytes.length);
  }

  async #writeIncoming(name: string, content: Uint8Array): Promise<string> {
    const temporary = join(this.#incoming, name);
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(content);
      await file.sync();
    } catch (error) {
      await file.close();
      await rm(temporary, { force: true });
      throw error;
    }
    await file.close();
    return temporary;
  }

  /** Renames a temporary file to its final path. */
  async #rename(temporary: string, path: string): Promise<void> {
    const folder = dirname(path);
    if (!this.#folders.has(folder)) {
      const made = await mkdir(folder, { recursive: true });
      if (made !== undefined) await syncFolder(this.folder);
      this.#folders.add(folder);
    }
    await rename(temporary, path);
  }

  /** Renames a temporary file to its final path and syncs the folder. */
  async #renameDurably(temporary: string, path: string): Promise<void> {
    await this.#rename(temporary, path);
    await syncFolder(dirname(path));
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
