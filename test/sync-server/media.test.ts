import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { contextForJob } from '#server/core/job.ts';
import { addImage } from '#server/features/media/store.ts';
import { bmpFile, movieFile, pdfFile } from '#test/support/media-files.ts';
import { seenBy } from '#test/support/workshop.ts';
import { damageBlob } from '#test/support/damage-blob.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

import { fetched, mediaCalls, twoHalves } from './media-calls.ts';

let server: TestServer;
let ana: TestPerson;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
});
afterAll(() => server[Symbol.asyncDispose]());

const { mediaOf, upload } = mediaCalls(() => server);

const withPosition = {
  IFD0: { Make: 'Acme', Model: 'Shop 3', Artist: 'Somebody' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '52/1 30/1 0/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '13/1 24/1 0/1',
  },
};

async function refused(person: TestPerson, kind: string, bytes: Uint8Array, file: string): Promise<number> {
  const response = await fetch(`${server.url}/api/2.0/user/media/${kind}?file=${encodeURIComponent(file)}`, {
    method: 'POST',
    headers: { Authorization: `api ${person.token}` },
    body: Uint8Array.from(bytes),
  });
  return response.status;
}

async function pixelAt(bytes: Buffer, x: number, y: number): Promise<number[]> {
  return [
    ...(await sharp(bytes).extract({ left: x, top: y, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
  ];
}

test('a photo is stored without position and other metadata, its pixels unchanged', async () => {
  const photo = await twoHalves(400, 300).jpeg({ quality: 90 }).withExif(withPosition).toBuffer();
  expect((await sharp(photo).metadata()).exif?.includes('Acme')).toBe(true);
  const made = await upload(ana, Buffer.concat([photo, Buffer.from('GPS after the picture')]), 'belt.jpg');
  expect(made).toMatchObject({ width: 400, height: 300, ratio: 'FOUR_THREE', srcid: null, markup: null });
  expect(made.exif).toEqual({ FileName: 'belt.jpg', Make: 'Acme', Model: 'Shop 3' });
  const { response, bytes } = await fetched(made.image.original);
  expect(response.headers.get('Content-Type')).toBe('image/jpeg');
  expect(await sharp(bytes).metadata()).not.toHaveProperty('exif');
  expect(bytes.includes('Acme') || bytes.includes('GPS')).toBe(false);
  expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(photo).raw().toBuffer());
});

test('a sideways photo is rotated upright', async () => {
  const photo = await twoHalves(400, 300).jpeg({ quality: 95 }).withMetadata({ orientation: 6 }).toBuffer();
  const made = await upload(ana, photo, 'side.jpg');
  expect([made.width, made.height]).toEqual([300, 400]);
  const { bytes } = await fetched(made.image.original);
  expect((await sharp(bytes).metadata()).orientation).toBeUndefined();
  const [top, bottom] = [await pixelAt(bytes, 150, 50), await pixelAt(bytes, 150, 350)];
  expect([must(top[0], 'red') > 200, must(bottom[2], 'blue') > 200]).toEqual([true, true]);
});

test.each([
  ['png', 'image/png', () => twoHalves(64, 48).png().toBuffer()],
  ['gif', 'image/gif', () => twoHalves(64, 48).gif().toBuffer()],
  ['tiff', 'image/png', () => twoHalves(64, 48).tiff({ compression: 'lzw' }).toBuffer()],
  ['bmp', 'image/png', async () => bmpFile(64, 48, (x) => (x < 32 ? [255, 0, 0] : [0, 0, 255]))],
] as const)('a %s is recognised by its content and shown as %s', async (_, type, make) => {
  const made = await upload(ana, await make(), 'misnamed.jpg');
  expect([made.width, made.height]).toEqual([64, 48]);
  const { response, bytes } = await fetched(made.image.original);
  expect(response.headers.get('Content-Type')).toBe(type);
  expect([await pixelAt(bytes, 5, 5), await pixelAt(bytes, 60, 40)]).toEqual([
    [255, 0, 0],
    [0, 0, 255],
  ]);
});

test('a picture is cropped to the requested ratio', async () => {
  const square = await upload(ana, await twoHalves(400, 300).png().toBuffer(), 'a.png', {
    cropToRatio: 'ONE_ONE',
  });
  expect(square).toMatchObject({ width: 300, height: 300, ratio: 'ONE_ONE' });
  const wide = await upload(ana, await twoHalves(400, 400).png().toBuffer(), 'b.png', {
    cropToRatio: 'FOUR_THREE',
  });
  expect(wide).toMatchObject({ width: 400, height: 300, ratio: 'FOUR_THREE' });
});

test('files that are no picture, cannot be decoded or are too large are 422', async () => {
  const png = await twoHalves(300, 300).png().toBuffer();
  const huge = Buffer.from(png);
  huge.writeUInt32BE(10_000, 16);
  huge.writeUInt32BE(10_000, 20);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  for (const bytes of [
    svg,
    huge,
    png.subarray(0, 90),
    Buffer.from('BM too short'),
    pdfFile(),
    Buffer.from([0xff, 0xd8, 0xff]),
  ]) {
    expect(await refused(ana, 'images', bytes, 'a.png')).toBe(422);
  }
  expect(await refused(ana, 'images', new Uint8Array(), 'a.png')).toBe(422);
  const anonymous = await fetch(`${server.url}/api/2.0/user/media/images?file=a.png`, {
    method: 'POST',
    body: Uint8Array.from(png),
  });
  expect(anonymous.status).toBe(401);
});

test('every named size resolves, fits its box, and is never larger than the picture', async () => {
  const made = await upload(ana, await twoHalves(1000, 500).jpeg().toBuffer(), 'wide.jpg');
  expect(Object.keys(made.image)).not.toContain('huge');
  const guid = made.image.guid;
  const sizes: Record<string, [number, number]> = {
    mini: [56, 28],
    thumbnail: [96, 48],
    standard: [300, 150],
    large: [800, 400],
    huge: [1000, 500],
  };
  for (const [size, [width, height]] of Object.entries(sizes)) {
    const { response, bytes } = await fetched(`${server.url}/igi/${guid}.full.${size}`);
    expect(response.status).toBe(200);
    expect(await sharp(bytes).metadata()).toMatchObject({ width, height, format: 'jpeg' });
    expect((await fetched(`${server.url}/igi/${guid}.${size}`)).bytes).toEqual(bytes);
  }
  expect((await fetched(`${server.url}/igi/${guid}`)).bytes).toEqual(
    (await fetched(made.image.original)).bytes,
  );
  for (const wrong of [
    `${guid}.enormous`,
    `${guid}.mini.mini`,
    'AAAAAAAAAAAAAAAA',
    '..%2F..%2Fbenchbook.sqlite',
  ]) {
    expect((await fetch(`${server.url}/igi/${wrong}`)).status).toBe(404);
  }
});

test.each(['original', 'thumbnail'] as const)(
  'MEDIA-5 pictures are cached forever, answer 304, and can be fetched in parts: %s',
  async (size) => {
    const { image } = await upload(ana, await twoHalves(200, 200).png().toBuffer(), 'a.png');
    const url = size === 'original' ? image.original : `${server.url}/igi/${image.guid}.${size}`;
    const { response, bytes } = await fetched(url);
    const etag = must(response.headers.get('ETag'), 'an ETag');
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect((await fetched(url, { 'If-None-Match': etag })).response.status).toBe(304);
    const part = await fetched(url, { Range: 'bytes=10-19' });
    expect([part.response.status, part.response.headers.get('Content-Range')]).toEqual([
      206,
      `bytes 10-19/${bytes.length}`,
    ]);
    expect(part.bytes).toEqual(bytes.subarray(10, 20));
    expect((await fetched(url, { Range: 'bytes=-5' })).bytes).toEqual(bytes.subarray(-5));
    expect((await fetched(url, { Range: 'bytes=10-' })).bytes).toEqual(bytes.subarray(10));
    expect((await fetched(url, { Range: `bytes=${bytes.length}-` })).response.status).toBe(416);
    const stale = await fetched(url, { Range: 'bytes=0-3', 'If-Range': '"other"' });
    expect([stale.response.status, stale.bytes]).toEqual([200, bytes]);
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.headers.get('Content-Length')).toBe(String(bytes.length));
  },
);

test('MEDIA-5 the file of a guid is cached until the next write', async () => {
  const { image } = await upload(ana, await twoHalves(200, 200).png().toBuffer(), 'a.png');
  const url = `${server.url}/igi/${image.guid}.thumbnail`;
  for (let count = 0; count < 2; count += 1) expect((await fetch(url)).status).toBe(200);
  await contextForJob(server.services, null, (ctx) =>
    ctx.db.updateTable('images').set({ guid: 'another' }).where('guid', '=', image.guid).execute(),
  );
  expect((await fetch(url)).status).toBe(404);
});

test('the media manager lists, filters, copies and removes', async () => {
  const cleo = await server.person('Cleo', ['User']);
  const client = mediaOf(cleo);
  const [a, b] = [
    await upload(cleo, await twoHalves(100, 100).png().toBuffer(), 'a.png'),
    await upload(cleo, await twoHalves(400, 300).png().toBuffer(), 'b.png'),
  ];
  expect((await client.listImages({ query: {} })).map((one) => one.image.id)).toEqual([
    a.image.id,
    b.image.id,
  ]);
  expect(await client.listImages({ query: { order: 'DESC', limit: '1' } })).toEqual([b]);
  expect(await client.listImages({ query: { ratio: 'ONE_ONE' } })).toEqual([a]);
  expect(await client.listImages({ query: { minWidth: '200' } })).toEqual([b]);
  expect((await cleo.call('DELETE', `/user/media/images/${a.image.id},7777,x`)).status).toBe(204);
  expect((await cleo.call('DELETE', `/user/media/images?imageids=${b.image.id}`)).status).toBe(204);
  expect(await client.listImages({ query: {} })).toEqual([]);
  expect((await fetch(a.image.original)).status).toBe(200);
  expect((await seenBy(server, cleo, 'media')).length).toBe(0);
});

test('a document is recognised by its content and stored under a matching name', async () => {
  const dora = await server.person('Dora');
  const made = await mediaOf(dora).addDocument({ query: { file: '../../Torque table' }, body: pdfFile() });
  expect(made).toMatchObject({
    filename: 'Torque table.pdf',
    title: 'Torque table',
    document_type: 'application/pdf',
    size: pdfFile().length,
  });
  const note = await mediaOf(dora).addDocument({
    query: { file: 'note.html' },
    body: Uint8Array.from(Buffer.from('<script>1</script>')),
  });
  expect(note).toMatchObject({ filename: 'note.html.txt', document_type: 'text/plain; charset=utf-8' });
  expect((await mediaOf(dora).listDocuments({ query: {} })).map((one) => one.documentid)).toEqual([
    made.documentid,
    note.documentid,
  ]);
  expect(await refused(dora, 'documents', Buffer.from('MZ\0\x01 program'), 'a.pdf')).toBe(422);
  expect(await refused(dora, 'documents', Buffer.from([0xff]), 'a.txt')).toBe(422);
});

test('a video is recognised by its content and served in parts', async () => {
  const videoids = async (): Promise<number[]> =>
    (await mediaOf(ana).listVideos({ query: {} })).map((one) => one.videoid);
  const before = await videoids();
  const made = await mediaOf(ana).addVideo({ query: { file: 'belt.mp4' }, body: movieFile('isom') });
  const encoding = must(made.encodings[0], 'an encoding');
  expect(encoding).toMatchObject({ format: 'mp4', mime: 'video/mp4' });
  const quickTime = await mediaOf(ana).addVideo({ query: { file: 'phone' }, body: movieFile('qt  ') });
  expect(quickTime).toMatchObject({ filename: 'phone.mov', encodings: [{ mime: 'video/quicktime' }] });
  expect(await videoids()).toEqual([...before, made.videoid, quickTime.videoid]);
  expect((await fetched(encoding.url)).response.status).toBe(404);
  const part = await fetched(encoding.url, { Authorization: `api ${ana.token}`, Range: 'bytes=4-7' });
  expect([part.response.status, part.bytes.toString()]).toEqual([206, 'ftyp']);
  expect(await refused(ana, 'videos', pdfFile(), 'a.mp4')).toBe(422);
});

test('drawn pictures are made at the first request, and people and guides without a picture have one', async () => {
  const guids = ['DrawnPicture0001', 'DrawnPicture0002'];
  const drawings = [
    { placeholder: { guid: guids[0] ?? '', guideTitle: 'Belt' } },
    { picture: 'BeltStep01Image1' },
  ];
  await contextForJob(server.services, ana.userid, async (ctx) => {
    for (const [index, drawing] of drawings.entries()) {
      const guid = must(guids[index], 'a guid');
      await addImage(ctx, {
        guid,
        drawing,
        filename: 'a.svg',
        width: 1600,
        height: 1200,
        size: 0,
        sha256: null,
        format: 'svg',
        unmanaged: true,
      });
    }
  });
  for (const guid of guids) {
    expect(await sharp((await fetched(`${server.url}/igi/${guid}.full`)).bytes).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1600,
    });
    expect(await sharp((await fetched(`${server.url}/igi/${guid}.standard`)).bytes).metadata()).toMatchObject(
      { width: 300, height: 225 },
    );
  }
  const neutral = [
    'igi/default_avatar_placeholder_guid.thumbnail',
    'static/images/avatars/User/single-avatar-2-12.mini',
    'static/images/guide/noimage.jpg',
  ];
  for (const path of neutral) {
    const { response, bytes } = await fetched(`${server.url}/${path}`);
    expect([response.status, (await sharp(bytes).metadata()).format]).toEqual([200, 'jpeg']);
  }
  expect((await fetch(`${server.url}/static/images/other.png`)).status).toBe(404);
});

test('a damaged file is never served in another size, and interrupted uploads leave nothing', async () => {
  const made = await upload(ana, await twoHalves(90, 90).png().toBuffer(), 'a.png');
  const row = await server.services.storage.reader
    .selectFrom('images')
    .select('sha256')
    .where('imageid', '=', made.image.id)
    .executeTakeFirstOrThrow();
  await damageBlob(server, must(row.sha256, 'a hash'));
  expect((await fetch(`${server.url}/igi/${made.image.guid}.mini`)).status).toBe(500);
  const incoming = join(server.dataDir, 'media', 'incoming');
  expect(existsSync(incoming) && (await readdir(incoming))).toEqual([]);
});
