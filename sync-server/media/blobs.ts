// oxlint-disable-next-line no-restricted-imports -- names of temporary files, which nobody sees
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { sha256Of } from '#server/platform/slices.ts';

import { IncomingFile } from './incoming.ts';
import { SharedWait } from './shared-wait.ts';

/** What is known of stored bytes. */
export interface StoredBlob {
  sha256: string;
  size: number;
}

/** A file on its way that nobody wrote to for so long is nobody's any more, ms. */
const abandonedMs = 3_600_000;

/**
 * Files addressed by their SHA-256 under one folder. A file is complete and on disk before its name exists; it never
 * changes afterwards. Bytes that follow from a blob (sizes of a picture) lie beside it and can be made again.
 */
export class Blobs {
  readonly #folder: string;
  readonly #incoming: string;
  readonly #making = new Map<string, Promise<string>>();
  readonly #incomingSynced: SharedWait;
  /** Folders that are known to be there. */
  readonly #folders = new Set<string>();

  private constructor(folder: string) {
    this.#folder = folder;
    this.#incoming = join(folder, 'incoming');
    this.#incomingSynced = new SharedWait(() => syncFolder(this.#incoming));
  }

  /**
   * Opens the store in `folder`, making it if needed. Files that a loss of power kept from their place are brought there;
   * what an interrupted upload left goes.
   */
  static async open(folder: string): Promise<Blobs> {
    const blobs = new Blobs(folder);
    await mkdir(blobs.#incoming, { recursive: true });
    for (const name of await readdir(blobs.#incoming)) await blobs.#takeUp(name);
    return blobs;
  }

  /**
   * Stores bytes; resolves when they would survive a loss of power. On their way they bear their hash, so that only the
   * folder of all that is on its way must be on disk, for many at once: a start brings home what did not arrive.
   */
  async put(content: Uint8Array): Promise<StoredBlob> {
    const sha256 = await sha256Of(content);
    const path = this.path(sha256);
    if ((await sizeOf(path)) !== content.length) {
      const temporary = await this.#writeIncoming(`${sha256}.${randomUUID()}`, content);
      await this.#incomingSynced.soon();
      await this.#place(temporary, path).catch(async (error: unknown) => {
        // Another process that started meanwhile may have brought it home.
        if ((await sizeOf(path)) !== content.length) throw error;
      });
    }
    return { sha256, size: content.length };
  }

  async #takeUp(name: string): Promise<void> {
    const path = join(this.#incoming, name);
    const sha256 = /^([0-9a-f]{64})\./.exec(name)?.[1];
    try {
      if (sha256 !== undefined && (await hashOf(path)) === sha256)
        return await this.#settle(path, this.path(sha256));
      const { mtimeMs } = await stat(path);
      // Another process may be writing it.
      // oxlint-disable-next-line no-restricted-properties -- the times of files are the machine's
      if (mtimeMs < Date.now() - abandonedMs) await rm(path, { force: true });
    } catch (error) {
      // It arrived meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  /** Takes in bytes of any number; the file can be looked at, and is stored with `keep`. */
  async receive(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<IncomingFile> {
    const hash = createHash('sha256');
    let size = 0;
    const path = join(this.#incoming, randomUUID());
    const file = await open(path, 'wx+');
    try {
      for await (const chunk of content) {
        hash.update(chunk);
        size += chunk.length;
        await file.writeFile(chunk);
      }
    } catch (error) {
      await file.close();
      await rm(path, { force: true });
      throw error;
    }
    const about = { file, path, size, sha256: hash.digest('hex') };
    return new IncomingFile(about, (temporary, sha256) => this.#settle(temporary, this.path(sha256)));
  }

  /** Where the bytes lie. */
  path(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('Expected a SHA-256 in hexadecimal');
    return join(this.#folder, sha256.slice(0, 2), sha256);
  }

  /** The bytes, checked against their name: damaged ones throw. */
  async read(sha256: string): Promise<Buffer> {
    const bytes = await readFile(this.path(sha256));
    const found = await sha256Of(bytes);
    if (found !== sha256) throw new Error(`Blob ${sha256} is damaged`);
    return bytes;
  }

  /** Path of the bytes called `name` (letters, digits, `-`) that follow from a blob; `make` runs once, at first need. */
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
    // It can be made again, so that its name need not be on disk.
    await this.#place(temporary, path);
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

  /** Gives a file its name. */
  async #place(temporary: string, path: string): Promise<void> {
    const folder = dirname(path);
    if (!this.#folders.has(folder)) {
      const made = await mkdir(folder, { recursive: true });
      if (made !== undefined) await syncFolder(this.#folder);
      this.#folders.add(folder);
    }
    await rename(temporary, path);
  }

  /** The same; resolves when the name is on disk. */
  async #settle(temporary: string, path: string): Promise<void> {
    await this.#place(temporary, path);
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

/** A rename is durable only when its folder is. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
