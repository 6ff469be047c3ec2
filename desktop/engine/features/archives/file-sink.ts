import type { ByteSink } from '#shared/formats/omanual/source.ts';

import { type ArchiveFiles, type FileWriter, pieceBytes } from '#desktop/engine/journal/archive-files.ts';
import { runningSha256 } from '#desktop/engine/platform/sha256.ts';

/** Bytes between two fsyncs: an fsync after each piece would take most of the time. */
const flushBytes = 16 * 1024 * 1024;

/** Called while a file is written. */
export interface FileSinkNotes {
  /** With each piece, before it is written. */
  piece?: (bytes: Uint8Array<ArrayBuffer>) => void | Promise<void>;
  /** With the number of bytes that are written. */
  written?: (size: number) => void;
  /** With the number of bytes that are fsynced. */
  flushed?: (size: number) => Promise<void>;
}

/** Collects bytes into pieces and writes these. One is written while the next is collected. */
export class FileSink implements ByteSink {
  readonly #writer: FileWriter;
  readonly #notes: FileSinkNotes;
  #piece = new Uint8Array(pieceBytes);
  #used = 0;
  #unsafe = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(writer: FileWriter, notes: FileSinkNotes) {
    this.#writer = writer;
    this.#notes = notes;
  }

  async write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + pieceBytes - this.#used);
      this.#piece.set(part, this.#used);
      this.#used += part.length;
      at += part.length;
      if (this.#used === pieceBytes) await this.#writePiece();
    }
  }

  /** Resolves when everything is written and fsynced. */
  async finish(): Promise<void> {
    if (this.#used > 0) await this.#writePiece();
    await this.#writing;
    await this.#flush();
  }

  async #writePiece(): Promise<void> {
    const bytes = this.#piece.subarray(0, this.#used);
    this.#piece = new Uint8Array(pieceBytes);
    this.#used = 0;
    await this.#notes.piece?.(bytes);
    await this.#writing;
    this.#writing = this.#writeBytes(bytes);
    // A failure is thrown by the next call.
    this.#writing.catch(() => undefined);
  }

  async #writeBytes(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#unsafe += bytes.length;
    await this.#writer.write(bytes);
    this.#notes.written?.(this.#writer.size);
    if (this.#unsafe >= flushBytes) await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#writer.flush();
    this.#unsafe = 0;
    await this.#notes.flushed?.(this.#writer.size);
  }
}

/** Lock that is held while a file exists that no record names yet. Without it, reconciling would remove the file. */
export const filesLock = 'archives';

/** Writes a file. Resolves to its SHA-256 when the file is fsynced. Removes it when writing fails. */
export async function storeFile(
  files: ArchiveFiles,
  stored: string,
  write: (sink: ByteSink) => Promise<void>,
): Promise<string> {
  using hash = runningSha256();
  const writer = await files.open(stored, 0);
  const sink = new FileSink(writer, { piece: (bytes) => hash.update(bytes) });
  try {
    await write(sink);
    await sink.finish();
  } catch (error) {
    await writer.close();
    await dropFile(files, stored);
    throw error;
  }
  await writer.close();
  return await hash.digest();
}

/** Removes a file. If that fails now, the next start removes it as a leftover. */
export async function dropFile(files: ArchiveFiles, stored: string): Promise<void> {
  await files.remove(stored).catch(() => undefined);
}
