import type { Readable } from 'node:stream';

import type { Chunk } from './wire.ts';

/** Responses that continue as streams, and their data until the coordinator takes it. */
export class ServerStreams {
  readonly #streams = new Map<number, Readable>();
  readonly #readers = new Map<number, string | null>();
  #chunks: Chunk[] = [];
  #last = 0;

  /** Numbers start anew, and nothing waits. */
  begin(): void {
    this.#last = 0;
    this.#chunks = [];
    this.#readers.clear();
  }

  /** Follows a stream that this person reads; returns its number. */
  follow(stream: Readable, reader: string | null): number {
    const id = (this.#last += 1);
    this.#readers.set(id, reader);
    this.#streams.set(id, stream);
    stream.on('data', (bytes: Buffer) => {
      if (this.#streams.has(id)) this.#chunks.push({ stream: id, bytes: new Uint8Array(bytes), ends: false });
    });
    stream.on('error', () => undefined);
    stream.on('end', () => {
      if (this.#streams.delete(id)) this.#chunks.push({ stream: id, bytes: new Uint8Array(), ends: true });
    });
    return id;
  }

  readerOf(id: number): string | null {
    return this.#readers.get(id) ?? null;
  }

  /** Takes the data since the last call. */
  taken(): Chunk[] {
    return this.#chunks.splice(0);
  }

  /** These streams are no longer read. */
  leave(ids: readonly number[]): void {
    for (const id of ids) {
      this.#streams.get(id)?.destroy();
      this.#streams.delete(id);
    }
  }

  /** The server stops. */
  endAll(): void {
    for (const stream of this.#streams.values()) stream.destroy();
    for (const id of this.#streams.keys())
      this.#chunks.push({ stream: id, bytes: new Uint8Array(), ends: true });
    this.#streams.clear();
  }
}
