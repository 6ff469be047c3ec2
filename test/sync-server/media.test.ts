import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Client } from '#shared/api/client.ts';
import type { media } from '#shared/api/media.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { ImageWithMetadata } from '#shared/model/image.ts';
import { must } from '#shared/must.ts';
import { contextForJob } from '#server/core/job.ts';
import { addImage } from '#server/features/media/store.ts';
import { bmpFile, movieFile, pdfFile } from '#test/support/media-files.ts';
import { makeGuide, seenBy, stepAt, workshopClient } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben', ['User']);
});
afterAll(() => server[Symbol.asyncDispose]());

function mediaOf(person: TestPerson): Client<{ media: typeof media }>['media'] {
  return workshopClient(server, person).media;
}

/** A picture with a red left and a blue right half. */
function twoHalves(width: number, height: number): Sharp {
  const red = {
    create: { width: Math.floor(width / 2), height, channels: 3, background: '#ff0000' },
  } as const;
  return sharp({ create: { width, height, channels: 3, background: '#0000ff' } }).composite([
    { input: red, left: 0, top: 0 },
  ]);
}

const withPosition = {
  IFD0: { Make: 'Acme', Model: 'Shop 3', Artist: 'Somebody' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '52/1 30/1 0/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '13/1 24/1 0/1',
  },
};

async function upload(
  person: TestPerson,
  bytes: Uint8Array,
  file: string,
  query: object = {},
): Promise<ImageWithMetadata> {
  return mediaOf(person).addImage({ query: { file, ...query }, body: Uint8Array.from(bytes) });
}

async function refused(person: TestPerson, kind: string, bytes: Uint8Array, file: string): Promise<number> {
  const response = await fetch(`${server.url}/api/2.0/user/media/${kind}?file=${encodeURIComponent(file)}`, {
    method: 'POST',
    headers: { Authorization: `api ${person.token}` },
    body: Uint8Array.from(bytes),
  });
  return response.status;
}

