import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import sharp from 'sharp';
import { expect, test } from 'vitest';

import { Problem } from '#shared/api/problem.ts';
import { Notes } from '#server/features/omanual/findings.ts';
import { mediaScale, readMedia } from '#server/features/omanual/import/ready-media.ts';
import { decodeBmpInThread, UnreadableBmp } from '#server/media/bmp.ts';
import { recogniseDocument } from '#server/media/file-types.ts';
import { withoutGifMetadata } from '#server/media/gif.ts';
import { resizeImage } from '#server/media/images.ts';
import { withoutMetadata } from '#server/media/jpeg.ts';
import { boxesIn } from '#server/media/mp4-boxes.ts';
import { mostParts } from '#server/media/parts.ts';
import { withoutPngMetadata } from '#server/media/png.ts';
import { measuresOf } from '#server/media/video-measures.ts';
import { clearPlace } from '#server/media/video-place.ts';
import { sha256Of, workSlices } from '#server/platform/slices.ts';
import { bmpFile } from '#test/support/media-files.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';

/** Repeats `part` to some megabytes. */
const repeated = (part: Buffer, count = 1_000_000): Buffer => Buffer.alloc(part.length * count, part);

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32BE(data.length, 0);
  sizes.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([sizes.subarray(0, 4), body, sizes.subarray(4)]);
}

const gifHead = Buffer.from([...Buffer.from('GIF89a'), 1, 0, 1, 0, 0, 0, 0]);
const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

test('MEDIA-14 pictures of millions of empty parts are left to the image library', () => {
  const gif = Buffer.concat([gifHead, repeated(Buffer.from([0x21, 0xf9, 0])), Buffer.from([0x3b])]);
  expect(withoutGifMetadata(gif)).toBeUndefined();
  const segments = Buffer.concat([Buffer.from([0xff, 0xd8]), repeated(Buffer.from([0xff, 0xe0, 0, 2]))]);
  expect(
    withoutMetadata(Buffer.concat([segments, Buffer.from([0xff, 0xda, 0, 2, 0xff, 0xd9])])),
  ).toBeUndefined();
  const escapes = Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2]),
    repeated(Buffer.from([0xff, 0]), 2_000_000),
    Buffer.from([0xff, 0xd9]),
  ]);
  expect(withoutMetadata(escapes)).toBeUndefined();
  const png = Buffer.concat([
    pngStart,
    pngChunk('IHDR', Buffer.alloc(13, 1)),
    repeated(pngChunk('IDAT', Buffer.alloc(0)), 200_000),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
  expect(withoutPngMetadata(png)).toBeUndefined();
});

test('MEDIA-14 reading a video stops after a bounded number of boxes and nested elements', () => {
  const box = Buffer.from([0, 0, 0, 8, ...Buffer.from('free')]);
  expect(boxesIn(repeated(box), 0, 8_000_000)).toHaveLength(mostParts);
  const open = Buffer.from([0x18, 0x53, 0x80, 0x67, 0xff]);
  const nested = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80]), repeated(open)]);
  expect(measuresOf(nested)).toEqual({ duration: 0, width: 0, height: 0 });
  const small = Buffer.concat([
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80]),
    repeated(Buffer.from([0xae, 0x80])),
  ]);
  expect(measuresOf(small)).toEqual({ duration: 0, width: 0, height: 0 });
});

test('MEDIA-14 the parts of a video are looked for in pieces of the file, not one by one', async () => {
  const start = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1');
  const box = Buffer.from([0, 0, 0, 8, ...Buffer.from('free')]);
  const place = Buffer.from('\0\0\0\x20udta\0\0\0\x18\xA9xyz+52.5+013.4/12345', 'latin1');
  const file = Buffer.concat([start, repeated(box, 100_000), place]);
  let reads = 0;
  await clearPlace({
    size: file.length,
    read: async (offset, length) => {
      reads += 1;
      return Buffer.from(file.subarray(offset, offset + length));
    },
    write: async (offset, bytes) => {
      file.set(bytes, offset);
    },
  });
  expect(reads).toBeLessThan(30);
  expect(file.includes('+52.5')).toBe(false);
});

