import { readFile, stat } from 'node:fs/promises';

/** A file of more bytes is streamed. */
export const readAtOnce = 256 * 1024;
/** Bytes of all kept files together. */
const mostKept = 32 * 1024 * 1024;

/** Small files whose bytes never change, kept in memory; those that were not asked for longest go first. */
export class SmallFiles {
  readonly #files = new Map<string, Buffer>();
  #size = 0;
  /** Name of the file that was asked for last. */
  #last = '';

  /** The bytes that are kept under this name. */
  get(name: string): Buffer | undefined {
    const bytes = this.#files.get(name);
    if (bytes !== undefined && name !== this.#last) {
      this.#files.delete(name);
      this.#files.set(name, bytes);
      this.#last = name;
    }
    return bytes;
  }

  /** Reads and keeps a small file; of a larger one the path comes back. */
  async read(name: string, path: string): Promise<Buffer | string> {
    if ((await stat(path)).size > readAtOnce) return path;
    const bytes = await readFile(path);
    if (!this.#files.has(name)) this.#size += bytes.length;
    this.#files.set(name, bytes);
    this.#last = name;
    for (const [oldest, { length }] of this.#files) {
      if (this.#size <= mostKept) break;
      this.#files.delete(oldest);
      this.#size -= length;
    }
    return bytes;
  }
}