async function fetched(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ response: Response; bytes: Buffer }> {
  const response = await fetch(url, { headers });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
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

test("deleting ignores pictures in other people's media managers", async () => {
  const made = await upload(ana, await twoHalves(60, 60).png().toBuffer(), 'a.png');
  expect((await ben.call('DELETE', `/user/media/images/${made.image.id}`)).status).toBe(204);
  const ids = (await mediaOf(ana).listImages({ query: { limit: '200' } })).map((one) => one.image.id);
  expect(ids).toContain(made.image.id);
});

test('a picture is copied by guid, or by id where it is visible', async () => {
  const made = await upload(ana, await twoHalves(60, 60).png().toBuffer(), 'a.png');
  const copy = await mediaOf(ben).copyImage({ params: { image: made.image.guid } });
  expect(copy).toMatchObject({ srcid: made.image.id, width: 60 });
  expect(copy.image.id).not.toBe(made.image.id);
  expect((await fetched(copy.image.original)).bytes).toEqual((await fetched(made.image.original)).bytes);
  expect((await ben.call('POST', `/user/media/images/${made.image.id}`)).status).toBe(404);
  await ana.client.guides.create({
    body: { category: 'Bench Grinder', type: 'repair', title: 'Belt', image: made.image.id, public: true },
  });
  expect((await ben.call('POST', `/user/media/images/${made.image.id}`)).status).toBe(200);
  expect((await ben.call('POST', '/user/media/images/999999')).status).toBe(404);
});

test('an upload sent twice is stored once, and its device recognises it in the feed', async () => {
  const bytes = Uint8Array.from(await twoHalves(70, 60).png().toBuffer());
  const send = async (): Promise<Response> =>
    fetch(`${server.url}/api/2.0/user/media/images?file=once.png`, {
      method: 'POST',
      headers: { Authorization: `api ${ana.token}`, 'Idempotency-Key': 'upload-key-1' },
      body: bytes,
    });
  const [first, second] = await Promise.all([send(), send()]);
  const made = (await first.json()) as ImageWithMetadata;
  expect(await second.json()).toEqual(made);
  expect(await (await send()).json()).toEqual(made);
  const rows = (await seenBy(server, ana, 'media')).filter(
    (row) => row.doc !== undefined && 'key' in row.doc && row.doc.key === 'upload-key-1',
  );
  expect(rows).toMatchObject([
    { id: `image:${made.image.id}`, doc: { kind: 'image', userid: ana.userid, filename: 'once.png' } },
  ]);
  expect((await seenBy(server, ben, 'media')).some((row) => row.id === `image:${made.image.id}`)).toBe(false);
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

test('a document needs a token until something public refers to it', async () => {
  const made = await mediaOf(ana).addDocument({ query: { file: 'plan.pdf' }, body: pdfFile() });
  const own = { Authorization: `api ${ana.token}` };
  expect((await fetched(made.view_url)).response.status).toBe(404);
  expect((await fetched(made.view_url, { Authorization: `api ${ben.token}` })).response.status).toBe(404);
  const { response, bytes } = await fetched(made.view_url, own);
  expect([
    response.status,
    response.headers.get('Content-Type'),
    response.headers.get('Cache-Control'),
  ]).toEqual([200, 'application/pdf', 'private, no-cache']);
  expect(bytes).toEqual(Buffer.from(pdfFile()));
  expect((await fetched(made.view_url, { ...own, Range: 'bytes=0-4' })).bytes.toString()).toBe('%PDF-');
  const guide = await makeGuide(ana, false);
  const patched = await ana.client.guides.patch({
    params: { guideid: guide.guideid },
    revisionid: guide.revisionid,
    body: { documents: [made.documentid] },
  });
  expect((await fetched(made.view_url)).response.status).toBe(404);
  await ana.client.guides.publish({ params: { guideid: guide.guideid }, revisionid: patched.revisionid });
  expect((await fetched(made.view_url)).response.status).toBe(200);
  expect((await fetched(made.view_url, { Authorization: 'api wrong' })).response.status).toBe(401);
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

test('a step shows a video as the media manager does', async () => {
  const made = await mediaOf(ana).addVideo({ query: { file: 'phone.mov' }, body: movieFile('qt  ') });
  const guide = await ana.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'repair',
      title: 'Film',
      steps: [{ media: { type: 'object', data: made.videoid } }],
    },
  });
  expect(guide.steps[0]?.media).toMatchObject({ type: 'video', data: { encodings: made.encodings } });
});

test('GUIDE-LIMIT-13 a video of the author introduces a guide, plays for everyone who sees the guide, and can be removed', async () => {
  const made = await mediaOf(ana).addVideo({ query: { file: 'intro.mp4' }, body: movieFile('isom') });
  const body = {
    category: 'Bench Grinder',
    type: 'repair',
    title: 'With a film',
    objectid: made.videoid,
  } as const;
  const guide = await ana.client.guides.create({ body: { ...body, public: true } });
  const [encoding] = made.encodings;
  expect(guide).toMatchObject({
    intro_video: { videoid: made.videoid, encodings: made.encodings },
    intro_video_url: encoding?.url,
    intro_video_media_item: { objectid: made.objectid },
  });
  const url = must(encoding, 'an encoding').url;
  expect((await fetched(url)).response.status).toBe(200);
  const path = (revisionid: number): string => `/guides/${guide.guideid}?revisionid=${revisionid}`;
  const same = await ana.call('PATCH', path(guide.revisionid), { objectid: made.videoid });
  expect(same.body).toMatchObject({ revisionid: guide.revisionid });
  const titled = await ana.call('PATCH', path(guide.revisionid), { title: 'Still with a film' });
  const { revisionid } = titled.body as Guide;
  expect(titled.body).toMatchObject({ intro_video: { videoid: made.videoid } });
  const wrong = await ben.call('POST', '/guides', body);
  expect([wrong.status, wrong.body]).toMatchObject([422, { errors: [{ field: 'objectid' }] }]);
  const without = await ana.call('PATCH', path(revisionid), { objectid: null });
  expect(without.body).toMatchObject({ intro_video: null, intro_video_url: null });
  expect((await fetched(url)).response.status).toBe(404);
});

test('GUIDE-LIMIT-15 media of an earlier revision may be restored by anyone, but no other media of others', async () => {
  const carl = await server.person('Carl');
  const picture = async (width: number): Promise<number> =>
    (await upload(ana, await twoHalves(width, 300).png().toBuffer(), 'a.png')).image.id;
  const [shown, other] = [await picture(400), await picture(404)];
  const film = await mediaOf(ana).addVideo({ query: { file: 'step.mp4' }, body: movieFile('isom') });
  const manual = await mediaOf(ana).addDocument({ query: { file: 'manual.pdf' }, body: pdfFile() });
  const full = {
    image: shown,
    objectid: film.videoid,
    documents: [manual.documentid],
    steps: [
      { key: 'first', media: { type: 'image', data: [shown] } },
      { key: 'second', media: { type: 'object', data: film.videoid } },
    ],
  };
  const bare = { image: null, objectid: null, documents: [], steps: [{ key: 'bare' }] };
  const guide = await ana.call('POST', '/guides', {
    ...full,
    category: 'Bench Grinder',
    type: 'repair',
    title: 'Shared',
    public: true,
  });
  const { guideid } = guide.body as Guide;
  const edit = async (person: TestPerson, body: object): Promise<{ status: number; body: unknown }> => {
    const now = (await person.call('GET', `/guides/${guideid}`)).body as Guide;
    const removed = now.steps.map(({ stepid, revisionid }) => ({ stepid, revisionid }));
    const path = `/guides/${guideid}?revisionid=${now.revisionid}`;
    const { status, body: after } = await person.call('PATCH', path, { ...body, removed_steps: removed });
    return { status, body: after };
  };
  expect(await edit(ana, bare)).toMatchObject({ status: 200 });
  const back = await edit(carl, full);
  expect(back).toMatchObject({
    status: 200,
    body: {
      image: { id: shown },
      intro_video: { videoid: film.videoid },
      documents: [{ documentid: manual.documentid }],
      steps: [{ media: { data: [{ id: shown }] } }, { media: { type: 'video' } }],
    },
  });
  expect(await edit(carl, { image: other })).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'image' }] },
  });
  // Another guide did not show it.
  const wrong = await carl.call('POST', '/guides', {
    category: 'Bench Grinder',
    type: 'repair',
    title: 'Taken',
    image: shown,
  });
  expect(wrong.status).toBe(422);
});

