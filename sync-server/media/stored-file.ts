import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';

/** Headers that a file has where it is downloaded directly. */
export interface DirectHeaders {
  type: string;
  disposition?: string | undefined;
}

/** A stored file, wherever it is. It never changes. */
export interface StoredFile {
  readonly size: number;
  /** All of it. */
  bytes(): Promise<Buffer<ArrayBuffer>>;
  /**
   * The bytes from `start` to `end`, both included. Fails before anything is sent if the file is missing; the stream fails
   * if it does not have all of them.
   */
  stream(start: number, end: number): Promise<Readable>;
  /** An address at which it can be downloaded for a short time; null or absent if the server must send it. */
  address?(headers: DirectHeaders): Promise<string | null>;
}

/** Piece size when a file is streamed, bytes: each piece costs a read and several turns of the event loop. */
const pieceSize = 256 * 1024;

/** A file on the disk of this machine. */
export class DiskFile implements StoredFile {
  readonly size: number;
  readonly #path: string;

  /** `size`: its size in bytes, as far as is known. */
  constructor(path: string, size: number) {
    this.#path = path;
    this.size = size;
  }

  /** @throws ENOENT if there is no file */
  static async at(path: string): Promise<DiskFile> {
    return new DiskFile(path, (await stat(path)).size);
  }

  /** Knowing the size saves a system call. A file with another size is read completely too. */
  async bytes(): Promise<Buffer<ArrayBuffer>> {
    const { size } = this;
    const file = await open(this.#path, 'r');
    try {
      // One more byte, to detect a longer file.
      const bytes = Buffer.allocUnsafeSlow(size + 1);
      const { bytesRead } = await file.read(bytes, 0, size + 1, 0);
      return bytesRead === size ? bytes.subarray(0, size) : await readFile(this.#path);
    } finally {
      await file.close();
    }
  }

  async stream(start: number, end: number): Promise<Readable> {
    return createReadStream(this.#path, { start, end, highWaterMark: pieceSize });
  }
}

/** A file in memory. */
export class HeldFile implements StoredFile {
  readonly #bytes: Buffer<ArrayBuffer>;

  constructor(bytes: Buffer<ArrayBuffer>) {
    this.#bytes = bytes;
  }

  get size(): number {
    return this.#bytes.length;
  }

  async bytes(): Promise<Buffer<ArrayBuffer>> {
    return this.#bytes;
  }

  async stream(start: number, end: number): Promise<Readable> {
    return Readable.from([this.#bytes.subarray(start, end + 1)]);
  }
}
