import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { ImageWithMetadata } from '#shared/model/image.ts';
import { must } from '#shared/must.ts';
import { contextForJob } from '#server/core/job.ts';
import { addImage } from '#server/features/media/store.ts';
import { movieFile, pdfFile } from '#test/support/media-files.ts';
import { workshopClient, makeGuide, seenBy, stepAt } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

import { fetched, mediaCalls, twoHalves } from './media-calls.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let picture: ImageWithMetadata;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben', ['User']);
  const bytes = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#ff0000' } })
    .composite([
      { input: { create: { width: 40, height: 60, channels: 3, background: '#0000ff' } }, left: 0, top: 0 },
    ])
    .png()
    .toBuffer();
  picture = await upload(ana, bytes, 'halves.png');
});
afterAll(() => server[Symbol.asyncDispose]());

const { mediaOf, upload } = mediaCalls(() => server);

async function status(person: TestPerson, path: string): Promise<number> {
  return (await person.call('GET', path)).status;
}

test('an image is read by its guid, and by its number only by its owner or people who see it used', async () => {
  const { id, guid } = picture.image;
  expect((await ana.call('GET', `/media/images/${id}`)).body).toEqual(picture);
  expect((await ben.call('GET', `/media/images/${guid}`)).body).toEqual(picture);
  expect(await status(ben, `/media/images/${id}`)).toBe(404);
  const body = {
    category: 'Bench Grinder',
    type: 'repair',
    title: 'Shown',
    image: id,
    public: true,
  } as const;
  await ana.client.guides.create({ body });
  expect((await ben.call('GET', `/media/images/${id}`)).body).toEqual(picture);
  expect(await status(ana, '/media/images/99999')).toBe(404);
});

test('MEDIA-10 a picture with markers names the picture on which they are drawn', async () => {
  const { services } = server;
  const marked = {
    filename: 'marked.png',
    size: 0,
    sha256: null,
    format: 'jpeg',
    markup: ';circle,40x30,9,red;',
  };
  const [alone, derived] = await contextForJob(services, ana.userid, async (ctx) => [
    await addImage(ctx, { ...marked, width: 80, height: 60 }),
    await addImage(ctx, { ...marked, width: 40, height: 30, srcid: picture.image.id }),
  ]);
  const found = await mediaOf(ana).listImages({ query: { limit: 200 } });
  const sourceOf = (imageid: number | undefined): unknown =>
    found.find(({ image }) => image.id === imageid)?.srcImageInfo;
  expect(sourceOf(alone)).toMatchObject({ width: 80, height: 60, image: { id: alone } });
  expect(sourceOf(derived)).toEqual({ width: 80, height: 60, image: picture.image });
  expect(sourceOf(picture.image.id)).toBeUndefined();
});

test('a document and a video are readable by their owner, and by others only where they see them used', async () => {
  const document = await mediaOf(ana).addDocument({
    query: { file: 'sheet.pdf' },
    body: pdfFile(),
  });
  const video = await mediaOf(ana).addVideo({
    query: { file: 'clip.mp4' },
    body: movieFile('isom'),
  });
  const paths = [`/media/documents/${document.documentid}`, `/media/videos/${video.videoid}`];
  expect((await ana.call('GET', paths[0] ?? '')).body).toEqual(document);
  expect((await ana.call('GET', paths[1] ?? '')).body).toEqual(video);
  const videoGuid = new URL(video.encodings[0]?.url ?? '').pathname.split('/').at(-1);
  paths.push(`/media/documents/${document.guid}`, `/media/videos/${videoGuid}`);
  expect((await ana.call('GET', paths[2] ?? '')).body).toEqual(document);
  expect((await ana.call('GET', paths[3] ?? '')).body).toEqual(video);
  expect(document).toMatchObject({ thumbnailid: null, summary: null });
  for (const path of paths) expect(await status(ben, path)).toBe(404);
  const documents = [document.documentid];
  await ana.client.guides.create({
    body: { category: 'Bench Grinder', type: 'repair', title: 'Sheet', documents, public: true },
  });
  expect(await Promise.all(paths.map((path) => status(ben, path)))).toEqual([200, 404, 200, 404]);
});

test('rotating makes a new image, rotated clockwise, and keeps the old one', async () => {
  const path = `/user/media/images/${picture.image.id}/rotate`;
  const answer = await ana.call('POST', path, { degrees: 90 });
  expect(answer.status).toBe(202);
  const job = answer.body as { jobID: string; status: string; image: ImageWithMetadata };
  expect(job).toMatchObject({
    status: 'complete',
    image: { width: 60, height: 80, srcid: picture.image.id },
  });
  expect((await ana.call('GET', `${path}/${job.jobID}`)).body).toEqual(job);
  const bytes = await (await fetch(job.image.image.original)).arrayBuffer();
  const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  // Blue was on the left: rotated clockwise it is at the top.
  expect([...data.subarray(0, 3)]).toEqual([0, 0, 255]);
  expect((await ana.call('GET', `/media/images/${picture.image.id}`)).body).toEqual(picture);
});

test('only an own image can be rotated, by 90, 180 or 270 degrees', async () => {
  const path = `/user/media/images/${picture.image.id}/rotate`;
  expect((await ben.call('POST', path, { degrees: 90 })).status).toBe(404);
  const refused = await ana.call('POST', path, { degrees: 45 });
  expect([refused.status, refused.body]).toMatchObject([422, { errors: [{ field: 'degrees' }] }]);
  expect(await status(ana, `${path}/99999`)).toBe(404);
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
