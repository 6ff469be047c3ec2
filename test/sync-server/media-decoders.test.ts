import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';

import { Problem } from '#shared/api/problem.ts';
import { decodeBmp } from '#server/media/bmp.ts';
import { readExif } from '#server/media/exif.ts';
import { cleanName, recogniseDocument, recogniseVideo } from '#server/media/file-types.ts';
import { newGuid } from '#server/platform/random.ts';
import { prepareImage, resizeImage } from '#server/media/images.ts';
import { withoutMetadata } from '#server/media/jpeg.ts';
import { bmpFile } from '#test/support/media-files.ts';

const colours = (x: number, y: number): number[] => [(x * 40) % 256, (y * 50) % 256, (x * y) % 256];

/** A BMP with the given header fields and pixel bytes. */
function bmpOf(
  header: { width: number; height: number; bits: number; compression?: number; size?: number },
  rest: Buffer,
): Buffer {
  const { width, height, bits, compression = 0, size = 40 } = header;
  const head = Buffer.alloc(54);
  head.write('BM', 'latin1');
  head.writeUInt32LE(
    54 + rest.length - (height === 0 ? 0 : Math.ceil((width * bits) / 32) * 4 * Math.abs(height)),
    10,
  );
  head.writeUInt32LE(size, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  return Buffer.concat([head, rest]);
}

test('a 24-bit BMP has the pixels it was made of', async () => {
  const decoded = decodeBmp(Buffer.from(bmpFile(5, 3, colours)));
  expect(decoded).toMatchObject({ width: 5, height: 3, channels: 3 });
  const expected = [0, 1, 2].flatMap((y) => [0, 1, 2, 3, 4].flatMap((x) => colours(x, y)));
  expect([...decoded.data]).toEqual(expected);
});

test('BMPs with a palette and with top-down rows are read', async () => {
  const palette = Buffer.from([0, 0, 255, 0, 255, 0, 0, 0]);
  const bits = bmpOf(
    { width: 3, height: -1, bits: 1 },
    Buffer.concat([palette, Buffer.from([0b10100000, 0, 0, 0])]),
  );
  bits.writeUInt32LE(2, 46);
  expect([...decodeBmp(bits).data]).toEqual([0, 0, 255, 255, 0, 0, 0, 0, 255]);
});

test('a BMP with bit fields is read, with and without alpha', async () => {
  const masks = Buffer.alloc(16);
  [0xff0000, 0xff00, 0xff, 0xff000000].forEach((mask, index) => masks.writeUInt32LE(mask, index * 4));
  const alpha = bmpOf(
    { width: 1, height: 1, bits: 32, compression: 3, size: 56 },
    Buffer.concat([masks, Buffer.from([3, 2, 1, 128])]),
  );
  expect(decodeBmp(alpha)).toMatchObject({ channels: 4, data: Buffer.from([1, 2, 3, 128]) });
  const small = bmpOf({ width: 1, height: 1, bits: 16 }, Buffer.from([0b00011111, 0b01111100, 0, 0]));
  expect([...decodeBmp(small).data]).toEqual([255, 0, 255]);
});

test('any uploaded bytes are a picture or are refused', async () => {
  const seeds = [
    await sharp({ create: { width: 40, height: 30, channels: 3, background: '#123456' } })
      .jpeg()
      .withExif({ IFD0: { Make: 'A' } })
      .toBuffer(),
    await sharp({ create: { width: 40, height: 30, channels: 4, background: '#12345680' } })
      .png()
      .toBuffer(),
    await sharp({ create: { width: 40, height: 30, channels: 3, background: '#123456' } })
      .gif()
      .toBuffer(),
    await sharp({ create: { width: 40, height: 30, channels: 3, background: '#123456' } })
      .tiff()
      .toBuffer(),
    Buffer.from(bmpFile(20, 20, colours)),
  ];
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...seeds), changes, fc.nat(), async (seed, list, cut) => {
      const bytes = Buffer.from(seed);
      for (const [at, value] of list) bytes[at % bytes.length] = value;
      const end = cut % 3 === 0 ? Math.max(1, cut % bytes.length) : bytes.length;
      const outcome = await prepareImage('a', bytes.subarray(0, end), 'VARIABLE').catch(
        (error: unknown) => error,
      );
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(Problem);
      else expect(outcome).toMatchObject({ exif: {} });
    }),
    { numRuns: 150 },
  );
});

test('MEDIA-12 a picture checked by streaming has the decoded properties, and a truncated one is refused', async () => {
  const plain = sharp({ create: { width: 41, height: 30, channels: 3, background: '#123456' } });
  const upright = { IFD0: { Make: 'A' } };
  const read = [
    await plain.clone().jpeg().toBuffer(),
    await plain.clone().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).withExif(upright).toBuffer(),
    await plain.clone().toColourspace('b-w').jpeg().toBuffer(),
    await plain.clone().png().toBuffer(),
    await plain.clone().png({ palette: true }).toBuffer(),
    await plain.clone().gif().toBuffer(),
  ];
  for (const bytes of read) {
    const whole = await prepareImage('a', bytes, 'VARIABLE', 'whole');
    expect(whole).toEqual(await prepareImage('a', bytes, 'VARIABLE'));
    const half = bytes.subarray(0, bytes.length / 2);
    await expect(prepareImage('a', half, 'VARIABLE', 'whole')).rejects.toThrow(Problem);
  }
  const turned = await plain.clone().jpeg().withMetadata({ orientation: 6 }).toBuffer();
  const exifAfterFrame = moveFrameFirst(turned);
  for (const bytes of [turned, exifAfterFrame])
    expect(await prepareImage('a', bytes, 'VARIABLE', 'whole')).toMatchObject({ width: 30, height: 41 });
  const huge = await plain.clone().png().toBuffer();
  huge.writeUInt32BE(60_000, 16);
  huge.writeUInt32BE(60_000, 20);
  await expect(prepareImage('a', huge, 'VARIABLE', 'whole')).rejects.toThrow('more than 50 megapixels');
});

