import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Client } from '#shared/api/client.ts';
import type { media } from '#shared/api/media.ts';
import type { ImageWithMetadata } from '#shared/model/image.ts';
import { contextForJob } from '#server/core/job.ts';
import { addImage } from '#server/features/media/store.ts';
import { movieFile, pdfFile } from '#test/support/media-files.ts';
import { workshopClient } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

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
  picture = await mediaOf(ana).addImage({ query: { file: 'halves.png' }, body: Uint8Array.from(bytes) });
});
afterAll(() => server[Symbol.asyncDispose]());

function mediaOf(person: TestPerson): Client<{ media: typeof media }>['media'] {
  return workshopClient(server, person).media;
}

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
  expect(document).toMatchObject({ thumbnailid: null, standard: null, edit_url: null, pages: null });
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
  const job = answer.body as { jobID: number; status: string; image: ImageWithMetadata };
  expect(job).toMatchObject({
    status: 'finished',
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
