import { Inflate } from 'fflate';

import { ArchiveRefused } from './archive.ts';
import { crc32 } from './crc32.ts';
import { inflateWhole } from './native.ts';
import type { ReadLimits } from './limits.ts';
import type { ByteSource } from './source.ts';
import { readDirectory, type ZipMember } from './zip-directory.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes per read; a small member is read together with its header. */
export const pieceSize = 256 * 1024;
/** Bytes inflated at a time: at most a thousand times as many come out before they are counted. */
const inflateSize = 8 * 1024;
/** Bytes read after the name, so that the extra fields of a local header rarely need a second read. */
const usualExtra = 512;
const headerSize = 30;

/** Reads a package by random access: only requested members are read and unpacked, piece by piece. */
export class ZipReader {
  readonly members: ReadonlyMap<string, ZipMember>;
  readonly #source: ByteSource;

  constructor(source: ByteSource, members: readonly ZipMember[]) {
    this.#source = source;
    this.members = new Map(members.map((member) => [member.name, member]));
  }

  static async open(source: ByteSource, limits: ReadLimits): Promise<ZipReader> {
    return new ZipReader(source, await readDirectory(source, limits));
  }

  /**
   * Yields the content in pieces. If anything is inconsistent, it throws ArchiveRefused, at the latest after the last
   * piece.
   */
  async *pieces(member: ZipMember, most = pieceSize): AsyncGenerator<Bytes, void> {
    if (isSmall(member)) {
      yield await this.#whole(member);
      return;
    }
    let size = 0;
    let sum = 0;
    for await (const piece of member.method === 0
      ? this.#packed(member, most)
      : this.#inflatedInPieces(member, most)) {
      size += piece.length;
      sum = crc32(piece, sum);
      yield piece;
    }
    checkContent(member, size, sum);
  }

  /** The whole content, of at most `most` bytes. */
  async bytes(member: ZipMember, most: number): Promise<Bytes> {
    if (member.size > most)
      throw new ArchiveRefused('too-large', member.name, `${member.name} has more than ${most} bytes.`);
    return isSmall(member) ? this.#whole(member) : collected(this.pieces(member), member.size);
  }

  /** The first bytes, at most `length`; the rest of a large member is not read or checked. */
  async head(member: ZipMember, length: number): Promise<Bytes> {
    const wanted = Math.min(length, member.size);
    if (member.method !== 0)
      return isSmall(member)
        ? (await this.#whole(member)).subarray(0, wanted)
        : collected(this.pieces(member, Math.max(length, 4096)), wanted, true);
    const { first, start } = await this.#start(member, wanted);
    if (start + wanted <= first.length) return first.subarray(start, start + wanted);
    return this.#source.read(member.offset + start, wanted);
  }

  /** Reads and checks a small member with one read. */
  async #whole(member: ZipMember): Promise<Bytes> {
    const { packedSize, method, offset } = member;
    const { first, start } = await this.#start(member, packedSize);
    const packed =
      start + packedSize <= first.length
        ? first.subarray(start, start + packedSize)
        : await this.#source.read(offset + start, packedSize);
    const bytes = method === 0 ? packed : unpacked(member, packed);
    checkContent(member, bytes.length, crc32(bytes));
    return bytes;
  }

