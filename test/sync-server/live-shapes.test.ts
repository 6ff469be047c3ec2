import { afterAll, beforeAll, expect, test } from 'vitest';

import sharp from 'sharp';

import type { Comment } from '#shared/model/comment.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { ImageWithMetadata } from '#shared/model/image.ts';
import { changeSite } from '#server/core/site.ts';
import { pdfFile } from '#test/support/media-files.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeGuide, stepAt } from '#test/support/workshop.ts';

import { mediaCalls } from './media-calls.ts';

/** The shapes that clients of live servers read, where the specification says nothing. */
let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  server = await startServer();
  await server.category('Workshop', undefined, 'All machines.');
  await server.category('Bench Grinder', 'Workshop', 'Sharpens everything.');
  ana = await server.person('Ana');
  ben = await server.person('Ben', ['User']);
});
afterAll(() => server[Symbol.asyncDispose]());

const { mediaOf, upload } = mediaCalls(() => server);

test('LIVE-1 a page names its author by number; a category has objects and a URI where live servers do', async () => {
  const page = { namespace: 'WIKI', title: 'Torques', contents: '5 Nm' };
  expect((await ana.call('POST', '/wikis', page)).body).toMatchObject({ author: ana.userid });
  expect((await ana.call('GET', '/wikis/WIKI/Torques')).body).toMatchObject({
    author: ana.userid,
    authors: [{ userid: ana.userid }],
  });
  const { body } = await ana.call('GET', '/wikis/CATEGORY/Bench%20Grinder');
  expect(body).toMatchObject({ category_info: {}, category_lists: {}, author: expect.any(Number) as number });
  const { url, solutions_url } = body as { url: string; solutions_url: string };
  expect(new URL(solutions_url).href).toBe(url);
  const topic = (await ana.call('GET', '/categories/Bench%20Grinder')).body as { solutions: unknown };
  expect(topic.solutions).toEqual({ url, count: 0 });
});

test('LIVE-2 every suggestion has a picture, which can be loaded', async () => {
  await makeGuide(ana);
  const { results } = (await ana.call('GET', '/suggest/be')).body as {
    results: { dataType: string; image: { original: string; thumbnail: string } }[];
  };
  expect(new Set(results.map(({ dataType }) => dataType))).toEqual(new Set(['guide', 'wiki']));
  for (const { image } of results) {
    for (const url of [image.original, image.thumbnail]) {
      const picture = await fetch(url);
      expect([url, picture.status, picture.headers.get('content-type')]).toEqual([url, 200, 'image/jpeg']);
    }
  }
});

test('LIVE-3 a document leaves out what the server does not know', async () => {
  const made = await mediaOf(ana).addDocument({ query: { file: 'sheet.pdf' }, body: pdfFile() });
  const unknown = ['document_group', 'standard', 'thumbnail', 'mini', 'edit_url', 'pages'];
  expect(Object.keys(made).filter((name) => unknown.includes(name))).toEqual([]);
  expect(made).toMatchObject({ thumbnailid: null, imageid: null, document_extension: 'pdf' });
});

test('LIVE-4 the job of a rotation has a text as its id, and is polled at either address', async () => {
  const bytes = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#f00' } })
    .png()
    .toBuffer();
  const { image } = await upload(ana, bytes, 'red.png');
  const path = `/user/media/images/${image.id}/rotate`;
  const started = await ana.call('POST', path, { degrees: 90 });
  expect(started).toMatchObject({
    status: 202,
    body: { jobID: expect.stringMatching(/^\d+$/) as string, status: 'complete', image: { srcid: image.id } },
  });
  const { jobID } = started.body as { jobID: string; image: ImageWithMetadata };
  expect((await ana.call('GET', `${path}/${jobID}`)).body).toEqual(started.body);
  expect((await ana.call('GET', `/user/media/images/rotate/${jobID}`)).body).toEqual(started.body);
  expect((await ben.call('GET', `/user/media/images/rotate/${jobID}`)).status).toBe(404);
  // An upload is no job.
  expect((await ana.call('GET', `/user/media/images/rotate/${image.id}`)).status).toBe(404);
});

test('LIVE-5 sharing with a team and ending it answer the teams', async () => {
  const guide = await makeGuide(ana, false);
  const admin = await server.person('Mira', ['User', 'Admin']);
  const ids: number[] = [];
  for (const name of ['Line A', 'Line B']) {
    const { body } = await admin.call('POST', '/teams', { name });
    ids.push((body as { teamid: number }).teamid);
  }
  const [a, b] = ids;
  const path = `/guides/${guide.guideid}/teams`;
  expect(await ana.call('PUT', `${path}/${a}`)).toMatchObject({
    status: 201,
    body: [{ teamid: a, name: 'Line A' }],
  });
  const both = [
    { teamid: a, name: 'Line A' },
    { teamid: b, name: 'Line B' },
  ];
  const key = { 'Idempotency-Key': 'share-with-both' };
  expect((await ana.call('PUT', `${path}/${b}`, undefined, key)).body).toEqual(both);
  expect((await ana.call('PUT', `${path}/${b}`, undefined, key)).body).toEqual(both);
  expect((await ana.call('GET', path)).body).toMatchObject({ guideTeams: both, canIViewGuide: true });
  expect(await ana.call('DELETE', `${path}/${a}`)).toMatchObject({
    status: 200,
    body: [{ teamid: b, name: 'Line B' }],
  });
});

