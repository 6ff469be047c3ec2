import type { Chunk } from '../wire.ts';
import type { Connection } from './connection.ts';

/** The connections of all devices, and which of them reads which stream. */
export class Connections {
  readonly #all: Connection[] = [];
  readonly #readers = new Map<number, Connection>();

  add(connection: Connection): void {
    this.#all.push(connection);
  }

  /** The response to a request of the device continues as a stream. */
  read(stream: number, connection: Connection): void {
    this.#readers.set(stream, connection);
  }

  /** The server has sent data of streams. */
  hear(chunks: readonly Chunk[]): void {
    for (const chunk of chunks) this.#readers.get(chunk.stream)?.hear(chunk);
  }

  /** Their server answers at its address again. */
  forgetOther(): void {
    for (const connection of this.#all) connection.hearsOther = null;
  }
}
