import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';

import { plainPicture } from '#server/media/plain-picture.ts';

const size = { width: 30, height: 20 };
const drawn = (): Sharp => sharp({ create: { ...size, channels: 3, background: '#c84' } });

test('MEDIA-12 a JPEG or PNG without metadata is measured by its header, whatever its kind', async () => {
  const pictures = [
    drawn().jpeg(),
    drawn().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
    drawn().greyscale().jpeg(),
    drawn().toColourspace('cmyk').jpeg(),
    drawn().png(),
    drawn().png({ palette: true }),
    drawn().png({ progressive: true }),
    drawn().greyscale().toColourspace('b-w').png(),
    drawn().ensureAlpha().toColourspace('rgb16').png(),
  ];
  for (const picture of pictures) {
    const bytes = await picture.toBuffer();
    const { format, width, height } = await sharp(bytes).metadata();
    expect(plainPicture(bytes)).toEqual({ format, width, height });
  }
});

test('MEDIA-12 every other picture is left to the image library', async () => {
  const jpeg = await drawn().jpeg().toBuffer();
  const png = await drawn().png().toBuffer();
  const turned = await drawn().withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const described = await drawn()
    .withExif({ IFD0: { Copyright: 'Ana' } })
    .png()
    .toBuffer();
  const damaged = Buffer.from(png);
  damaged[20] = 1;
  const twelveBits = Buffer.from(jpeg);
  const frame = twelveBits.indexOf(Buffer.from([0xff, 0xc0]));
  twelveBits[frame + 4] = 12;
  const flat = Buffer.from(jpeg);
  flat.writeUInt16BE(0, frame + 5);
  const others = [
    turned,
    described,
    damaged,
    twelveBits,
    flat,
    jpeg.subarray(0, -2),
    png.subarray(0, -12),
    Buffer.concat([jpeg, Buffer.from('more')]),
    await drawn().gif().toBuffer(),
    await drawn().tiff().toBuffer(),
    Buffer.from('BM'),
    Buffer.alloc(0),
  ];
  expect(others.map(plainPicture)).toEqual(others.map(() => undefined));
});
