import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ImageWithMetadata } from '#shared/model/image.ts';
import { movieFile, pdfFile } from '#test/support/media-files.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { jsonOf } from '#test/support/answer.ts';

let server: TestServer;
let ana: TestPerson;

beforeAll(async () => {
  server = await startServer();
  ana = await server.person('Ana');
});
afterAll(async () => server[Symbol.asyncDispose]());

/** The place of recording, as programs write it into a picture. */
const place = 'GPSLatitude 52.5200N';

async function upload(
  kind: string,
  file: string,
  bytes: Uint8Array,
): Promise<{ status: number; body: never }> {
  const response = await fetch(`${server.url}/api/2.0/user/media/${kind}?file=${encodeURIComponent(file)}`, {
    method: 'POST',
    headers: { Authorization: `api ${ana.token}`, 'Content-Type': 'application/octet-stream' },
    body: Uint8Array.from(bytes),
  });
  return { status: response.status, body: await jsonOf(response) };
}

async function original(record: ImageWithMetadata): Promise<Buffer> {
  const response = await fetch(String(record.image.original));
  return Buffer.from(await response.arrayBuffer());
}

function picture(): ReturnType<typeof sharp> {
  return sharp({ create: { width: 64, height: 48, channels: 3, background: '#a4372c' } });
}

const exif = {
  IFD0: { Make: 'Benchbook Camera' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSMapDatum: place },
};

/** A GIF with a comment and an XMP block that contain the place, and data after its end. */
async function talkingGif(): Promise<Buffer> {
  const gif = await picture().gif().toBuffer();
  const tableEnd = 13 + 3 * 2 ** (((gif[10] ?? 0) & 7) + 1);
  const told = Buffer.from(place);
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, told.length]), told, Buffer.from([0])]);
  const xmp = Buffer.concat([
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from('XMP DataXMP'),
    Buffer.from([told.length]),
    told,
    Buffer.from([0]),
  ]);
  return Buffer.concat([gif.subarray(0, tableEnd), comment, xmp, gif.subarray(tableEnd), told]);
}

test.each([
  ['JPEG', 'belt.jpg', async () => picture().withExif(exif).jpeg().toBuffer()],
  ['PNG', 'belt.png', async () => picture().withExif(exif).png().toBuffer()],
  ['TIFF', 'belt.tif', async () => picture().withXmp(`<x>${place}</x>`).tiff().toBuffer()],
  ['GIF', 'belt.gif', talkingGif],
])('MEDIA-8 a %s is stored without the place of recording', async (_, name, make) => {
  const bytes = await make();
  expect(bytes.includes(place)).toBe(true);
  const { status, body } = await upload('images', name, bytes);
  expect(status).toBe(200);
  const stored = await original(body);
  const { width, height, exif: left } = await sharp(stored).metadata();
  expect([width, height, left]).toEqual([64, 48, undefined]);
  expect(stored.includes(place)).toBe(false);
  expect(JSON.stringify(body)).not.toMatch(/GPS|52\.52|52\/1/);
});

test("MEDIA-6 a file's type follows from its content, not from its name", async () => {
  const png = await picture().png().toBuffer();
  const asText = await upload('images', 'belt.pdf', png);
  expect(asText.status).toBe(200);
  const response = await fetch(String((asText.body as ImageWithMetadata).image.original));
  expect(response.headers.get('content-type')).toBe('image/png');
  const program = Buffer.from('MZ\u0090\0\u0003\0\0\0', 'latin1');
  const page = Buffer.from('<!doctype html><script>alert(1)</script>');
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  for (const bytes of [program, page, drawing, pdfFile(), movieFile('isom')])
    expect((await upload('images', 'belt.jpg', bytes)).status).toBe(422);
  expect((await upload('documents', 'manual.pdf', program)).status).toBe(422);
  expect((await upload('videos', 'belt.mp4', png)).status).toBe(422);
  const text = await upload('documents', 'page.html', page);
  expect(text.body).toMatchObject({ filename: 'page.html.txt' });
});

/** Files that announce more than 50 megapixels and contain almost nothing. */
function announced(): [string, Buffer][] {
  const gif = Buffer.from('GIF89a\0\0\0\0\0\0\0;', 'latin1');
  gif.writeUInt16LE(60_000, 6);
  gif.writeUInt16LE(60_000, 8);
  const bmp = Buffer.alloc(64);
  bmp.write('BM');
  bmp.writeUInt32LE(54, 10);
  bmp.writeUInt32LE(40, 14);
  bmp.writeInt32LE(30_000, 18);
  bmp.writeInt32LE(30_000, 22);
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(24, 28);
  return [
    ['belt.gif', gif],
    ['belt.bmp', bmp],
  ];
}

test('MEDIA-7 a picture of more than 50 megapixels is refused before it is decoded', async () => {
  const small = await picture().png().toBuffer();
  const png = Buffer.from(small);
  png.writeUInt32BE(20_000, 16);
  png.writeUInt32BE(20_000, 20);
  for (const [name, bytes] of [...announced(), ['belt.png', png] as const]) {
    const memory = process.memoryUsage().rss;
    const { status } = await upload('images', name, bytes);
    expect(status, name).toBe(422);
    expect(process.memoryUsage().rss - memory, name).toBeLessThan(100 * 1024 * 1024);
  }
  const list = await ana.call('GET', '/user/media/images?limit=200');
  expect((list.body as unknown[]).length).toBeLessThan(10);
});
