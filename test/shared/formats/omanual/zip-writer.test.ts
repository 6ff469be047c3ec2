import { crc32 as referenceSum } from 'node:zlib';

import fc from 'fast-check';
import { strFromU8 } from 'fflate';
import { expect, test } from 'vitest';

import { crc32, plainCrc32, replaceCrc32 } from '#shared/formats/omanual/crc32.ts';
import { ZipWriter } from '#shared/formats/omanual/zip-writer.ts';
import { runs } from '#test/support/long-run.ts';

import { membersOf } from './archives.ts';

interface Written {
  bytes: Buffer<ArrayBuffer>;
  sizes: number[];
}

async function zipOf(fill: (zip: ZipWriter) => Promise<void>): Promise<Written> {
  const chunks: Uint8Array[] = [];
  const zip = new ZipWriter({ write: async (chunk) => void chunks.push(chunk.slice()) });
  await fill(zip);
  await zip.finish();
  return { bytes: Buffer.concat(chunks), sizes: chunks.map(({ length }) => length) };
}

const text = new TextEncoder().encode('a'.repeat(1000));
const picture = Uint8Array.from({ length: 300 }, (_, index) => (index * 7919) % 251);

test('OMANUAL-WRITE-3 members read as written, with names in UTF-8, XML compressed and media stored', async () => {
  const { bytes } = await zipOf(async (zip) => {
    await zip.addPacked('Größe-部品-1/guide.xml', text);
    await zip.addStored('media/ü.jpg', picture);
    await zip.addPacked('tiny.xml', picture.subarray(0, 3));
  });
  const members = membersOf(bytes);
  expect([...members.keys()]).toEqual(['Größe-部品-1/guide.xml', 'media/ü.jpg', 'tiny.xml']);
  expect(members.get('Größe-部品-1/guide.xml')).toEqual(text);
  expect(members.get('media/ü.jpg')).toEqual(picture);
  const [head, second] = [bytes.readUInt16LE(8), bytes.indexOf('PK\x03\x04', 4)];
  expect(head).toBe(8);
  expect(bytes.readUInt16LE(second + 8)).toBe(0);
  expect(bytes.readUInt16LE(6)).toBe(0x0800);
});

test('OMANUAL-WRITE-3 a local header matches the central directory, sizes and checksum included', async () => {
  const { bytes } = await zipOf(async (zip) => {
    await zip.addPacked('guide.xml', text);
    await zip.addStream('film.mp4', {
      size: 300,
      open: async () => [picture.slice(0, 100), picture.slice(100)],
    });
  });
  let at = bytes.indexOf('PK\x01\x02');
  let members = 0;
  for (; bytes.readUInt32LE(at) === 0x0201_4b50; members += 1) {
    const local = bytes.readUInt32LE(at + 42);
    const nameLength = bytes.readUInt16LE(at + 28);
    expect(bytes.subarray(local + 4, local + 28)).toEqual(bytes.subarray(at + 6, at + 30));
    expect(bytes.subarray(local + 30, local + 30 + nameLength)).toEqual(
      bytes.subarray(at + 46, at + 46 + nameLength),
    );
    at += 46 + nameLength + bytes.readUInt16LE(at + 30);
  }
  expect(members).toBe(2);
  expect(strFromU8(membersOf(bytes).get('guide.xml') ?? text)).toBe('a'.repeat(1000));
});

test('OMANUAL-WRITE-3 a large file is streamed in its pieces; one that changes meanwhile ends the writing', async () => {
  const piece = new Uint8Array(1000);
  const { sizes } = await zipOf((zip) =>
    zip.addStream('film.mp4', { size: 5000, open: async () => Array.from({ length: 5 }, () => piece) }),
  );
  expect(Math.max(...sizes)).toBe(1000);
  let pass = 0;
  const open = async () => [Uint8Array.from([(pass += 1)])];
  await expect(zipOf((zip) => zip.addStream('film.mp4', { size: 1, open }))).rejects.toThrow(
    'film.mp4 changed',
  );
});

test('OMANUAL-WRITE-3 more members than 16 bits can count use the 64-bit count', async () => {
  const count = 65_600;
  const { bytes } = await zipOf(async (zip) => {
    for (let index = 0; index < count; index += 1) await zip.addStored(`${index}`, piece);
  });
  const record = bytes.lastIndexOf('PK\x06\x06');
  expect(bytes.readBigUInt64LE(record + 32)).toBe(BigInt(count));
  expect(bytes.readUInt16LE(bytes.length - 12)).toBe(0xffff);
  expect(membersOf(bytes).size).toBe(count);
});

const piece = Uint8Array.from([1]);

test('OMANUAL-WRITE-3 the checksum is the CRC-32 of ZIP, at any offset and with any pieces', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(7), fc.nat(200), (content, offset, cut) => {
      const bytes = new Uint8Array(offset + content.length).subarray(offset);
      bytes.set(content);
      const whole = referenceSum(content);
      expect(plainCrc32(bytes)).toBe(whole);
      expect(plainCrc32(bytes.subarray(cut), plainCrc32(bytes.subarray(0, cut)))).toBe(whole);
    }),
    { numRuns: runs(1000) },
  );
});

test('OMANUAL-WRITE-3 a faster checksum is used only if it gives the same result', () => {
  const bytes = Buffer.from('Loosen the belt');
  let asked = 0;
  const counted = (some: Uint8Array, before: number): number => {
    asked += 1;
    return referenceSum(some, before);
  };
  try {
    expect(() => replaceCrc32(() => 7)).toThrow('no CRC-32');
    replaceCrc32(counted);
    expect([crc32(bytes), asked]).toStrictEqual([referenceSum(bytes), 2]);
  } finally {
    replaceCrc32(plainCrc32);
  }
});
