import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { VideoRecord } from '#shared/model/media-record.ts';
import { measuresOf } from '#server/media/video-measures.ts';
import { withoutPlace } from '#server/media/video-place.ts';
import { startServer } from '#test/support/server.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A box of an MP4 file: size, type, content. */
function box(type: string | number, ...content: Buffer[]): Buffer {
  const name = Buffer.alloc(4);
  if (typeof type === 'number') name.writeUInt32BE(type);
  else name.write(type, 'latin1');
  const body = Buffer.concat([name, ...content]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length + 4);
  return Buffer.concat([size, body]);
}

const fourBytes = (value: number): Buffer => Buffer.from([0, 0, 0, value]);
const place = '+52.5200+013.4050/';
const hdlr = box('hdlr', Buffer.alloc(24));
const entry = (index: number, text: string): Buffer =>
  box(index, box('data', fourBytes(1), fourBytes(0), latin1(text)));
const keys = box(
  'keys',
  fourBytes(0),
  fourBytes(2),
  box('mdta', latin1('com.apple.quicktime.make')),
  box('mdta', latin1('com.apple.quicktime.location.ISO6709')),
);
const entries = box('ilst', entry(1, 'Camera maker'), entry(2, place));
const ftyp = (brand: string): Buffer => box('ftyp', latin1(brand), fourBytes(0));
const samples = box('mdat', latin1(`pictures ${'+1'.repeat(20)}`));
const header = box('mvhd', Buffer.alloc(100, 7));

const films: [string, Buffer[]][] = [
  [
    'in the user data of the video',
    [box('udta', box('\xA9xyz', latin1(place)), box('name', latin1('Belt')))],
  ],
  ['in the user data of a track', [box('trak', box('udta', box('loci', Buffer.alloc(6), latin1(place))))]],
  ['among the keys of QuickTime', [box('meta', hdlr, keys, entries)]],
  ['among the keys of an ISO file', [box('meta', fourBytes(0), hdlr, keys, entries)]],
  ['in nested user data', [box('udta', box('meta', fourBytes(0), hdlr, keys, entries))]],
];

test.each(films)('MEDIA-8 the place %s is removed, and nothing else changes', (_, parts) => {
  const before = Buffer.concat([ftyp('isom'), box('moov', header, ...parts), samples]);
  const after = withoutPlace(before);
  expect(before.includes(place)).toBe(true);
  expect(after.includes(place)).toBe(false);
  expect(after).toHaveLength(before.length);
  expect(after.subarray(-samples.length)).toEqual(samples);
  expect(after.includes(header)).toBe(true);
  for (const kept of ['Camera maker', 'Belt']) expect(after.includes(kept)).toBe(before.includes(kept));
});

test('MEDIA-8 XMP that names GPS is removed, other XMP stays', () => {
  const id = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
  const withGps = box('uuid', id, latin1('<exif:GPSLatitude>52,31N</exif:GPSLatitude>'));
  const without = box('uuid', id, latin1('<dc:title>Belt</dc:title>'));
  const after = withoutPlace(Buffer.concat([ftyp('isom'), withGps, without]));
  expect(after.includes('52,31N')).toBe(false);
  expect(after.includes(without)).toBe(true);
});

test('MEDIA-8 a video without a place, or broken anywhere, keeps its length and never fails', () => {
  const film = Buffer.concat([
    ftyp('qt  '),
    box('moov', header, box('udta', box('name', latin1('Belt')))),
    samples,
  ]);
  expect(withoutPlace(film)).toEqual(film);
  const full = Buffer.concat([ftyp('qt  '), box('moov', box('meta', hdlr, keys, entries)), samples]);
  fc.assert(
    fc.property(fc.nat(full.length - 1), fc.nat(255), fc.nat(full.length), (at, byte, length) => {
      const broken = Buffer.from(full.subarray(0, length));
      if (at < length) broken[at] = byte;
      expect(withoutPlace(broken)).toHaveLength(length);
    }),
  );
});

