import fc from 'fast-check';
import { expect, test } from 'vitest';

import { readingAhead } from '#desktop/engine/features/archives/reading-ahead.ts';
import { type ByteSource, bytesSource } from '#shared/formats/omanual/source.ts';

const size = 3 * 1024 * 1024;
const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 31) ^ (at >> 8));

/** The bytes, and the requested ranges. */
function counted(): { source: ByteSource; asked: number[] } {
  const asked: number[] = [];
  const inner = bytesSource(bytes);
  const read: ByteSource['read'] = (offset, length) => {
    asked.push(length);
    return inner.read(offset, length);
  };
  return { source: { size, read }, asked };
}

test('ARCHIVE-2 many small reads near each other become few', async () => {
  const { source, asked } = counted();
  const ahead = readingAhead(source);
  const offsets = Array.from({ length: 60 }, (_, index) => index * 50_000);
  const heads = await Promise.all(offsets.map((offset) => ahead.read(offset, 4096)));
  expect(heads).toEqual(offsets.map((offset) => bytes.slice(offset, offset + 4096)));
  expect(asked.length).toBeLessThan(15);
  expect(asked.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(size + 12 * 4096);
});

test('ARCHIVE-2 distant and large reads take no more than they ask for', async () => {
  const { source, asked } = counted();
  const ahead = readingAhead(source);
  for (let offset = 0; offset < size; offset += 1_100_000) await ahead.read(offset, 4096);
  expect(new Set(asked)).toEqual(new Set([4096]));
  for (let time = 0; time < 9; time += 1) await ahead.read(5, 400_000);
  expect(asked.at(-1)).toBe(400_000);
});

test('ARCHIVE-2 a window that could not be read is requested again', async () => {
  let isBroken = true;
  const inner = bytesSource(bytes);
  const read: ByteSource['read'] = (offset, length) =>
    isBroken ? Promise.reject(new Error('no disk')) : inner.read(offset, length);
  const ahead = readingAhead({ size, read });
  for (let time = 0; time < 9; time += 1) await expect(ahead.read(7, 4)).rejects.toThrow('no disk');
  isBroken = false;
  expect(await ahead.read(7, 4)).toEqual(bytes.slice(7, 11));
});

test('ARCHIVE-2 only the requested part of a very large file is read', () => {
  const { source } = counted();
  const large = { ...source, size: 1024 ** 3 };
  expect(readingAhead(large)).toBe(large);
});

test('ARCHIVE-2 reads return the content of the file, and nothing beyond its end', async () => {
  const read = fc.tuple(fc.nat(size - 1), fc.nat(200_000));
  const walk = fc
    .tuple(fc.nat(size - 1), fc.nat(100_000))
    .map(([from, step]) => Array.from({ length: 6 }, (_, at) => [from + at * step, 1000] as const));
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          read.map((one) => [one]),
          walk,
        ),
        { maxLength: 8 },
      ),
      async (parts) => {
        const ahead = readingAhead(bytesSource(bytes));
        for (const [offset, length] of parts.flat()) {
          const found = await ahead.read(offset, length).catch(() => null);
          const isThere = offset + length <= size;
          expect(found === null ? null : Buffer.compare(found, bytes.subarray(offset, offset + length))).toBe(
            isThere ? 0 : null,
          );
        }
      },
    ),
    { numRuns: 200 },
  );
});
