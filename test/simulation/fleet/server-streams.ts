import type { Readable } from 'node:stream';

import type { Chunk } from './wire.ts';

/** Responses that continue as streams, and their data until the coordinator takes it. */
export class ServerStreams {
  readonly #leaksIn: (bytes: Uint8Array, reader: string | null) => string[];
  readonly #streams = new Map<number, Readable>();
  #chunks: Chunk[] = [];
  #leaks: string[] = [];
  #last = 0;

  /** `leaksIn`: words in data that its reader may not see. Data are checked when they arrive: a later call of the same request may take the right away. */
  constructor(leaksIn: (bytes: Uint8Array, reader: string | null) => string[]) {
    this.#leaksIn = leaksIn;
  }

  /** Numbers start anew, and nothing waits. */
  begin(): void {
    this.#last = 0;
    this.#chunks = [];
    this.#leaks = [];
  }

  /** Follows a stream that this person reads; returns its number. */
  follow(stream: Readable, reader: string | null): number {
    const id = (this.#last += 1);
    this.#streams.set(id, stream);
    stream.on('data', (bytes: Buffer) => {
      if (!this.#streams.has(id)) return;
      this.#chunks.push({ stream: id, bytes: new Uint8Array(bytes), ends: false });
      this.#leaks.push(...this.#leaksIn(bytes, reader));
    });
    stream.on('error', () => undefined);
    stream.on('end', () => {
      if (this.#streams.delete(id)) this.#chunks.push({ stream: id, bytes: new Uint8Array(), ends: true });
    });
    return id;
  }

  /** Takes the words since the last call that their readers were not allowed to see. */
  takenLeaks(): string[] {
    return this.#leaks.splice(0);
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