test('MEDIA-8 an uploaded video is stored without the place', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  const film = Buffer.concat([
    ftyp('qt  '),
    box('moov', box('udta', box('\xA9xyz', latin1(place)))),
    samples,
  ]);
  const response = await fetch(`${server.url}/api/2.0/user/media/videos?file=belt.mov`, {
    method: 'POST',
    headers: { Authorization: `api ${ana.token}`, 'Content-Type': 'video/quicktime' },
    body: Uint8Array.from(film),
  });
  expect(response.status).toBe(200);
  const { encodings } = (await response.json()) as VideoRecord;
  const stored = await fetch(encodings[0]?.url ?? '', { headers: { Authorization: `api ${ana.token}` } });
  const bytes = Buffer.from(await stored.arrayBuffer());
  expect(bytes.includes(samples)).toBe(true);
  expect(bytes.includes(place)).toBe(false);
});

const number = (value: number, bytes = 4): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, bytes - Math.min(6, bytes), Math.min(6, bytes));
  return buffer;
};

describe('MEDIA-9 the head of a video contains its length and size', () => {
  const track = (width: number, height: number) =>
    box('trak', box('tkhd', Buffer.alloc(76), number(width * 65_536), number(height * 65_536)));
  const mp4 = (mvhd: Buffer) =>
    Buffer.concat([ftyp('isom'), box('moov', mvhd, track(0, 0), track(1280, 720)), samples]);
  const short = box('mvhd', Buffer.alloc(12), number(600), number(7500), Buffer.alloc(80));
  const long = box(
    'mvhd',
    Buffer.from([1]),
    Buffer.alloc(19),
    number(600),
    number(7500, 8),
    Buffer.alloc(80),
  );

  const element = (id: number[], ...content: Buffer[]): Buffer => {
    const body = Buffer.concat(content);
    return Buffer.concat([
      Buffer.from(id),
      Buffer.from([0x40 | (body.length >> 8), body.length & 0xff]),
      body,
    ]);
  };
  const seconds = Buffer.alloc(8);
  seconds.writeDoubleBE(12_500);
  const webm = Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], latin1('webm'))),
    Buffer.from([0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    element(
      [0x15, 0x49, 0xa9, 0x66],
      element([0x2a, 0xd7, 0xb1], number(1_000_000)),
      element([0x44, 0x89], seconds),
    ),
    element(
      [0x16, 0x54, 0xae, 0x6b],
      element([0xae], element([0xe0], element([0xb0], number(1280, 2)), element([0xba], number(720, 2)))),
    ),
    element([0x1f, 0x43, 0xb6, 0x75], Buffer.alloc(20)),
  ]);

  test.each([
    ['MP4', mp4(short)],
    ['MP4 with long dates', mp4(long)],
    ['WebM', webm],
  ])('MEDIA-9 of %s', (_, file) => {
    expect(measuresOf(file)).toEqual({ duration: 12_500, width: 1280, height: 720 });
  });

  test('MEDIA-9 a broken head gives nothing, and never fails', () => {
    for (const file of [mp4(short), webm])
      for (let length = 4; length < file.length; length += 1) measuresOf(file.subarray(0, length));
    const around = fc.constantFrom(mp4(short), mp4(long), webm);
    const damage = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 6 });
    fc.assert(
      fc.property(around, damage, (file, changes) => {
        const copy = Buffer.from(file);
        for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
        const { duration, width, height } = measuresOf(copy);
        expect([duration, width, height].every((one) => Number.isInteger(one) && one >= 0)).toBe(true);
      }),
    );
  });

  test('MEDIA-9 an uploaded video has its length and size, and a poster picture', async () => {
    await using server = await startServer();
    const ana = await server.person('Ana');
    const response = await fetch(`${server.url}/api/2.0/user/media/videos?file=belt.mp4`, {
      method: 'POST',
      headers: { Authorization: `api ${ana.token}`, 'Content-Type': 'video/mp4' },
      body: Uint8Array.from(mp4(short)),
    });
    const video = (await response.json()) as VideoRecord;
    expect(video).toMatchObject({ duration: 12_500, width: 1280, height: 720, encodings: [{ width: 1280 }] });
    const picture = await fetch(video.image?.image.standard ?? '');
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });
});
