import { deflateSync } from 'fflate';

import { crc32 } from '#shared/formats/omanual/crc32.ts';

/** A member of a hand-made ZIP, with its possible faults. */
export interface HandMade {
  name: string | Uint8Array;
  content: string | Uint8Array;
  deflate?: boolean;
  /** Sizes and checksum follow the content; the local header has none. */
  descriptor?: boolean;
  /** Sizes and offset are in the zip64 field. */
  large?: boolean;
  flags?: number;
  /** External attributes, the upper half: the UNIX mode. */
  mode?: number;
  /** Values in the directory that differ from the member. */
  directory?: { name?: string; size?: number; crc?: number; offset?: number; method?: number };
}

/** Writes the members as given, right or wrong. `comment` is the comment of the package. */
export function handMadeZip(members: readonly HandMade[], comment = ''): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const content = Buffer.from(member.content);
    const data = member.deflate === true ? Buffer.from(deflateSync(content)) : content;
    const local = header(member, content, data);
    entries.push(directoryEntry(member, content, data, offset));
    parts.push(local, data);
    offset += local.length + data.length;
    if (member.descriptor === true) {
      const after = numbers([4, 0x08074b50], [4, crc32(content)], [4, data.length], [4, content.length]);
      parts.push(after);
      offset += after.length;
    }
  }
  const directory = Buffer.concat(entries);
  const text = Buffer.from(comment);
  const isLarge = members.some(({ large }) => large === true);
  const largeEnd = isLarge ? endOfLarge(members.length, directory.length, offset) : Buffer.alloc(0);
  const count: [number, number] = [2, isLarge ? 0xffff : members.length];
  const place = isLarge ? 0xffff_ffff : offset;
  const end = numbers([4, 0x06054b50], [2, 0], [2, 0], count, count, [4, directory.length], [4, place]);
  return Uint8Array.from(
    Buffer.concat([...parts, directory, largeEnd, end, numbers([2, text.length]), text]),
  );
}

function header(member: HandMade, content: Buffer, data: Buffer): Buffer {
  const name = Buffer.from(member.name);
  const known = member.descriptor !== true;
  return Buffer.concat([
    numbers([4, 0x04034b50], [2, 20], [2, flagsOf(member)], [2, member.deflate === true ? 8 : 0], [4, 0]),
    numbers([4, known ? crc32(content) : 0], [4, known ? data.length : 0], [4, known ? content.length : 0]),
    numbers([2, name.length], [2, 0]),
    name,
  ]);
}

function directoryEntry(member: HandMade, content: Buffer, data: Buffer, offset: number): Buffer {
  const said = member.directory ?? {};
  const name = Buffer.from(said.name ?? member.name);
  const large = member.large === true;
  const size = said.size ?? content.length;
  const extra = large
    ? numbers([2, 1], [2, 24], [8, size], [8, data.length], [8, said.offset ?? offset])
    : Buffer.alloc(0);
  const method = said.method ?? (member.deflate === true ? 8 : 0);
  return Buffer.concat([
    numbers([4, 0x02014b50], [2, 0x0314], [2, 20], [2, flagsOf(member)], [2, method], [4, 0]),
    numbers([4, said.crc ?? crc32(content)]),
    numbers([4, large ? 0xffff_ffff : data.length], [4, large ? 0xffff_ffff : size]),
    numbers([2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0]),
    numbers([2, 0], [2, member.mode ?? 0o100644], [4, large ? 0xffff_ffff : (said.offset ?? offset)]),
    name,
    extra,
  ]);
}

function endOfLarge(count: number, size: number, start: number): Buffer {
  return Buffer.concat([
    numbers([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, count], [8, count]),
    numbers([8, size], [8, start]),
    numbers([4, 0x07064b50], [4, 0], [8, start + size], [4, 1]),
  ]);
}

function flagsOf(member: HandMade): number {
  const isText = typeof member.name === 'string';
  return member.flags ?? (isText ? 0x800 : 0) + (member.descriptor === true ? 8 : 0);
}

/** Numbers in little-endian order, each with its width in bytes. */
function numbers(...fields: readonly (readonly [number, number])[]): Buffer {
  return Buffer.concat(
    fields.map(([width, value]) => {
      const bytes = Buffer.alloc(width);
      if (width === 8) bytes.writeBigUInt64LE(BigInt(value));
      else bytes.writeUIntLE(value, 0, width);
      return bytes;
    }),
  );
}
