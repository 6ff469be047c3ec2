// oxlint-disable-next-line no-restricted-imports -- names of temporary files, which nobody sees
import { createHash, randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { IncomingFile, type Settle } from './incoming.ts';

/**
 * Receives content of any size into a temporary file of `folder`, which can be read and changed, and is stored with
 * `keep`.
 * @param settle stores the complete temporary file
 * @param isOurs nobody else uses the pieces, so that their memory is freed when they are written
 */
export async function receiveInto(
  folder: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  settle: Settle,
  isOurs = false,
): Promise<IncomingFile> {
  const hash = createHash('sha256');
  let size = 0;
  const path = join(folder, randomUUID());
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
  return new IncomingFile({ file, path, size, sha256: hash.digest('hex') }, settle);
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