/** How often other work got a turn until `work` was done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await over;
  return turns;
}

test('MEDIA-15 work on thousands of lines yields to other requests', async () => {
  const linesWith = async (count: number, characters: number): Promise<void> => {
    const slice = workSlices();
    for (let line = 0; line < count; line += 1) await slice(characters);
  };
  expect(await turnsDuring(linesWith(6000, 0))).toBeGreaterThan(4);
  expect(await turnsDuring(linesWith(100, 10_000))).toBeGreaterThan(15);
  expect(await turnsDuring(linesWith(900, 0))).toBeLessThan(2);
});

test('MEDIA-15 hashing a large file, scanning a text and decoding a BMP yield to other requests', async () => {
  const bytes = Buffer.alloc(8 * 1024 * 1024, 'Größe ');
  expect(await turnsDuring(sha256Of(bytes))).toBeGreaterThan(6);
  expect(await sha256Of(bytes, 'POST')).toBe(createHash('sha256').update('POST').update(bytes).digest('hex'));
  expect(await sha256Of(Buffer.alloc(0))).toBe(createHash('sha256').digest('hex'));
  const text = Buffer.from('Größe '.repeat(1_000_000));
  expect(await turnsDuring(recogniseDocument(text, 'a.txt'))).toBeGreaterThan(5);
  expect((await recogniseDocument(text, 'a.txt')).mime).toContain('text/plain');
  const [width, height] = [1000, 2000];
  const head = Buffer.alloc(62);
  head.write('BM', 'latin1');
  head.writeUInt32LE(62, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 28);
  head.writeUInt32LE(0xffffff, 58);
  const bmp = Buffer.concat([head, Buffer.alloc(128 * height, 0xff)]);
  expect(await turnsDuring(decodeBmpInThread(bmp))).toBeGreaterThan(15);
  const { data } = await decodeBmpInThread(bmp);
  expect([data.length, data[0], data.at(-1)]).toEqual([width * height * 3, 255, 255]);
  await expect(decodeBmpInThread(bmp.subarray(0, 1000))).rejects.toThrow(UnreadableBmp);
});

/** A picture whose bytes are read when `letGo` is called; counts concurrent reads. */
async function heldPicture() {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#777' } })
    .jpeg()
    .toBuffer();
  const held = Promise.withResolvers<void>();
  const reading = { now: 0, most: 0 };
  const read = async (): Promise<Buffer> => {
    reading.now += 1;
    reading.most = Math.max(reading.most, reading.now);
    await held.promise;
    reading.now -= 1;
    return picture;
  };
  return { read, reading, letGo: () => held.resolve() };
}

test('MEDIA-16 picture sizes are made two at a time in bounded memory; a caller with more than two hundred waiting gets 503', async () => {
  const { read, reading, letGo } = await heldPicture();
  const size = (caller: string): Promise<Buffer> => resizeImage(caller, read, 'jpeg', 'mini');
  const settled = Promise.allSettled(Array.from({ length: 210 }, () => size('workshop')));
  const other = size('other');
  letGo();
  const results = await settled;
  await other;
  const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  expect(refused).toHaveLength(8);
  for (const reason of refused) expect(reason).toBeInstanceOf(Problem);
  expect(refused[0]).toMatchObject({ status: 503, details: { code: 'server-busy' } });
  expect(reading.most).toBe(2);
});

test('BUDGET-1 people take turns with their pictures: more than forty at a time of one person are refused, and others do not wait', async () => {
  await using server = await startServer();
  const [many, few] = [await server.person('Many'), await server.person('Few')];
  const { read, letGo } = await heldPicture();
  // Nothing is decoded until all requests have arrived.
  const held = ['a', 'b'].map((caller) => resizeImage(caller, read, 'jpeg', 'mini'));
  const picture = bmpFile(4, 3, () => [1, 2, 3]);
  const order: TestPerson[] = [];
  const sends = (person: TestPerson) => {
    const refused = Promise.withResolvers<void>();
    let count = 0;
    const all = Array.from({ length: 42 }, async (_, n) => {
      const { status } = await fetch(`${server.url}/api/2.0/user/media/images?file=${n}.bmp`, {
        method: 'POST',
        headers: { Authorization: `api ${person.token}` },
        body: picture,
      });
      if (status === 200) order.push(person);
      if (status === 503) count += 1;
      if (count === 2) refused.resolve();
    });
    return { all: Promise.all(all), refused: refused.promise };
  };
  const first = sends(many);
  // Two are refused, so forty wait.
  await first.refused;
  const second = sends(few);
  await second.refused;
  letGo();
  await Promise.all([...held, first.all, second.all]);
  expect(order).toHaveLength(80);
  const early = order.slice(0, 40).filter((person) => person === few).length;
  expect(early).toBeGreaterThan(10);
});

test('BUDGET-2 an import does not skip a picture that gets no turn: it ends and reports a busy server', async () => {
  await using server = await startServer();
  const { read, letGo } = await heldPicture();
  const sizes = ['a', 'b', ...Array.from({ length: 40 }, () => 'user 7')];
  const held = sizes.map((caller) => resizeImage(caller, read, 'jpeg', 'mini'));
  const picture = bmpFile(4, 3, () => [1, 2, 3]);
  const raw = join(server.dataDir, 'a.bmp');
  await writeFile(raw, picture);
  const archive = {
    media: () => Promise.reject(new Error('It is a picture')),
    pictures: async () => [{ raw, size: picture.length }],
  };
  const notes = new Notes();
  const media = { id: 1, guid: 'a', kind: 'image', member: 'a.bmp', url: null, filename: 'a.bmp' } as const;
  const sources = { services: server.services, caller: 'user 7', archive, linked: null, scale: mediaScale() };
  const importing = readMedia(sources, [{ ...media, mime: 'image/bmp', size: picture.length }], notes);
  await expect(importing).rejects.toMatchObject({ status: 503 });
  expect(notes.after([])).toEqual([]);
  expect(existsSync(raw)).toBe(false);
  letGo();
  await Promise.all(held);
});
