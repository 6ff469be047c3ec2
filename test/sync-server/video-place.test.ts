import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { VideoRecord } from '#shared/model/media-record.ts';
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
  ['in the user data of the film', [box('udta', box('\xA9xyz', latin1(place)), box('name', latin1('Belt')))]],
  ['in the user data of a track', [box('trak', box('udta', box('loci', Buffer.alloc(6), latin1(place))))]],
  ['among the keys of QuickTime', [box('meta', hdlr, keys, entries)]],
  ['among the keys of an ISO file', [box('meta', fourBytes(0), hdlr, keys, entries)]],
  ['in user data within user data', [box('udta', box('meta', fourBytes(0), hdlr, keys, entries))]],
];

test.each(films)('U8 the place %s is gone, and nothing else moves', (_, parts) => {
  const before = Buffer.concat([ftyp('isom'), box('moov', header, ...parts), samples]);
  const after = withoutPlace(before);
  expect(before.includes(place)).toBe(true);
  expect(after.includes(place)).toBe(false);
  expect(after).toHaveLength(before.length);
  expect(after.subarray(-samples.length)).toEqual(samples);
  expect(after.includes(header)).toBe(true);
  for (const kept of ['Camera maker', 'Belt']) expect(after.includes(kept)).toBe(before.includes(kept));
});

test('U8 XMP that names GPS is gone, other XMP stays', () => {
  const id = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
  const withGps = box('uuid', id, latin1('<exif:GPSLatitude>52,31N</exif:GPSLatitude>'));
  const without = box('uuid', id, latin1('<dc:title>Belt</dc:title>'));
  const after = withoutPlace(Buffer.concat([ftyp('isom'), withGps, without]));
  expect(after.includes('52,31N')).toBe(false);
  expect(after.includes(without)).toBe(true);
});

test('U8 a video that tells no place, or is broken anywhere, keeps its length and never fails', () => {
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

test('U8 an uploaded video is stored without the place', async () => {
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