test('a file recorded in a work order is readable by everyone who sees the work order', async () => {
  const admin = await server.person('Ada', ['User', 'Admin']);
  const guide = await makeGuide(ana);
  const form = await ana.call('POST', `/step_forms/${stepAt(guide, 0)}`, {
    fields: [{ field_type: 'Document', label: 'Report' }],
  });
  const field = must(
    (form.body as { fields: { field_revisionid: number }[] }).fields[0],
    'a field',
  ).field_revisionid;
  const report = await mediaOf(ben).addDocument({ query: { file: 'report.pdf' }, body: pdfFile() });
  const client = workshopClient(server, ben).workLog;
  const { entryid } = await client.create({ body: { guideid: guide.guideid, workorderid: 'WO-1' } });
  const saved = await client.stepData({
    params: { entryid },
    body: { fields: { [field]: report.documentid } },
  });
  expect(saved.work_data).toMatchObject([{ document_src: report.view_url }]);
  const read = async (person: TestPerson): Promise<number> =>
    (await fetched(report.view_url, { Authorization: `api ${person.token}` })).response.status;
  expect([await read(ben), await read(admin), await read(ana)]).toEqual([200, 200, 404]);
  await client.suspend({ params: { entryid }, body: {} });
  expect(await read(ana)).toBe(200);
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
  await writeFile(server.services.blobs.path(must(row.sha256, 'a hash')), 'damaged');
  expect((await fetch(`${server.url}/igi/${made.image.guid}.mini`)).status).toBe(500);
  const incoming = join(server.dataDir, 'media', 'incoming');
  expect(existsSync(incoming) && (await readdir(incoming))).toEqual([]);
});

test('MEDIA-1 on a private site, files need a sign-in, and pictures are opened by their guid', async () => {
  await using site = await startServer({ site: { private: true } });
  const person = await site.person('Pia');
  const client = workshopClient(site, person).media;
  const document = await client.addDocument({ query: { file: 'a.pdf' }, body: pdfFile() });
  const image = await client.addImage({
    query: { file: 'a.png' },
    body: Uint8Array.from(await twoHalves(60, 60).png().toBuffer()),
  });
  expect((await fetch(document.view_url)).status).toBe(401);
  expect((await fetch(image.image.original)).status).toBe(200);
});
