import { createHash } from 'node:crypto';
import { copyFile, open, rename, rm, type FileHandle } from 'node:fs/promises';

import type { FileOnDisk } from '#shared/api/endpoint.ts';

/** Bytes that can be read and overwritten at any offset. */
export interface RandomAccess {
  readonly size: number;
  /** `length` bytes from `offset`; fewer at the end. */
  read: (offset: number, length: number) => Promise<Buffer>;
  write: (offset: number, bytes: Uint8Array) => Promise<void>;
}

/** Stores a complete and synced temporary file, which is gone afterwards. */
export type Settle = (file: { path: string; sha256: string; size: number }) => Promise<void>;

/** Piece size when a whole file is read, bytes. */
const pieceSize = 256 * 1024;

/**
 * A temporary file that was received: its content can be checked and changed without holding it in memory. `keep`
 * stores it under its final name; otherwise it is removed on disposal.
 */
export class IncomingFile implements RandomAccess, FileOnDisk, AsyncDisposable {
  readonly size: number;
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #settle: Settle;
  #sha256: string | null;
  #isOver = false;

  constructor(about: { file: FileHandle; path: string; size: number; sha256: string }, settle: Settle) {
    this.#file = about.file;
    this.#path = about.path;
    this.size = about.size;
    this.#sha256 = about.sha256;
    this.#settle = settle;
  }

  /** The SHA-256 of its current bytes, in lower-case hexadecimal. */
  async sha256(): Promise<string> {
    this.#sha256 ??= await this.#hash();
    return this.#sha256;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.size - offset)));
    await this.#fill(bytes, offset);
    return bytes;
  }

  async #fill(bytes: Buffer, offset: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesRead } = await this.#file.read(bytes, done, bytes.length - done, offset + done);
      if (bytesRead === 0) throw new RangeError('The file became shorter');
      done += bytesRead;
    }
  }

  async write(offset: number, bytes: Uint8Array): Promise<void> {
    if (offset + bytes.length > this.size) throw new RangeError('Beyond the end of the file');
    this.#sha256 = null;
    for (let done = 0; done < bytes.length;)
      done += (await this.#file.write(bytes, done, bytes.length - done, offset + done)).bytesWritten;
  }

  /** The whole file in pieces. Each is valid until the next one: a new buffer for each would be much garbage. */
  async *pieces(): AsyncGenerator<Buffer> {
    const buffer = Buffer.allocUnsafe(Math.min(pieceSize, this.size));
    for (let at = 0; at < this.size; at += pieceSize) {
      const piece = buffer.subarray(0, Math.min(pieceSize, this.size - at));
      await this.#fill(piece, at);
      yield piece;
    }
  }

  /** Stores it under its final name; resolves when it would survive a power loss. */
  async keep(): Promise<{ sha256: string; size: number }> {
    const sha256 = await this.sha256();
    await this.#file.sync();
    this.#isOver = true;
    await this.#file.close();
    await this.#settle({ path: this.#path, sha256, size: this.size });
    return { sha256, size: this.size };
  }

  /** Moves it to `path`, also on another disk. It is synced, the folder of `path` is not. */
  async moveTo(path: string): Promise<void> {
    await this.#file.sync();
    this.#isOver = true;
    await this.#file.close();
    await rename(this.#path, path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EXDEV') throw error;
      await copyFile(this.#path, path);
      await syncFile(path);
      await rm(this.#path, { force: true });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#file.close();
    await rm(this.#path, { force: true });
  }

  async #hash(): Promise<string> {
    const hash = createHash('sha256');
    for await (const piece of this.pieces()) hash.update(piece);
    return hash.digest('hex');
  }
}

async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.sync();
}
