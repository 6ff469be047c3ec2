import { LRUCache } from 'lru-cache';

import type { StoredFile } from '#server/media/stored-file.ts';

/** Larger files, bytes, are streamed. */
export const readAtOnce = 256 * 1024;
/** Maximum size of all cached files, and overhead of each, bytes. */
const mostCachedBytes = 32 * 1024 * 1024;
const entryOverhead = 1024;

/**
 * A cache of small files, by name. No invalidation is needed, because names contain the hash of the bytes. Beyond
 * `mostCachedBytes` bytes, the least recently used file is removed.
 *
 * - MEDIA-5 Resized pictures are cached in memory while there is room; the bytes at an address of `/igi/` never
 *   change. What a guid refers to is cached until the next write.
 */
export class SmallFiles {
  readonly #files = new LRUCache<string, Buffer>({
    maxSize: mostCachedBytes,
    sizeCalculation: ({ length }) => entryOverhead + length,
  });

  /** The cached bytes under this name. */
  get(name: string): Buffer | undefined {
    return this.#files.get(name);
  }

  /** Reads and caches a small file; returns a larger one as it is. */
  async read(name: string, file: StoredFile): Promise<Buffer | StoredFile> {
    if (file.size > readAtOnce) return file;
    const bytes = await file.bytes();
    this.#files.set(name, bytes);
    return bytes;
  }
}