/** A JPEG whose frame header precedes the Exif block, as the format allows. */
function moveFrameFirst(bytes: Buffer): Buffer {
  const segments: Buffer[] = [];
  let at = 2;
  while (bytes[at + 1] !== 0xda) {
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    segments.push(bytes.subarray(at, end));
    at = end;
  }
  const isFrame = (segment: Buffer): boolean => segment[1] === 0xc0 || segment[1] === 0xc2;
  return Buffer.concat([
    bytes.subarray(0, 2),
    ...segments.filter(isFrame),
    ...segments.filter((segment) => !isFrame(segment)),
    bytes.subarray(at),
  ]);
}

/** An animation of 900 by 900 pixels in which each frame paints one pixel. */
function longAnimation(frames: number): Buffer {
  const screen = Buffer.from('GIF89a\x84\x03\x84\x03\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  const frame = Buffer.from('\x21\xf9\x04\0\x0a\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x4c\x01\0', 'latin1');
  return Buffer.concat([screen, ...Array.from({ length: frames }, () => frame), Buffer.from(';')]);
}

test('smaller sizes keep an animation, except of a very long one', async () => {
  const frames = ['#ff0000', '#00ff00', '#0000ff'].map((background) => ({
    create: { width: 90, height: 90, channels: 3 as const, background },
  }));
  const parts = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()));
  const short = await sharp(parts, { join: { animated: true } })
    .gif()
    .toBuffer();
  expect((await prepareImage('a', short, 'VARIABLE')).bytes).toEqual(short);
  expect((await sharp(await resizeImage('a', async () => short, 'gif', 'mini')).metadata()).pages).toBe(3);
  const long = longAnimation(63);
  expect(await prepareImage('a', long, 'VARIABLE')).toMatchObject({ bytes: long, width: 900, height: 900 });
  expect((await sharp(await resizeImage('a', async () => long, 'gif', 'mini')).metadata()).pages ?? 1).toBe(
    1,
  );
  await expect(prepareImage('a', long, 'FOUR_THREE')).rejects.toThrow('more than 50 megapixels');
});

test('removing metadata ends for any bytes and never makes them longer', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (tail) => {
      const bytes = Buffer.concat([Buffer.from([0xff, 0xd8]), tail]);
      expect(withoutMetadata(bytes)?.length ?? 0).toBeLessThanOrEqual(bytes.length);
    }),
  );
});

test('a broken Exif block is ignored, and none is read twice', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom('II*\0', 'MM\0*'), (tail, order) => {
      const exif = readExif(Buffer.concat([Buffer.from(`Exif\0\0${order}`, 'latin1'), tail]));
      expect(Object.keys(exif).every((name) => /^[A-Z]/.test(name))).toBe(true);
    }),
  );
  expect(readExif(undefined)).toEqual({});
});

test('a guid has 16 letters and digits', async () => {
  const guids = Array.from({ length: 50 }, () =>
    newGuid((size) => crypto.getRandomValues(new Uint8Array(size))),
  );
  expect(guids.every((guid) => /^[A-Za-z0-9]{16}$/.test(guid))).toBe(true);
  expect(new Set(guids).size).toBe(50);
});

test('file names lose characters that paths and headers cannot contain', async () => {
  expect(cleanName('..\\secret\\..hidden "plan"?.pdf')).toBe('hidden plan.pdf');
  expect(cleanName('///')).toBe('file');
  expect(cleanName(`${'x'.repeat(300)}.pdf`)).toHaveLength(200);
});

test('an office file keeps its extension, and a wrong extension is corrected by content', async () => {
  const zip = Buffer.from('PK\x03\x04 and more', 'latin1');
  expect((await recogniseDocument(zip, 'list.xlsx')).mime).toContain('spreadsheetml');
  expect(await recogniseDocument(zip, 'list.pdf')).toEqual({
    filename: 'list.pdf.zip',
    mime: 'application/zip',
  });
  expect(
    (await recogniseDocument(Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), 'old.doc')).mime,
  ).toBe('application/msword');
  expect((await recogniseDocument(Buffer.from('a,b\n1,2\n'), 'a.csv')).mime).toBe('text/csv; charset=utf-8');
});

test('a video is recognised as WebM or Ogg by its first bytes', async () => {
  expect(recogniseVideo(Buffer.from('\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01 webm', 'latin1'), 'a')).toEqual({
    mime: 'video/webm',
    filename: 'a.webm',
  });
  expect(recogniseVideo(Buffer.from('OggS rest'), 'a.ogg')).toEqual({ mime: 'video/ogg', filename: 'a.ogg' });
});
