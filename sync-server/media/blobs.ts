// oxlint-disable-next-line no-restricted-imports -- names of temporary files, which nobody sees
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { sha256Of } from '#server/platform/slices.ts';

import { IncomingFile } from './incoming.ts';

/** Hash and size of stored bytes. */
export interface StoredBlob {
  sha256: string;
  size: number;
}

/** An incomplete file is removed at a start if nothing was written to it for this time, ms. */
const abandonedMs = 3_600_000;

/**
 * Files addressed by their SHA-256, in one folder. A file never changes. Data derived from a blob (sizes of a picture)
 * is stored next to it and can be made again.
 *
 * - MEDIA-11 A stored file is complete and on disk before a record refers to it, even after a power loss. Files that
 *   arrive together share their waits for the disk.
 */
export class Blobs {
  readonly folder: string;
  readonly #incoming: string;
  readonly #making = new Map<string, Promise<string>>();
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
  static async open(folder: string): Promise<Blobs> {
    const blobs = new Blobs(folder);
    await mkdir(blobs.#incoming, { recursive: true });
    for (const name of await readdir(blobs.#incoming)) await blobs.#recover(name);
    return blobs;
  }

  /**
   * Stores bytes; resolves when they would survive a power loss. The temporary file has the hash in its name, so only
   * the folder `incoming` must be synced, once for many files: a start moves files that were not renamed yet (`open`).
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

  /**
   * Receives content of any size into a temporary file, which can be read and changed, and is stored with `keep`.
   * `isOurs`: nobody else uses the pieces, so that their memory is freed when they are written.
   */
  async receive(
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    isOurs = false,
  ): Promise<IncomingFile> {
    const hash = createHash('sha256');
    let size = 0;
    const path = join(this.#incoming, randomUUID());
    const file = await open(path, 'wx+');
    try {
      const writing = new WritingBehind(file, isOurs);
      for await (const chunk of content) {
        hash.update(chunk);
        size += chunk.length;
        await writing.write(chunk);
      }
      await writing.finish();
    } catch (error) {
      await file.close();
      await rm(path, { force: true });
      throw error;
    }
    const about = { file, path, size, sha256: hash.digest('hex') };
    return new IncomingFile(about, (temporary, sha256) => this.#renameDurably(temporary, this.path(sha256)));
  }

  /** The path of a blob. */
  path(sha256: string): string {
    return blobPath(this.folder, sha256);
  }

  /** The bytes of a blob. Throws if they do not match the hash. */
  async read(sha256: string): Promise<Buffer> {
    const bytes = await readFile(this.path(sha256));
    const found = await sha256Of(bytes);
    if (found !== sha256) throw new Error(`Blob ${sha256} is damaged`);
    return bytes;
  }

  /** Path of the derived data `name` (letters, digits, `-`) of a blob. `make` runs once, when it is first needed. */
  async derived(sha256: string, name: string, make: () => Promise<Uint8Array>): Promise<string> {
    const path = `${this.path(sha256)}.${name}`;
    const making =
      this.#making.get(path) ?? this.#derive(path, make).finally(() => this.#making.delete(path));
    this.#making.set(path, making);
    return making;
  }

  async #derive(path: string, make: () => Promise<Uint8Array>): Promise<string> {
    if ((await sizeOf(path)) !== null) return path;
    const temporary = await this.#writeIncoming(randomUUID(), await make());
    // It can be made again, so the rename need not be synced.
    await this.#rename(temporary, path);
    return path;
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

/** The path of a blob in the folder of a store. */
export function blobPath(folder: string, sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('Expected a SHA-256 in hexadecimal');
  return join(folder, sha256.slice(0, 2), sha256);
}

/** Bytes of a received file that are written together, because each write costs as much as hashing a piece. */
const writtenTogether = 512 * 1024;

/** Writes pieces to the end of a file, several at a time, while the next ones arrive. */
class WritingBehind {
  readonly #file: FileHandle;
  readonly #isOurs: boolean;
  #waiting: Uint8Array[] = [];
  #size = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: FileHandle, isOurs: boolean) {
    this.#file = file;
    this.#isOurs = isOurs;
  }

  /** Resolves when the next piece may come. Throws if an earlier one could not be written. */
  async write(piece: Uint8Array): Promise<void> {
    this.#waiting.push(piece);
    this.#size += piece.length;
    if (this.#size >= writtenTogether) await this.#flush();
  }

  async finish(): Promise<void> {
    await this.#flush();
    await this.#writing;
  }

  async #write(pieces: readonly Uint8Array[]): Promise<void> {
    await writeAll(this.#file, pieces);
    if (this.#isOurs) free(pieces);
  }

  async #flush(): Promise<void> {
    const pieces = this.#waiting;
    this.#waiting = [];
    this.#size = 0;
    await this.#writing;
    this.#writing = this.#write(pieces);
    // A failure is reported when the next pieces are written.
    this.#writing.catch(() => undefined);
  }
}

/**
 * Frees the memory of pieces that fill their buffers. Otherwise V8, which counts this memory, collects the whole heap
 * three times for an upload of 20 MB.
 */
function free(pieces: readonly Uint8Array[]): void {
  for (const { buffer, byteLength } of pieces)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

async function writeAll(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  const wanted = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const { bytesWritten } = wanted === 0 ? { bytesWritten: 0 } : await file.writev(pieces);
  // The system may write less, for instance on a disk that is getting full.
  if (bytesWritten < wanted) await file.writeFile(Buffer.concat(pieces).subarray(bytesWritten));
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

/** Syncs a folder to disk: without it a rename is not durable. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Shares a wait, such as an fsync, between many callers. A wait that has already begun does not count for a new
 * caller.
 */
export class SharedWait {
  readonly #wait: () => Promise<void>;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(wait: () => Promise<void>) {
    this.#wait = wait;
  }

  /** Resolves after a wait that begins from now on. */
  soon(): Promise<void> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<void> {
    await this.#running.catch(() => undefined);
    this.#next = undefined;
    this.#running = this.#wait();
    await this.#running;
  }
}
