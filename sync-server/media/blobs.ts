import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { IncomingFile } from './incoming.ts';

/** What is known of stored bytes. */
export interface StoredBlob {
  sha256: string;
  size: number;
}

/**
 * Files addressed by their SHA-256 under one folder. A file is complete and on disk before its name exists; it never
 * changes afterwards. Bytes that follow from a blob (sizes of a picture) lie beside it and can be made again.
 */
export class Blobs {
  readonly #folder: string;
  readonly #making = new Map<string, Promise<string>>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Opens the store in `folder`, making it if needed and clearing what an interrupted upload left. */
  static async open(folder: string): Promise<Blobs> {
    const waiting = join(folder, 'incoming');
    await mkdir(waiting, { recursive: true });
    for (const name of await readdir(waiting)) await rm(join(waiting, name), { force: true });
    return new Blobs(folder);
  }

  /** Stores bytes; resolves when they would survive a loss of power. */
  async put(content: Uint8Array): Promise<StoredBlob> {
    const temporary = await this.#writeIncoming((file) => file.writeFile(content));
    const sha256 = createHash('sha256').update(content).digest('hex');
    await this.#settle(temporary, this.path(sha256));
    return { sha256, size: content.length };
  }

  /** Takes in bytes of any number; the file can be looked at, and is stored with `keep`. */
  async receive(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<IncomingFile> {
    const hash = createHash('sha256');
    let size = 0;
    const path = join(this.#folder, 'incoming', randomUUID());
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
    const found = createHash('sha256').update(bytes).digest('hex');
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
    if (await exists(path)) return path;
    const bytes = await make();
    const temporary = await this.#writeIncoming((file) => file.writeFile(bytes));
    await this.#settle(temporary, path);
    return path;
  }

  async #writeIncoming(write: (file: FileHandle) => Promise<void>): Promise<string> {
    const temporary = join(this.#folder, 'incoming', randomUUID());
    const file = await open(temporary, 'wx');
    try {
      await write(file);
      await file.sync();
    } catch (error) {
      await file.close();
      await rm(temporary, { force: true });
      throw error;
    }
    await file.close();
    return temporary;
  }

  async #settle(temporary: string, path: string): Promise<void> {
    const folder = dirname(path);
    const made = await mkdir(folder, { recursive: true });
    await rename(temporary, path);
    await syncFolder(folder);
    if (made !== undefined) await syncFolder(this.#folder);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
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
