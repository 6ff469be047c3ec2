import { deflateSync } from 'fflate';

import { crc32 } from './crc32.ts';
import { readLimits, type ReadLimits } from './limits.ts';
import type { ByteSink } from './source.ts';
import { tooManyBytes, tooManyFiles } from './too-large.ts';

/** A member of a ZIP as its central directory lists it. */
interface Member {
  name: Uint8Array<ArrayBuffer>;
  method: number;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

/** Bytes that can be read more than once. */
export interface Replayable {
  size: number;
  open(): Promise<AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>>;
}

const stored = 0;
const deflated = 8;
/** Names are UTF-8. */
const flags = 0x0800;
/** 1980-01-01 00:00, the earliest time in the format. A fixed time makes the same content give the same bytes. */
const time = 0;
const date = 0x0021;
const limit32 = 0xffff_ffff;
const limit16 = 0xffff;
/** Made on Unix: a plain file that everyone may read. */
const madeBy = 3 << 8;
const mode = 0o100644;

/**
 * Writes a ZIP sequentially. Sizes and checksums are in the local headers as in the central directory. ZIP64 is used
 * only for numbers that need it.
 */
export class ZipWriter {
  readonly #sink: ByteSink;
  readonly #limits: ReadLimits;
  /** The encoded entries of the central directory; a package has tens of thousands of them. */
  readonly #directory = new GatheredBytes();
  #members = 0;
  #unpacked = 0;
  #offset = 0;

  /** Adding more members or bytes than `limits` allow throws `ArchiveTooLarge`. */
  constructor(sink: ByteSink, limits: ReadLimits = readLimits) {
    this.#sink = sink;
    this.#limits = limits;
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#offset;
  }

  /** Adds a compressible member, such as XML. One that would look like a bomb to readers is stored as it is. */
  async addPacked(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const packed = deflateSync(bytes, { level: 6 });
    const small = packed.length < bytes.length && bytes.length <= packed.length * this.#limits.ratio;
    const data = small ? packed : bytes;
    await this.#head(name, small ? deflated : stored, crc32(bytes), data.length, bytes.length);
    await this.#put(data);
  }

  /** Adds a member uncompressed: pictures and videos are compressed already. */
  async addStored(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#head(name, stored, crc32(bytes), bytes.length, bytes.length);
    await this.#put(bytes);
  }

  /**
   * Adds a large member uncompressed. It is read twice instead of held in memory, because its checksum is written
   * before its content.
   */
  async addStream(name: string, source: Replayable): Promise<void> {
    let [crc, size] = [0, 0];
    for await (const chunk of await source.open()) {
      crc = crc32(chunk, crc);
      size += chunk.length;
    }
    await this.#head(name, stored, crc, size, size);
    let [crcAgain, sizeAgain] = [0, 0];
    for await (const chunk of await source.open()) {
      crcAgain = crc32(chunk, crcAgain);
      sizeAgain += chunk.length;
      await this.#put(chunk);
    }
    if (crcAgain !== crc || sizeAgain !== size) throw new Error(`${name} changed while it was read`);
  }

  /** Writes the central directory. No member can be added afterwards. */
  async finish(): Promise<void> {
    const start = this.#offset;
    for (const piece of this.#directory.pieces()) await this.#put(piece);
    await this.#put(endOfDirectory(this.#members, start, this.#offset - start));
  }

  async #head(name: string, method: number, crc: number, packed: number, size: number): Promise<void> {
    this.#unpacked += size;
    if (this.#members >= this.#limits.members) throw tooManyFiles(this.#limits.members);
    if (this.#unpacked > this.#limits.totalBytes) throw tooManyBytes(this.#limits.totalBytes);
    const member = { name: new TextEncoder().encode(name), method, crc, packed, size, offset: this.#offset };
    this.#members += 1;
    this.#directory.add(centralHeader(member));
    await this.#put(localHeader(member));
  }

  async #put(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (bytes.length === 0) return;
    this.#offset += bytes.length;
    await this.#sink.write(bytes);
  }
}

/** Collects many small pieces of bytes in a few large ones. */
class GatheredBytes {
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #last = new Uint8Array(64 * 1024);
  #used = 0;

  add(bytes: Uint8Array<ArrayBuffer>): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#used === this.#last.length) this.#next();
      const part = bytes.subarray(at, at + this.#last.length - this.#used);
      this.#last.set(part, this.#used);
      this.#used += part.length;
      at += part.length;
    }
  }

  pieces(): Uint8Array<ArrayBuffer>[] {
    return [...this.#full, this.#last.subarray(0, this.#used)];
  }

  #next(): void {
    this.#full.push(this.#last);
    this.#last = new Uint8Array(this.#last.length);
    this.#used = 0;
  }
}

/** A value as JSON with sorted keys, so that equal values give the same bytes. */
export function jsonBytes(value: object): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value, inOrder));
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Encodes consecutive little-endian fields; 64-bit fields hold exact integers up to 2^53. */
class Fields {
  readonly #bytes: number[] = [];

