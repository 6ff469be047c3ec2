import { readFile, stat } from 'node:fs/promises';

import { LRUCache } from 'lru-cache';

/** A file of more bytes is streamed. */
export const readAtOnce = 256 * 1024;
/** Bytes of all kept files together. */
const mostKept = 32 * 1024 * 1024;

/**
 * Small files in memory, by name.
 *
 * Invalidation: none is needed, because the bytes of a name never change (it holds their hash). Beyond `mostKept` bytes,
 * the file that was not asked for longest goes.
 */
export class SmallFiles {
  readonly #files = new LRUCache<string, Buffer>({
    maxSize: mostKept,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });

  /** The bytes that are kept under this name. */
  get(name: string): Buffer | undefined {
    return this.#files.get(name);
  }

  /** Reads and keeps a small file; of a larger one the path comes back. */
  async read(name: string, path: string): Promise<Buffer | string> {
    if ((await stat(path)).size > readAtOnce) return path;
    const bytes = await readFile(path);
    this.#files.set(name, bytes);
    return bytes;
  }
}