test('LIVE-6 the order of steps may be in the query, with commas or brackets', async () => {
  let guide = await makeGuide(ana);
  const [first, second] = [stepAt(guide, 0), stepAt(guide, 1)];
  const spellings = [
    (ids: number[]) => `stepids=${ids.join(',')}`,
    (ids: number[]) => ids.map((id) => `stepids[]=${id}`).join('&'),
    (ids: number[]) => ids.map((id) => `stepids%5B%5D=${id}`).join('&'),
  ];
  const order = async (query: string, body?: unknown) =>
    ana.call('PUT', `/guides/${guide.guideid}/steporder?revisionid=${guide.revisionid}${query}`, body);
  for (const [index, spelling] of spellings.entries()) {
    const wanted = index % 2 === 0 ? [second, first] : [first, second];
    const answer = await order(`&${spelling(wanted)}`);
    expect([answer.status, spelling(wanted)]).toEqual([200, spelling(wanted)]);
    guide = answer.body as Guide;
    expect(guide.steps.map(({ stepid }) => stepid)).toEqual(wanted);
  }
  // The body counts where both are given.
  guide = (await order(`&stepids=${second},${first}`, { stepids: [first, second] })).body as Guide;
  expect(guide.steps.map(({ stepid }) => stepid)).toEqual([first, second]);
  for (const query of ['', '&stepids=', '&stepids=1,x', `&stepids=${first}`])
    expect(await order(query)).toMatchObject({ status: 422, body: { errors: [{ field: 'stepids' }] } });
});

test('COMMENT-3 the comments of a guide and of a step are newest first, their replies oldest first', async () => {
  const guide = await makeGuide(ana);
  const stepid = stepAt(guide, 0);
  const say = async (at: string, text: string, parentid?: number): Promise<Comment> =>
    (await ana.call('POST', `/comments/${at}`, { text, parentid })).body as Comment;
  for (const at of [`guide/${guide.guideid}`, `step/${stepid}`]) {
    const { commentid } = await say(at, 'one');
    await say(at, 'two');
    await say(at, 'a', commentid);
    await say(at, 'b', commentid);
  }
  const read = (await ana.call('GET', `/guides/${guide.guideid}`)).body as Guide;
  const step = (
    await ana.call(
      'PATCH',
      `/guides/${guide.guideid}/steps/${stepid}?revisionid=${read.steps[0]?.revisionid}`,
      {
        title: 'Opened',
      },
    )
  ).body as Guide['steps'][number];
  for (const list of [read.comments, read.steps[0]?.comments, step.comments])
    expect(
      list?.map(({ text_raw, replies }) => [text_raw, ...replies.map((reply) => reply.text_raw)]),
    ).toEqual([['two'], ['one', 'a', 'b']]);
});

test('LIVE-7 a slash of a title is a hyphen in the address of a guide', async () => {
  const made = await ana.client.guides.create({
    body: { category: 'Bench Grinder', type: 'how-to', title: 'Making CEBs/CSEBs & more' },
  });
  expect(made.url).toBe(`${server.url}/Guide/Making+CEBs-CSEBs+&+more/${made.guideid}`);
  expect(made.body_url_path).toContain('/Making+CEBs-CSEBs+&+more/');
});

test('LIVE-8 the list of releases is empty while releases are off', async () => {
  expect(await ana.call('GET', '/guides/releases')).toMatchObject({ status: 200, body: { releases: [] } });
});

test('HTTP-21 OPTIONS names the methods of a path, in JSON', async () => {
  const shop = 'https://shop.example';
  await changeSite(server.services, { cors_origins: [shop] });
  for (const origin of [undefined, shop, 'https://other.example']) {
    const ask = async (path: string): Promise<[number, string | null, unknown]> => {
      const answer = await fetch(`${server.url}/api/2.0${path}`, {
        method: 'OPTIONS',
        headers: origin === undefined ? {} : { Origin: origin },
      });
      expect(answer.headers.get('content-type')).toContain('application/json');
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin === shop ? shop : null);
      return [answer.status, answer.headers.get('allow'), await answer.json()];
    };
    expect(await ask('/guides')).toEqual([
      200,
      'GET, HEAD, OPTIONS, POST',
      { allow: ['GET', 'HEAD', 'OPTIONS', 'POST'] },
    ]);
    expect(await ask('/nothing')).toMatchObject([404, null, { error: true }]);
  }
});