  add(width: 2 | 4 | 8, ...values: number[]): this {
    for (const value of values) {
      let rest = value;
      for (let at = 0; at < width; at += 1) {
        this.#bytes.push(rest % 256);
        rest = Math.floor(rest / 256);
      }
    }
    return this;
  }

  with(...tails: Uint8Array[]): Uint8Array<ArrayBuffer> {
    const length = tails.reduce((sum, tail) => sum + tail.length, this.#bytes.length);
    const bytes = new Uint8Array(length);
    bytes.set(this.#bytes);
    let at = this.#bytes.length;
    for (const tail of tails) {
      bytes.set(tail, at);
      at += tail.length;
    }
    return bytes;
  }
}

/** The ZIP64 extra field with the numbers that do not fit in 32 bits. */
function bigNumbers(values: readonly number[]): Uint8Array<ArrayBuffer> {
  if (values.length === 0) return new Uint8Array(0);
  return new Fields()
    .add(2, 1, values.length * 8)
    .add(8, ...values)
    .with();
}

function isBig(value: number): boolean {
  return value >= limit32;
}

function localHeader({ name, method, crc, packed, size }: Member): Uint8Array<ArrayBuffer> {
  const big = isBig(size) || isBig(packed);
  const extra = bigNumbers(big ? [size, packed] : []);
  return new Fields()
    .add(4, 0x0403_4b50)
    .add(2, big ? 45 : 20, flags, method, time, date)
    .add(4, crc, big ? limit32 : packed, big ? limit32 : size)
    .add(2, name.length, extra.length)
    .with(name, extra);
}

function centralHeader({ name, method, crc, packed, size, offset }: Member): Uint8Array<ArrayBuffer> {
  const bigSize = isBig(size) || isBig(packed);
  const extra = bigNumbers([...(bigSize ? [size, packed] : []), ...(isBig(offset) ? [offset] : [])]);
  const needs = extra.length > 0 ? 45 : 20;
  return new Fields()
    .add(4, 0x0201_4b50)
    .add(2, madeBy | needs, needs, flags, method, time, date)
    .add(4, crc, bigSize ? limit32 : packed, bigSize ? limit32 : size)
    .add(2, name.length, extra.length, 0, 0, 0)
    .add(4, mode * 0x1_0000, isBig(offset) ? limit32 : offset)
    .with(name, extra);
}

function endOfDirectory(count: number, start: number, size: number): Uint8Array<ArrayBuffer> {
  const big = count >= limit16 || isBig(start) || isBig(size);
  const plain = new Fields()
    .add(4, 0x0605_4b50)
    .add(2, 0, 0, Math.min(count, limit16), Math.min(count, limit16))
    .add(4, Math.min(size, limit32), Math.min(start, limit32))
    .add(2, 0)
    .with();
  if (!big) return plain;
  return new Fields()
    .add(4, 0x0606_4b50)
    .add(8, 44)
    .add(2, madeBy | 45, 45)
    .add(4, 0, 0)
    .add(8, count, count, size, start)
    .add(4, 0x0706_4b50, 0)
    .add(8, start + size)
    .add(4, 1)
    .with(plain);
}
