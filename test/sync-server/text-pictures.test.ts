import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Comment } from '#shared/model/comment.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import { workshopClient } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

type NewGuideBody = Parameters<TestPerson['client']['guides']['create']>[0]['body'];

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben');
});
afterAll(() => server[Symbol.asyncDispose]());

/** A picture in a person's media manager. */
async function pictureOf(person: TestPerson): Promise<{ id: number; guid: string }> {
  const bytes = await sharp({ create: { width: 8, height: 6, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const { media } = workshopClient(server, person);
  const { image } = await media.addImage({ query: { file: 'belt.png' }, body: Uint8Array.from(bytes) });
  return { id: image.id, guid: image.guid };
}

function makeGuide(person: TestPerson, body: Partial<NewGuideBody>): Promise<Guide> {
  const plain = { category: 'Bench Grinder', type: 'repair', title: 'Belt', public: true } as const;
  return person.client.guides.create({ body: { ...plain, ...body } });
}

async function introductionFor(person: TestPerson, guideid: number): Promise<string> {
  return (await person.client.guides.read({ params: { guideid } })).introduction_rendered;
}

test('a picture that its owner puts into a text is visible to everyone who sees the text', async () => {
  const { id, guid } = await pictureOf(ana);
  const guide = await makeGuide(ana, { introduction: `[image|${id}]` });
  expect(await introductionFor(ana, guide.guideid)).toContain(guid);
  expect(await introductionFor(ben, guide.guideid)).toContain(guid);
  const edited = await ana.client.guides.patch({
    params: { guideid: guide.guideid },
    revisionid: guide.revisionid,
    body: { introduction: 'None' },
  });
  expect(edited.introduction_rendered).not.toContain(guid);
});

test("OMANUAL-IMPORT-2 writing the number of another person's picture reveals nothing about it", async () => {
  const { id, guid } = await pictureOf(ana);
  const guide = await makeGuide(ben, {
    introduction: `[image|${id}]`,
    conclusion: `[image|${id}|size=large]`,
  });
  const posted = await ben.call('POST', `/comments/guide/${guide.guideid}`, { text: `[image|${id}]` });
  expect(posted.status).toBe(201);
  expect((posted.body as Comment).text_rendered).not.toContain(guid);
  const read = await ben.call('GET', `/guides/${guide.guideid}`);
  expect(JSON.stringify(read.body)).not.toContain(guid);
});

test('a picture visible in a text may be used in another text; one in a private text may not', async () => {
  const shown = await pictureOf(ana);
  const hidden = await pictureOf(ana);
  await makeGuide(ana, { introduction: `[image|${shown.id}]` });
  await makeGuide(ana, { introduction: `[image|${hidden.id}]`, public: false });
  const guide = await makeGuide(ben, { introduction: `[image|${shown.id}] [image|${hidden.id}]` });
  const rendered = await introductionFor(ben, guide.guideid);
  expect(rendered).toContain(shown.guid);
  expect(rendered).not.toContain(hidden.guid);
});

test('a picture of a step may be used in the texts of its guide by any editor', async () => {
  const { id, guid } = await pictureOf(ana);
  const guide = await makeGuide(ana, { steps: [{ media: { type: 'image', data: [id] } }] });
  const edited = await ben.client.guides.patch({
    params: { guideid: guide.guideid },
    revisionid: guide.revisionid,
    body: { introduction: `[image|${id}]` },
  });
  expect(edited.introduction_rendered).toContain(guid);
  const anonymous = await server.anonymous.guides.read({ params: { guideid: guide.guideid } });
  expect(anonymous.introduction_rendered).toContain(guid);
});

test('a text may name more guides and pictures than a database statement takes', async () => {
  const names = Array.from({ length: 40_000 }, (_, index) => `[guide|${index + 1}][image|${index + 1}]`);
  const answer = await ana.call('POST', '/guides', {
    category: 'Bench Grinder',
    type: 'repair',
    title: 'Names',
    introduction: names.join(''),
  });
  expect(answer.status).toBe(201);
});
