import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Comment } from '#shared/model/comment.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import { contextForJob } from '#server/core/job.ts';
import { makeGuide, seenBy, stepAt, workshopClient } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let admin: TestPerson;
let guide: Guide;
let now = Date.UTC(2026, 2, 2, 8);

beforeAll(async () => {
  server = await startServer({ now: () => now });
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben', ['User']);
  admin = await server.person('Ada', ['User', 'Admin']);
  guide = await makeGuide(ana);
});
afterAll(() => server[Symbol.asyncDispose]());

async function post(person: TestPerson, path: string, body: object): Promise<Comment> {
  const answer = await person.call('POST', `/comments/${path}`, body);
  expect([answer.status, answer.body]).toMatchObject([201, {}]);
  return answer.body;
}

test('a comment has its author, the title of the guide and its rendered text', async () => {
  const made = await post(ben, `step/${stepAt(guide, 0)}`, { text: ' Is a T15 fine?\nHere. ', langId: 'en' });
  expect(made).toMatchObject({
    context: 'step',
    contextid: stepAt(guide, 0),
    parentid: null,
    title: 'Belt',
    text_raw: 'Is a T15 fine?\nHere.',
    text_rendered: '<p>Is a T15 fine?<br />Here.</p>',
    date: now / 1000,
    modified_date: 0,
    replied_date: 0,
    numberOfReplies: 0,
    status: 'public',
    replies: [],
  });
  expect(made.author).toMatchObject({ userid: ben.userid, username: 'Ben', privileges: ['User'] });
  const whole = await ana.client.guides.read({ params: { guideid: guide.guideid } });
  expect(whole.steps[0]?.comments).toContainEqual(made);
  expect(whole.comments).not.toContainEqual(made);
});

test('COMMENT-1 replies belong to their parent and update its replied_date; 0 means no parent', async () => {
  const top = await post(ben, `guide/${guide.guideid}`, { text: 'First', parentid: null });
  now += 60_000;
  const reply = await post(ana, `guide/${guide.guideid}`, { text: 'Second', parentid: top.commentid });
  const read = await workshopClient(server, ben).comments.read({ params: { commentid: top.commentid } });
  expect(read).toMatchObject({ replied_date: now / 1000, numberOfReplies: 1 });
  expect(read.replies.map((one) => one.commentid)).toEqual([reply.commentid]);
  const nested = await ana.call('POST', `/comments/guide/${guide.guideid}`, {
    text: 'Third',
    parentid: reply.commentid,
  });
  expect([nested.status, nested.body]).toMatchObject([422, { errors: [{ field: 'parentid' }] }]);
  const elsewhere = await ana.call('POST', `/comments/step/${stepAt(guide, 0)}`, {
    text: 'x',
    parentid: top.commentid,
  });
  expect(elsewhere.status).toBe(422);
  expect(await post(ana, `guide/${guide.guideid}`, { text: 'Alone', parentid: 0 })).toMatchObject({
    parentid: null,
  });
});

test('lists are ordered by commentid, filtered, and contain only visible comments', async () => {
  const secret = await makeGuide(ana, false);
  const hidden = await post(ana, `guide/${secret.guideid}`, { text: 'Hidden' });
  const other = await makeGuide(ana);
  const first = await post(ben, `guide/${other.guideid}`, { text: 'One' });
  const second = await post(ben, `guide/${other.guideid}`, { text: 'Two' });
  const client = workshopClient(server, ben).comments;
  const all = await client.list({ query: { limit: '200' } });
  const ids = all.map((one) => one.commentid);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(ids).not.toContain(hidden.commentid);
  const ofGuide = { params: { context: 'guide', contextid: other.guideid } } as const;
  expect(
    (await client.ofDocument({ ...ofGuide, query: { order: 'DESC' } })).map((one) => one.commentid),
  ).toEqual([second.commentid, first.commentid]);
  expect(
    (await client.ofDocument({ ...ofGuide, query: { limit: '1', offset: '1' } })).map((one) => one.text_raw),
  ).toEqual(['Two']);
  expect(
    (await client.list({ query: { context: 'step', limit: '200' } })).every((one) => one.context === 'step'),
  ).toBe(true);
  now += 1000;
  const later = await post(ana, `guide/${other.guideid}`, { text: 'Reply', parentid: first.commentid });
  const changed = await client.list({ query: { modifiedSince: String(now / 1000) } });
  expect(changed.map((one) => one.commentid)).toEqual([first.commentid]);
  expect(later.parentid).toBe(first.commentid);
  const anonymous = await fetch(`${server.url}/api/2.0/comments/${first.commentid}`);
  expect(anonymous.status).toBe(200);
  expect((await ben.call('GET', `/comments/${hidden.commentid}`)).status).toBe(404);
});

test('an author can edit for five minutes, an administrator always, others never', async () => {
  const made = await post(ben, `guide/${guide.guideid}`, { text: 'Tpyo' });
  const path = `/comments/${made.commentid}`;
  now += 300_000;
  const edited = await ben.call('PATCH', path, { text: 'Typo' });
  expect([edited.status, edited.body]).toMatchObject([200, { text_raw: 'Typo', modified_date: now / 1000 }]);
  expect((await ana.call('PATCH', path, { text: 'Mine' })).status).toBe(403);
  now += 1000;
  expect((await ben.call('PATCH', path, { text: 'Late' })).status).toBe(403);
  expect((await admin.call('PATCH', path, { text: 'Moderated' })).status).toBe(200);
});

