import { afterAll, beforeAll, expect, test } from 'vitest';

import type { NewsPost, Story } from '#shared/model/post.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

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

test('a story is told, read and listed newest first', async () => {
  const first = await tell(ben, { title: 'First', text: "It ''ran'' again.", category: 'Bench Grinder' });
  const second = await tell(ben, { title: 'Second', text: 'And again.' });
  expect(first).toMatchObject({
    title: 'First',
    text_rendered: '<p>It <em>ran</em> again.</p>',
    category: 'Bench Grinder',
    author: { userid: ben.userid },
    image: null,
  });
  expect((await ana.call('GET', `/stories/${first.storyid}`)).body).toEqual(first);
  expect((await ana.call('GET', '/stories?limit=2')).body).toEqual([second, first]);
});

test('a second story within a minute is told to wait', async () => {
  await tell(ben, { title: 'Now', text: 'Now.' });
  const hasty = await ben.call('POST', '/stories', { title: 'Again', text: 'Again.' });
  expect([hasty.status, hasty.headers.get('retry-after')]).toEqual([429, '60']);
});

test('a story is refused with the field that is wrong', async () => {
  now += 60_000;
  for (const [field, body] of [
    ['title', { text: 'x' }],
    ['category', { title: 'x', text: 'x', category: 'Nowhere' }],
    ['image', { title: 'x', text: 'x', image: 99_999 }],
    ['userid', { title: 'x', text: 'x', userid: 1 }],
  ] as const) {
    const refused = await ben.call('POST', '/stories', body);
    expect([refused.status, refused.body]).toMatchObject([422, { errors: [{ field }] }]);
  }
  expect((await fetch(`${server.url}/api/2.0/stories`, { method: 'POST' })).status).toBe(401);
});

test('posts are written by authors of the site', async () => {
  expect((await ben.call('POST', '/posts', { title: 'News', text: 'x' })).status).toBe(403);
  const answer = await ana.call('POST', '/posts', { title: 'News', text: 'New guides.' });
  const made = answer.body as NewsPost;
  expect([answer.status, made.title]).toEqual([201, 'News']);
  expect((await ben.call('GET', `/posts/${made.postid}`)).body).toEqual(made);
  expect((await ben.call('GET', '/posts')).body).toEqual([made]);
  expect((await ben.call('GET', `/stories/${made.postid}`)).status).toBe(404);
});

test('stories and posts are commented on, and the comment names their title', async () => {
  const { storyid } = await tell(ben, { title: 'Told', text: 'x' });
  const comment = await ana.call('POST', `/comments/story/${storyid}`, { text: 'Well done' });
  expect([comment.status, comment.body]).toMatchObject([
    201,
    { context: 'story', contextid: storyid, title: 'Told' },
  ]);
  expect((await ben.call('GET', `/comments/story/${storyid}`)).body).toEqual([comment.body]);
  expect((await ana.call('POST', `/comments/post/${storyid}`, { text: 'x' })).status).toBe(404);
});

test('its author or a moderator deletes a story, and its comments go with it', async () => {
  const { storyid } = await tell(ben, { title: 'Gone', text: 'x' });
  const { body } = await ana.call('POST', `/comments/story/${storyid}`, { text: 'x' });
  const { commentid } = body as { commentid: number };
  expect((await ana.call('DELETE', `/stories/${storyid}`)).status).toBe(403);
  expect((await ben.call('DELETE', `/stories/${storyid}`)).status).toBe(204);
  expect((await ana.call('GET', `/stories/${storyid}`)).status).toBe(404);
  expect((await ana.call('GET', `/comments/${commentid}`)).status).toBe(404);
  expect((await ben.call('DELETE', `/stories/${storyid}`)).status).toBe(404);
});
