import { afterAll, beforeAll, expect, test } from 'vitest';

import type { NewsPost, Story } from '#shared/model/post.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let now = Date.UTC(2026, 2, 2, 8);

beforeAll(async () => {
  server = await startServer({ now: () => now });
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben', ['User']);
});
afterAll(() => server[Symbol.asyncDispose]());

async function tell(person: TestPerson, body: object): Promise<Story> {
  now += 60_000;
  const answer = await person.call('POST', '/stories', body);
  expect([answer.status, answer.body]).toMatchObject([201, {}]);
  return answer.body;
}

test('POST-1 a story is written, read and listed with the names of live servers, oldest first', async () => {
  const first = await tell(ben, {
    title: 'First & last',
    intro: 'It stood still.',
    body: "It ''ran'' again.",
    conclusion: 'Oil it.',
    category: 'Bench Grinder',
  });
  const second = await tell(ben, { title: 'Second', body: 'And again.' });
  expect(first).toMatchObject({
    status: 'open',
    view_url: `${server.url}/Story/${first.storyid}`,
    title_raw: 'First & last',
    title_rendered: 'First &amp; last',
    intro_rendered: '<p>It stood still.</p>',
    body_raw: "It ''ran'' again.",
    body_rendered: '<p>It <em>ran</em> again.</p>',
    conclusion_rendered: '<p>Oil it.</p>',
    category: 'Bench Grinder',
    guideid: null,
    author: { userid: ben.userid },
    image: null,
  });
  expect((await ana.call('GET', `/stories/${first.storyid}`)).body).toEqual(first);
  const all: Story[] = (await ana.call('GET', '/stories?limit=200')).body;
  expect(all.slice(-2)).toEqual([first, second]);
  expect((await ana.call('GET', '/stories?order=DESC&limit=1')).body).toEqual([second]);
  expect((await ana.call('GET', '/stories?product=Bench%20Grinder')).body).toContainEqual(first);
});

test('POST-2 a story may name a guide that its author sees; nobody else learns about a private one', async () => {
  const hidden = await makeGuide(ana, false);
  const { guideid } = await makeGuide(ana);
  const about = await tell(ben, { title: 'About it', body: 'Done.', guideid });
  const secret = await tell(ana, { title: 'Secret', body: 'Done.', guideid: hidden.guideid });
  expect([about.guideid, secret.guideid]).toEqual([guideid, hidden.guideid]);
  const listed = async (by: TestPerson, of: number): Promise<Story[]> =>
    (await by.call('GET', `/stories?guideid=${of}`)).body;
  expect(await listed(ben, guideid)).toEqual([about]);
  expect(await listed(ana, hidden.guideid)).toEqual([secret]);
  expect(await listed(ben, hidden.guideid)).toEqual([]);
  expect((await ben.call('GET', `/stories/${secret.storyid}`)).body).toEqual({ ...secret, guideid: null });
});

test('POST-3 a story is edited by its author and moderators; unnamed fields stay', async () => {
  const told = await tell(ben, { title: 'Told', intro: 'Before.', body: 'Done.', category: 'Bench Grinder' });
  const path = `/stories/${told.storyid}`;
  expect((await ana.call('PATCH', path, { body: 'Mine.' })).status).toBe(403);
  now += 60_000;
  const edited = await ben.call('PATCH', path, { body: "Done ''well''.", category: null });
  const wanted = {
    ...told,
    body_raw: "Done ''well''.",
    body_rendered: '<p>Done <em>well</em>.</p>',
    category: null,
    modified_date: told.modified_date + 60,
  };
  expect([edited.status, edited.body]).toEqual([200, wanted]);
  expect((await ben.call('PATCH', path, {})).body).toEqual(wanted);
  const otto = await server.person('Otto', ['User', 'Moderator']);
  expect((await otto.call('PATCH', path, { title: 'Checked' })).body).toMatchObject({ title_raw: 'Checked' });
  expect((await ana.call('GET', path)).body).toMatchObject({ title_raw: 'Checked', intro_raw: 'Before.' });
});

test('POST-4 a second story within a minute must wait', async () => {
  await tell(ben, { title: 'Now', body: 'Now.' });
  const hasty = await ben.call('POST', '/stories', { title: 'Again', body: 'Again.' });
  expect([hasty.status, hasty.headers.get('retry-after')]).toEqual([429, '60']);
});

test('POST-5 a refused story names the wrong field', async () => {
  const { storyid } = await tell(ben, { title: 'Sound', body: 'x' });
  const hidden = await makeGuide(ana, false);
  now += 60_000;
  for (const [field, wrong] of [
    ['title', { title: '' }],
    ['body', { body: ' ' }],
    ['category', { category: 'Nowhere' }],
    ['guideid', { guideid: hidden.guideid }],
    ['image', { image: 99_999 }],
    ['userid', { userid: 1 }],
  ] as const)
    for (const refused of [
      await ben.call('POST', '/stories', { title: 'x', body: 'x', ...wrong }),
      await ben.call('PATCH', `/stories/${storyid}`, wrong),
    ])
      expect([refused.status, refused.body]).toMatchObject([422, { errors: [{ field }] }]);
  expect((await fetch(`${server.url}/api/2.0/stories`, { method: 'POST' })).status).toBe(401);
});

test('POST-6 authors of the site write posts', async () => {
  expect((await ben.call('POST', '/posts', { title: 'News', text: 'x' })).status).toBe(403);
  const answer = await ana.call('POST', '/posts', { title: 'News', text: 'New guides.' });
  const made = answer.body as NewsPost;
  expect([answer.status, made.title]).toEqual([201, 'News']);
  expect((await ben.call('GET', `/posts/${made.postid}`)).body).toEqual(made);
  expect((await ben.call('GET', '/posts')).body).toEqual([made]);
  expect((await ben.call('GET', `/stories/${made.postid}`)).status).toBe(404);
});

test('POST-7 stories and posts take comments, and each comment has their title', async () => {
  const { storyid } = await tell(ben, { title: 'Told', body: 'x' });
  const comment = await ana.call('POST', `/comments/story/${storyid}`, { text: 'Well done' });
  expect([comment.status, comment.body]).toMatchObject([
    201,
    { context: 'story', contextid: storyid, title: 'Told' },
  ]);
  expect((await ben.call('GET', `/comments/story/${storyid}`)).body).toEqual([comment.body]);
  expect((await ana.call('POST', `/comments/post/${storyid}`, { text: 'x' })).status).toBe(404);
});

test('POST-3 its author or a moderator deletes a story with its comments', async () => {
  const { storyid } = await tell(ben, { title: 'Gone', body: 'x' });
  const { body } = await ana.call('POST', `/comments/story/${storyid}`, { text: 'x' });
  const { commentid } = body as { commentid: number };
  expect((await ana.call('DELETE', `/stories/${storyid}`)).status).toBe(403);
  expect((await ben.call('DELETE', `/stories/${storyid}`)).status).toBe(204);
  expect((await ana.call('GET', `/stories/${storyid}`)).status).toBe(404);
  expect((await ana.call('GET', `/comments/${commentid}`)).status).toBe(404);
  expect((await ben.call('DELETE', `/stories/${storyid}`)).status).toBe(404);
});