test('COMMENT-2 deleting a comment soft-deletes its replies', async () => {
  const top = await post(ben, `guide/${guide.guideid}`, { text: 'Top' });
  const reply = await post(ana, `guide/${guide.guideid}`, { text: 'Reply', parentid: top.commentid });
  expect((await ana.call('DELETE', `/comments/${top.commentid}`)).status).toBe(403);
  expect((await ben.call('DELETE', `/comments/${top.commentid}`)).status).toBe(204);
  expect((await ben.call('DELETE', `/comments/${top.commentid}`)).status).toBe(404);
  const kept = await ben.call('GET', `/comments/${top.commentid}`);
  expect([kept.status, kept.body]).toMatchObject([200, { status: 'deleted' }]);
  expect((await ana.call('GET', `/comments/${top.commentid}`)).status).toBe(404);
  expect((await admin.call('GET', `/comments/${reply.commentid}`)).body).toMatchObject({ status: 'deleted' });
  const listed = await workshopClient(server, ben).comments.list({ query: { limit: '200' } });
  expect(listed.flatMap((one) => [one, ...one.replies]).map((one) => one.commentid)).not.toContain(
    reply.commentid,
  );
  const late = await ana.call('POST', `/comments/guide/${guide.guideid}`, {
    text: 'Late',
    parentid: top.commentid,
  });
  expect(late.status).toBe(422);
  const synced = (await seenBy(server, ana, 'comments')).map((row) => row.id);
  expect(synced).not.toContain(String(top.commentid));
  expect(synced).not.toContain(String(reply.commentid));
});

test('wikis and info pages accept comments; posts and stories do not exist', async () => {
  await contextForJob(server.services, null, async (ctx) => {
    ctx.changes.put(
      'wikis',
      700,
      {
        wikiid: 700,
        revisionid: 1,
        namespace: 'INFO',
        title: 'Licensing',
        display_title: '',
        langid: 'en',
        parent: null,
        description: '',
        contents_raw: '',
        image: null,
        flags: [],
        table_of_contents: false,
        source_revisionid: null,
        userid: ana.userid,
        created_date: 1,
        modified_date: 1,
      },
      ['public'],
    );
  });
  expect(await post(ben, 'info/700', { text: 'Which one?' })).toMatchObject({
    context: 'info',
    title: 'Licensing',
  });
  expect(await post(ben, 'wiki/700', { text: 'And here?' })).toMatchObject({
    context: 'wiki',
    contextid: 700,
  });
  for (const context of ['wiki/999', 'post/1', 'story/1', 'nonsense/1', 'guide/0']) {
    expect((await ben.call('POST', `/comments/${context}`, { text: 'x' })).status).toBe(404);
  }
});

test('refusals come in order: 401, 404, 403, 422', async () => {
  const secret = await makeGuide(ana, false);
  const path = `/comments/guide/${guide.guideid}`;
  expect((await fetch(`${server.url}/api/2.0${path}`, { method: 'POST', body: '{}' })).status).toBe(401);
  expect((await ben.call('POST', `/comments/guide/${secret.guideid}`, {})).status).toBe(404);
  const made = await post(ana, `guide/${guide.guideid}`, { text: 'Mine' });
  expect((await ben.call('PATCH', `/comments/${made.commentid}`, {})).status).toBe(403);
  expect((await ben.call('POST', path, { text: ' ' })).status).toBe(422);
  expect((await ben.call('POST', path, { text: 'x'.repeat(4097) })).status).toBe(422);
  expect((await ben.call('POST', path, { text: 'x', colour: 'red' })).status).toBe(422);
  expect((await ben.call('POST', path, '{"text":')).status).toBe(400);
  expect((await ben.call('PUT', `/comments/${made.commentid}`, {})).status).toBe(405);
});

test('a comment sent twice is stored once, and its device recognises it in the feed', async () => {
  const headers = { 'Idempotency-Key': 'comment-key-1' };
  const body = { text: 'Once' };
  const first = await ben.call('POST', `/comments/guide/${guide.guideid}`, body, headers);
  const second = await ben.call('POST', `/comments/guide/${guide.guideid}`, body, headers);
  expect([second.status, second.body]).toEqual([201, first.body]);
  expect(second.headers.get('Idempotency-Replayed')).toBe('true');
  const { commentid } = first.body as Comment;
  const row = (await seenBy(server, ana, 'comments')).find((one) => one.id === String(commentid));
  expect(row?.doc).toMatchObject({
    commentid,
    key: 'comment-key-1',
    guideid: guide.guideid,
    text_raw: 'Once',
  });
});

test('comments on a private guide are synced to the people who see it', async () => {
  const secret = await makeGuide(ana, false);
  const { commentid } = await post(ana, `guide/${secret.guideid}`, { text: 'Only for me' });
  const ids = async (person: TestPerson): Promise<string[]> =>
    (await seenBy(server, person, 'comments')).map((row) => row.id);
  expect(await ids(ana)).toContain(String(commentid));
  expect(await ids(ben)).not.toContain(String(commentid));
});

test('the response to a rename shows the new title on comments and in links to the page itself', async () => {
  const made = await makeGuide(ana);
  await post(ana, `guide/${made.guideid}`, { text: 'Before the renaming' });
  const renamed = await ana.client.guides.patch({
    params: { guideid: made.guideid },
    revisionid: made.revisionid,
    body: { title: 'Renamed', introduction: `See [guide|${made.guideid}]` },
  });
  expect(renamed.comments).toMatchObject([{ title: 'Renamed' }]);
  expect(renamed.introduction_rendered).toContain('>Renamed</a>');
});