  async *#inflatedInPieces(member: ZipMember, most: number): AsyncGenerator<Bytes, void> {
    let out: Bytes[] = [];
    let size = 0;
    const inflate = new Inflate((bytes) => {
      size += bytes.length;
      if (size > member.size) disagree(member, 'expands to more bytes than the package says');
      if (bytes.length > 0) out.push(bytes as Bytes);
    });
    let left = member.packedSize;
    for await (const packed of this.#packed(member, most)) {
      for (let at = 0; at < packed.length; at += inflateSize) {
        const part = packed.subarray(at, at + inflateSize);
        left -= part.length;
        push(inflate, member, part, left === 0);
        yield* out;
        out = [];
      }
    }
  }

  async *#packed(member: ZipMember, most: number): AsyncGenerator<Bytes, void> {
    const { offset, packedSize } = member;
    const { first, start } = await this.#start(member, Math.min(packedSize, most));
    let given = 0;
    if (start < first.length) {
      const piece = first.subarray(start, start + packedSize);
      given = piece.length;
      if (given > 0) yield piece;
    }
    while (given < packedSize) {
      const piece = await this.#source.read(offset + start + given, Math.min(most, packedSize - given));
      given += piece.length;
      yield piece;
    }
  }

  /**
   * Reads and checks the local header together with `length` bytes of content. `start`: the index of the content in
   * `first`.
   */
  async #start(member: ZipMember, length: number): Promise<{ first: Bytes; start: number }> {
    const { offset, packedSize, limit } = member;
    const around = headerSize + member.nameLength + usualExtra;
    const first = await this.#source.read(offset, Math.min(limit - offset, around + length));
    const start = checkHeader(member, first);
    if (offset + start + packedSize > limit) disagree(member, 'overlaps with something else in the package');
    return { first, start };
  }
}

/** Whether a member is held in memory as a whole, like most documents and pictures. */
function isSmall({ size, packedSize }: ZipMember): boolean {
  return size <= pieceSize && packedSize <= pieceSize;
}

function checkContent(member: ZipMember, size: number, sum: number): void {
  if (size !== member.size) disagree(member, 'has another size than the package says');
  if (sum !== member.crc) throw new ArchiveRefused('crc', member.name, `${member.name} is damaged.`);
}

function unpacked(member: ZipMember, packed: Bytes): Bytes {
  try {
    return (
      inflateWhole(packed, member.size) ?? disagree(member, 'expands to more bytes than the package says')
    );
  } catch (error) {
    throw damaged(member, error);
  }
}

function push(inflate: Inflate, member: ZipMember, bytes: Bytes, isLast: boolean): void {
  try {
    inflate.push(bytes, isLast);
  } catch (error) {
    throw damaged(member, error);
  }
}

function damaged(member: ZipMember, error: unknown): ArchiveRefused {
  if (error instanceof ArchiveRefused) return error;
  return new ArchiveRefused('zip-damaged', member.name, `${member.name} cannot be unpacked.`, error);
}

/** Compares the local header with the directory; returns the offset of the content. */
function checkHeader(member: ZipMember, bytes: Bytes): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headerSize || view.getUint32(0, true) !== 0x0403_4b50)
    disagree(member, 'is not where the package says');
  const nameLength = view.getUint16(26, true);
  const name = bytes.subarray(headerSize, headerSize + nameLength);
  if (nameLength !== member.nameLength || crc32(name) !== member.nameSum)
    disagree(member, 'has another name in its own header');
  const flags = view.getUint16(6, true);
  if (view.getUint16(8, true) !== member.method || ((flags ^ member.flags) & 0x2049) !== 0)
    disagree(member, 'is packed otherwise in its own header');
  const follows = (flags & 8) !== 0;
  const agrees = (at: number, value: number, inExtra: boolean): boolean => {
    const written = view.getUint32(at, true);
    return written === value || (follows && written === 0) || (inExtra && written === 0xffff_ffff);
  };
  if (!agrees(14, member.crc, false)) disagree(member, 'has another checksum in its own header');
  if (!agrees(18, member.packedSize, true) || !agrees(22, member.size, true))
    disagree(member, 'has another size in its own header');
  return headerSize + nameLength + view.getUint16(28, true);
}

function disagree(member: ZipMember, what: string): never {
  throw new ArchiveRefused('zip-disagree', member.name, `${member.name} ${what}.`);
}

async function collected(pieces: AsyncIterable<Bytes>, length: number, isHead = false): Promise<Bytes> {
  const all = new Uint8Array(length);
  let at = 0;
  for await (const piece of pieces) {
    const fitting = piece.subarray(0, length - at);
    all.set(fitting, at);
    at += fitting.length;
    if (isHead && at === length) break;
  }
  return all.subarray(0, at);
}
