import type { ByteSink } from '#shared/formats/omanual/source.ts';

import { type FileWriter, pieceBytes } from '#desktop/engine/journal/archive-files.ts';

/** After so many bytes what was written is made safe: an fsync for each piece would take most of the time. */
const flushBytes = 16 * 1024 * 1024;

/** Told what becomes of the bytes of a file. */
export interface FileSinkNotes {
  /** Each piece before it is written. */
  piece?: (bytes: Uint8Array<ArrayBuffer>) => void | Promise<void>;
  /** So many bytes are written. */
  written?: (size: number) => void;
  /** So many bytes are safe, whatever happens to the device. */
  flushed?: (size: number) => Promise<void>;
}

/** Gathers bytes into pieces that are worth a write; one is written while the next is gathered. */
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
      if (this.#used === pieceBytes) await this.#give();
    }
  }

  /** Resolves when everything is safe. */
  async finish(): Promise<void> {
    if (this.#used > 0) await this.#give();
    await this.#writing;
    await this.#flush();
  }

  async #give(): Promise<void> {
    const bytes = this.#piece.subarray(0, this.#used);
    this.#piece = new Uint8Array(pieceBytes);
    this.#used = 0;
    await this.#notes.piece?.(bytes);
    await this.#writing;
    this.#writing = this.#put(bytes);
    // Its failure is that of the next call.
    this.#writing.catch(() => undefined);
  }

  async #put(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
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
