import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import type { BatchCall, FeedRow } from '#shared/sync/wire.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { batch, sync, type Answer } from '#test/support/sync-calls.ts';

function guideRows(answer: Answer): FeedRow[] {
  return answer.rows.filter((row) => row.c === 'guides');
}

async function world(): Promise<{ server: TestServer; ana: TestPerson; ben: TestPerson }> {
  const server = await startServer();
  await server.category('Bench Grinder');
  return { server, ana: await server.person('Ana'), ben: await server.person('Ben') };
}

const newGuide = { category: 'Bench Grinder', type: 'repair', title: 'Belt' } as const;

test('FEED-1 a private guide never reaches another person, and a published one does', async () => {
  const { server, ana, ben } = await world();
  await using _ = server;
  const start = (await sync(server, ben, 'bootstrap')).checkpoint;
  const guide = await ana.client.guides.create({ body: newGuide });
  expect(guideRows(await sync(server, ben, `pull?since=${start}`))).toEqual([]);
  expect(guideRows(await sync(server, ana, `pull?since=${start}`))).toMatchObject([
    { id: String(guide.guideid), doc: { title: 'Belt' } },
  ]);
  await ana.client.guides.publish({ params: { guideid: guide.guideid }, revisionid: guide.revisionid });
  expect(guideRows(await sync(server, ben, `pull?since=${start}`))).toMatchObject([
    { id: String(guide.guideid), doc: { public: true } },
  ]);
});

test("FEED-2 a guide made private again is removed from other people's devices, even after later edits", async () => {
  const { server, ana, ben } = await world();
  await using _ = server;
  const made = await ana.client.guides.create({ body: { ...newGuide, public: true } });
  const { checkpoint } = await sync(server, ben, 'bootstrap');
  const hidden = await ana.client.guides.unpublish({
    params: { guideid: made.guideid },
    revisionid: made.revisionid,
  });
  await ana.client.guides.patch({
    params: { guideid: made.guideid },
    revisionid: hidden.revisionid,
    body: { summary: 'Secret' },
  });
  const pulled = await sync(server, ben, `pull?since=${checkpoint}`);
  expect(guideRows(pulled)).toEqual([
    { c: 'guides', id: String(made.guideid), seq: expect.any(Number), removed: true },
  ]);
  expect(JSON.stringify(pulled)).not.toContain('Secret');
});

test('FEED-3 a superseded change is sent without a document, and only to the person whose key made it', async () => {
  const { server, ana, ben } = await world();
  await using _ = server;
  const made = await ana.client.guides.create({ body: { ...newGuide, public: true } });
  const { checkpoint } = await sync(server, ana, 'bootstrap');
  const first = await ana.client.guides.patch(
    { params: { guideid: made.guideid }, revisionid: made.revisionid, body: { summary: 'One' } },
    { idempotencyKey: 'key-of-ana-1' },
  );
  await ben.client.guides.patch({
    params: { guideid: made.guideid },
    revisionid: first.revisionid,
    body: { summary: 'Two' },
  });
  const forAna = guideRows(await sync(server, ana, `pull?since=${checkpoint}`));
  expect(forAna).toMatchObject([{ key: 'key-of-ana-1' }, { doc: { summary: 'Two' } }]);
  expect(forAna[0]).not.toHaveProperty('doc');
  expect(guideRows(await sync(server, ben, `pull?since=${checkpoint}`))).toMatchObject([
    { doc: { summary: 'Two' } },
  ]);
});

test('FEED-4 the cost of a page depends on what changed, and the next one continues where it ended', async () => {
  const { server, ana } = await world();
  await using _ = server;
  const { checkpoint } = await sync(server, ana, 'bootstrap');
  for (let count = 0; count < 5; count += 1) await ana.client.guides.create({ body: newGuide });
  const seen: string[] = [];
  let place = checkpoint;
  for (let more = true; more;) {
    const page = await sync(server, ana, `pull?since=${place}&limit=2`);
    seen.push(...guideRows(page).map((row) => row.id));
    expect(page.rows.length).toBeLessThanOrEqual(2);
    ({ checkpoint: place, more } = page);
  }
  expect(seen).toEqual(['1', '2', '3', '4', '5']);
  expect((await sync(server, ana, `pull?since=${place}`)).rows).toEqual([]);
});

test('FEED-5 a checkpoint of another history is answered with 410', async () => {
  const { server, ana } = await world();
  await using _ = server;
  const { checkpoint } = await sync(server, ana, 'bootstrap');
  const [seq] = checkpoint.split('.');
  expect((await sync(server, ana, `pull?since=${seq}.ffffffffffff`)).status).toBe(410);
  expect((await sync(server, ana, `pull?since=${Number(seq) + 1000}.abc`)).status).toBe(410);
});

test('FEED-6 a person who becomes an administrator receives what they may now see, and loses it again', async () => {
  const { server, ana, ben } = await world();
  await using _ = server;
  const admin = await server.person('Mira', ['User', 'Admin']);
  const guide = await ana.client.guides.create({ body: newGuide });
  const before = (await sync(server, ben, 'bootstrap')).checkpoint;
  await promote(admin, ben, ['Admin']);
  const gained = await sync(server, ben, `pull?since=${before}`);
  expect(guideRows(gained)).toMatchObject([{ id: String(guide.guideid), doc: { title: 'Belt' } }]);
  await promote(admin, ben, ['User']);
  expect(guideRows(await sync(server, ben, `pull?since=${gained.checkpoint}`))).toMatchObject([
    { id: String(guide.guideid), removed: true },
  ]);
});

test('BATCH-1 each call of a batch gets its own result; after a refusal the rest of its lane is returned without being run', async () => {
  const { server, ana } = await world();
  await using _ = server;
  const guide = await ana.client.guides.create({ body: newGuide });
  const path = `/guides/${guide.guideid}`;
  const results = await batch(server, ana, [
    {
      id: 'call-0001',
      lane: 'guide:1',
      method: 'PATCH',
      path,
      query: { revisionid: '999999' },
      body: { summary: 'stale' },
    },
    {
      id: 'call-0002',
      lane: 'guide:1',
      method: 'PATCH',
      path,
      query: { revisionid: 'previous' },
      body: { summary: 'after' },
    },
    { id: 'call-0003', lane: 'viewer', method: 'PUT', path: `/user/favorites/guides/${guide.guideid}` },
    { id: 'call-0004', lane: 'other', method: 'PUT', path: '/user/favorites/guides/4711' },
  ]);
  expect(results.map((result) => [result.id, result.status, result.after])).toEqual([
    ['call-0001', 409, undefined],
    ['call-0002', 0, 'call-0001'],
    ['call-0003', 204, undefined],
    ['call-0004', 404, undefined],
  ]);
  expect(results[0]?.rows).toMatchObject([{ c: 'guides', doc: { revisionid: guide.revisionid } }]);
  expect(results[2]?.rows).toMatchObject([{ c: 'viewer', key: 'call-0003', doc: { kind: 'favorite' } }]);
});

test('BATCH-2 later calls can use temporary ids of earlier ones, and revisions are passed on within a lane', async () => {
  const { server, ana } = await world();
  await using _ = server;
  const results = await batch(server, ana, [
    {
      id: 'guide-made-offline',
      lane: 'g',
      method: 'POST',
      path: '/guides',
      body: { ...newGuide, steps: [{ key: 'step-made-offline', lines: [{ text: 'One' }] }] },
    },
    {
      id: 'call-2222',
      lane: 'g',
      method: 'PATCH',
      path: '/guides/tmp:guide-made-offline',
      query: { revisionid: 'previous' },
      body: { summary: 'S' },
    },
    { id: 'call-3333', lane: 'v', method: 'PUT', path: '/user/favorites/guides/tmp:guide-made-offline' },
  ]);
  expect(results.map((result) => result.status)).toEqual([201, 200, 204]);
  const { guideid, steps } = must(results[1]?.rows[0]?.doc, 'the guide') as {
    guideid: number;
    steps: { stepid: number; key: string }[];
  };
  expect(results[0]?.created).toEqual({
    'tmp:guide-made-offline': guideid,
    'tmp:step-made-offline': steps[0]?.stepid,
  });
  expect(steps[0]?.key).toBe('step-made-offline');
});

test('BATCH-3 a batch sent again takes effect once', async () => {
  const { server, ana } = await world();
  await using _ = server;
  const calls: BatchCall[] = [
    { id: 'made-only-once', lane: 'g', method: 'POST', path: '/guides', body: newGuide },
  ];
  const [first] = await batch(server, ana, calls);
  const [second] = await batch(server, ana, calls);
  expect(second).toMatchObject({ status: 201, replayed: true, created: first?.created, rows: first?.rows });
  expect(await ana.client.users.ownGuides({ query: {} })).toHaveLength(1);
  const [other] = await batch(server, ana, [
    { ...calls[0], body: { ...newGuide, title: 'Another' } } as BatchCall,
  ]);
  expect(other?.status).toBe(422);
});

test('EVENT-1 events start after the checkpoint and report changes while connected', async () => {
  const { server, ana } = await world();
  await using _ = server;
  const { checkpoint } = await sync(server, ana, 'bootstrap');
  const before = await ana.client.guides.create({ body: newGuide });
  const abort = new AbortController();
  const response = await fetch(`${server.url}/sync/1/events?since=${checkpoint}`, {
    headers: { Authorization: `api ${ana.token}` },
    signal: abort.signal,
  });
  const reader = must(response.body, 'a body').getReader();
  const decoder = new TextDecoder();
  let text = '';
  const until = async (what: string): Promise<void> => {
    while (!text.includes(what)) text += decoder.decode((await reader.read()).value, { stream: true });
  };
  await until(`"guideid":${before.guideid},`);
  const during = await ana.client.guides.create({ body: newGuide });
  await until(`"guideid":${during.guideid},`);
  expect(text.startsWith('event: head\n')).toBe(true);
  abort.abort();
});

test('BATCH-3 a batch that arrives late, after a newer one, changes nothing', async () => {
  const { server, ana } = await world();
  await using _ = server;
  const { guideid, revisionid } = await ana.client.guides.create({ body: newGuide });
  const save = (id: string, summary: string, revision: number): BatchCall[] => [
    {
      id,
      lane: 'guide',
      method: 'PATCH',
      path: `/guides/${guideid}`,
      query: { revisionid: String(revision) },
      body: { summary },
    },
  ];
  const mark = (id: string, method: 'PUT' | 'DELETE'): BatchCall[] => [
    { id, lane: 'favorite', method, path: `/user/favorites/guides/${guideid}` },
  ];
  const older = [...save('older-save', 'Older', revisionid), ...mark('older-mark', 'PUT')];
  expect((await batch(server, ana, older)).map(({ status }) => status)).toEqual([200, 204]);
  const { revisionid: second } = await ana.client.guides.read({ params: { guideid } });
  const newer = [...save('newer-save', 'Newer', second), ...mark('newer-mark', 'DELETE')];
  expect((await batch(server, ana, newer)).map(({ status }) => status)).toEqual([200, 204]);
  const late = await batch(server, ana, older);
  expect(late.map(({ status, replayed }) => [status, replayed])).toEqual([
    [200, true],
    [204, true],
  ]);
  expect((await ana.client.guides.read({ params: { guideid } })).summary).toBe('Newer');
  expect((await ana.call('GET', '/user/favorites/guides')).body).toEqual([]);
});

const lateRequest = 'request=0f3-late';

test.each([
  ['a pull', 'pull?since=0.0', undefined],
  ['a first load', 'bootstrap?collections=guides', undefined],
  ['a digest', 'digest?', undefined],
  ['records', 'records?', { records: [] }],
  ['a batch', 'batch?', { protocol: 6, calls: [] }],
  ['answers by key', 'answers?', { keys: [] }],
])('FEED-19 the head of %s repeats the request name, from protocol 6 on', async (_, path, body) => {
  const { server, ana } = await world();
  await using _server = server;
  const headFor = async (protocol: string): Promise<object> => {
    const answer = await fetch(`${server.url}/sync/1/${path}&protocol=${protocol}&${lateRequest}`, {
      headers: { Authorization: `api ${ana.token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    return JSON.parse((await answer.text()).split('\n')[0] ?? '') as object;
  };
  expect(await headFor('5-6')).toMatchObject({ protocol: 6, request: '0f3-late' });
  if (path !== 'batch?') expect(await headFor('5')).not.toHaveProperty('request');
});

test('FEED-19 the head of an event stream repeats the request name', async () => {
  const { server, ana } = await world();
  await using _ = server;
  const abort = new AbortController();
  const response = await fetch(`${server.url}/sync/1/events?since=0.0&protocol=6&${lateRequest}`, {
    headers: { Authorization: `api ${ana.token}` },
    signal: abort.signal,
  });
  const reader = must(response.body, 'a body').getReader();
  const { value } = await reader.read();
  expect(new TextDecoder().decode(value)).toContain('"request":"0f3-late"');
  abort.abort();
});

test.each([
  ['401', 'pull?since=0.0', 'nobody'],
  ['410', 'pull?since=7.unknown'],
  ['422', 'pull?since=nowhere'],
  ['426', 'pull?since=0.0&protocol=1'],
])('FEED-19 a refusal with %s repeats the request name', async (status, path, token?: string) => {
  const { server, ana } = await world();
  await using _ = server;
  const answer = await fetch(`${server.url}/sync/1/${path}&${lateRequest}`, {
    headers: { Authorization: `api ${token ?? ana.token}` },
  });
  expect(String(answer.status)).toBe(status);
  expect(await answer.json()).toMatchObject({ error: true, request: '0f3-late' });
});

test('FEED-19 a refusal of the API repeats nothing of its query', async () => {
  const { server } = await world();
  await using _ = server;
  const answer = await fetch(`${server.url}/api/2.0/guides/999?${lateRequest}`);
  expect(answer.status).toBe(404);
  expect(await answer.json()).not.toHaveProperty('request');
});

test('EVENT-2 the server closes within seconds although event streams are open', async () => {
  const { server, ana } = await world();
  const { checkpoint } = await sync(server, ana, 'bootstrap');
  const response = await fetch(`${server.url}/sync/1/events?since=${checkpoint}`, {
    headers: { Authorization: `api ${ana.token}` },
  });
  const ended = response.text();
  await server[Symbol.asyncDispose]();
  expect(await ended).toContain('event: head');
});

test('FEED-7 the facts of a guide name its last editor', async () => {
  const { server, ana } = await world();
  await using _ = server;
  const otto = await server.person('Otto', ['User', 'Author', 'Moderator']);
  const guide = await ana.client.guides.create({ body: { ...newGuide, public: true } });
  const documents = async (): Promise<unknown[]> =>
    guideRows(await sync(server, ana, 'bootstrap')).map(({ doc }) => doc);
  expect(await documents()).toMatchObject([{ modified_userid: ana.userid }]);
  await otto.call('PATCH', `/guides/${guide.guideid}?revisionid=${guide.revisionid}`, {
    title: 'Drive belt',
  });
  expect(await documents()).toMatchObject([{ title: 'Drive belt', modified_userid: otto.userid }]);
});

test('BATCH-4 a comment finds a step that was restored under its former number', async () => {
  const { server, ana } = await world();
  await using _ = server;
  const made = await ana.client.guides.create({
    body: { ...newGuide, steps: [{ lines: [{ text: 'One' }] }] },
  });
  const gone = must(made.steps[0], 'a step').stepid;
  const removed = await ana.call(
    'DELETE',
    `/guides/${made.guideid}/steps/${gone}?revisionid=${made.steps[0]?.revisionid}`,
  );
  expect(removed.status).toBe(200);
  const { revisionid } = removed.body as { revisionid: number };
  const results = await batch(server, ana, [
    {
      id: 'put-back-step',
      lane: 'g',
      method: 'PATCH',
      path: `/guides/${made.guideid}`,
      query: { revisionid: String(revisionid) },
      body: { steps: [{ key: String(gone), lines: [{ text: 'One' }] }] },
    },
    {
      id: 'comment-on-it',
      lane: 'c',
      method: 'POST',
      path: `/comments/step/tmp:${gone}`,
      body: { text: `tmp:${gone}` },
    },
  ]);
  const stepid = results[0]?.created[`tmp:${gone}`];
  expect(stepid).toBeGreaterThan(gone);
  expect(results.map(({ status }) => status)).toEqual([200, 201]);
  expect(results[1]?.rows).toMatchObject([
    { c: 'comments', doc: { contextid: stepid, text_raw: `tmp:${gone}` } },
  ]);
});

function prerequisitesIn({ rows }: { rows: FeedRow[] }, guideid: number): number[][] {
  return rows
    .filter((row) => row.c === 'guides' && row.id === String(guideid) && row.doc !== undefined)
    .map((row) => (row.doc as { prerequisites: number[] }).prerequisites);
}

test('FEED-8 a guide lists only the prerequisites that its reader may see, in the feed and in every response', async () => {
  const { server, ana, ben } = await world();
  await using _ = server;
  const first = await ana.client.guides.create({ body: newGuide });
  const guide = await ana.client.guides.create({
    body: { ...newGuide, public: true, prerequisites: [first.guideid] },
  });
  const path = `/guides/${guide.guideid}`;
  const { checkpoint, rows } = await sync(server, ben, 'bootstrap');
  expect(prerequisitesIn({ rows }, guide.guideid)).toEqual([[]]);
  expect(prerequisitesIn(await sync(server, ben, 'pull?since=0.0'), guide.guideid)).toEqual([[]]);
  expect(prerequisitesIn(await sync(server, ana, 'bootstrap'), guide.guideid)).toEqual([[first.guideid]]);
  const stale: BatchCall = {
    id: 'stale-call',
    lane: 'g',
    method: 'PATCH',
    path,
    query: { revisionid: '1' },
    body: { summary: 'Stale' },
  };
  const [refused] = await batch(server, ben, [stale]);
  expect(refused?.status).toBe(409);
  expect(prerequisitesIn(must(refused, 'an answer'), guide.guideid)).toEqual([[]]);
  const query = { revisionid: String(guide.revisionid) };
  const [edit] = await batch(server, ben, [
    { ...stale, id: 'edit-of-ben', query, body: { summary: 'Short', prerequisites: [] } },
  ]);
  expect(edit?.status).toBe(200);
  expect(prerequisitesIn(must(edit, 'an answer'), guide.guideid)).toEqual([[]]);
  // What he may not see he cannot take away.
  expect(prerequisitesIn(await sync(server, ana, 'bootstrap'), guide.guideid)).toEqual([[first.guideid]]);
  await ana.client.guides.publish({ params: { guideid: first.guideid }, revisionid: first.revisionid });
  expect(prerequisitesIn(await sync(server, ben, `pull?since=${checkpoint}`), guide.guideid).at(-1)).toEqual([
    first.guideid,
  ]);
});

test('FEED-9 a person who gains access to a prerequisite receives the guides that name it', async () => {
  const { server, ana, ben } = await world();
  await using _ = server;
  const admin = await server.person('Mira', ['User', 'Admin']);
  const first = await ana.client.guides.create({ body: newGuide });
  const guide = await ana.client.guides.create({
    body: { ...newGuide, public: true, prerequisites: [first.guideid] },
  });
  const before = (await sync(server, ben, 'bootstrap')).checkpoint;
  await promote(admin, ben, ['Admin']);
  const gained = await sync(server, ben, `pull?since=${before}`);
  expect(prerequisitesIn(gained, guide.guideid)).toEqual([[first.guideid]]);
  await promote(admin, ben, ['User']);
  const lost = await sync(server, ben, `pull?since=${gained.checkpoint}`);
  expect(prerequisitesIn(lost, guide.guideid)).toEqual([[]]);
});

test('FEED-10 the form of a step and its comments are removed with it', async () => {
  const { server, ana, ben } = await world();
  await using _ = server;
  const made = await ana.client.guides.create({
    body: { ...newGuide, public: true, steps: [{ lines: [{ text: 'One' }] }, { lines: [{ text: 'Two' }] }] },
  });
  const step = must(made.steps[1], 'a step');
  const commented = await ben.call('POST', `/comments/step/${step.stepid}`, { text: 'Which bit?' });
  expect(commented.status).toBe(201);
  const { commentid } = commented.body as { commentid: number };
  const fields = [{ label: 'Torque', field_type: 'Text Input' }];
  expect((await ana.call('POST', `/step_forms/${step.stepid}`, { fields })).status).toBe(200);
  const { checkpoint } = await sync(server, ben, 'bootstrap');
  const path = `/guides/${made.guideid}/steps/${step.stepid}?revisionid=${step.revisionid}`;
  expect((await ana.call('DELETE', path)).status).toBe(200);
  const removed = (await sync(server, ben, `pull?since=${checkpoint}`)).rows.filter((row) => row.removed);
  expect(removed.map(({ c, id }) => `${c}/${id}`).toSorted()).toEqual([
    `comments/${commentid}`,
    `stepForms/${step.stepid}`,
  ]);
  expect((await ben.call('GET', '/comments')).body).toEqual([]);
  expect((await ana.call('GET', `/step_forms/guideid/${made.guideid}`)).body).toEqual([]);
});

test('FEED-11 the effects of a change of access arrive in pages that continue where the previous one ended', async () => {
  const { server, ana, ben } = await world();
  await using _ = server;
  const admin = await server.person('Mira', ['User', 'Admin']);
  const made: number[] = [];
  for (let count = 0; count < 5; count += 1)
    made.push((await ana.client.guides.create({ body: newGuide })).guideid);
  const open = await ana.client.guides.create({
    body: { ...newGuide, public: true, prerequisites: [must(made[0], 'a guide')] },
  });
  const pages = async (from: string): Promise<{ rows: FeedRow[]; place: string }> => {
    const rows: FeedRow[] = [];
    let place = from;
    for (let more = true; more;) {
      const page = await sync(server, ben, `pull?since=${place}&limit=2`);
      expect(page.rows.length).toBeLessThanOrEqual(2);
      expect(page.checkpoint).not.toBe(place);
      rows.push(...guideRows(page));
      ({ checkpoint: place, more } = page);
    }
    return { rows, place };
  };
  const before = (await sync(server, ben, 'bootstrap')).checkpoint;
  await promote(admin, ben, ['Admin']);
  const gained = await pages(before);
  const ids = [...made, open.guideid].map(String);
  expect(gained.rows.map((row) => row.id)).toEqual(ids);
  expect(gained.rows.every((row) => 'doc' in row)).toBe(true);
  await promote(admin, ben, ['User']);
  const lost = await pages(gained.place);
  expect(lost.rows.map((row) => row.id)).toEqual(ids);
  expect(lost.rows.filter((row) => 'removed' in row).map((row) => row.id)).toEqual(made.map(String));
  expect(lost.rows.at(-1)).toMatchObject({ doc: { prerequisites: [] } });
  expect((await sync(server, ben, `pull?since=${lost.place}`)).rows).toEqual([]);
});

test('BATCH-5 the keys of lost responses return what was done, and nothing else', async () => {
  const { server, ana, ben } = await world();
  await using _ = server;
  const key = '01920000-0000-7000-8000-00000000000a';
  const refused = '01920000-0000-7000-8000-00000000000b';
  const never = '01920000-0000-7000-8000-00000000000c';
  const calls: BatchCall[] = [
    { id: key, lane: 'guide/a', method: 'POST', path: '/guides', body: newGuide },
    { id: refused, lane: 'guide/b', method: 'POST', path: '/guides', body: {} },
  ];
  const [made] = await batch(server, ana, calls);
  const [replayed] = await batch(server, ana, calls);
  expect(must(made, 'result').status).toBe(201);
  const { checkpoint } = await sync(server, ana, 'bootstrap');
  const [head, ...lines] = await answers(server, ana, [key, refused, never]);
  expect(head).toMatchObject({ history: expect.any(String) });
  expect(lines).toEqual([
    { ...must(replayed, 'replay'), headers: {} },
    { id: refused, unknown: true },
    { id: never, unknown: true },
  ]);
  expect((await answers(server, ben, [key])).slice(1)).toEqual([{ id: key, unknown: true }]);
  expect((await sync(server, ana, `pull?since=${checkpoint}`)).rows).toEqual([]);
});

test('BATCH-5 a response by key shows a record only to people who may still see it', async () => {
  const { server, ana } = await world();
  await using _ = server;
  const key = '01920000-0000-7000-8000-00000000000d';
  const [made] = await batch(server, ana, [
    { id: key, lane: 'guide/a', method: 'POST', path: '/guides', body: newGuide },
  ]);
  const guideid = Number(must(made, 'result').created[`tmp:${key}`]);
  const { revisionid } = await ana.client.guides.read({ params: { guideid }, query: {} });
  await ana.client.guides.remove({ params: { guideid }, revisionid });
  const [, line] = await answers(server, ana, [key]);
  expect(line).toMatchObject({
    id: key,
    status: 201,
    rows: [{ c: 'guides', id: String(guideid), removed: true }],
  });
});

async function promote(
  admin: TestPerson,
  { userid }: TestPerson,
  privileges: ('Admin' | 'User')[],
): Promise<void> {
  await admin.client.users.patch({
    params: { userid },
    body: { privileges, current_password: 'a long password' },
  });
}

async function answers(server: TestServer, person: TestPerson, keys: string[]): Promise<unknown[]> {
  const response = await fetch(`${server.url}/sync/1/answers`, {
    method: 'POST',
    headers: { Authorization: `api ${person.token}` },
    body: JSON.stringify({ keys }),
  });
  const lines = (await response.text()).trim().split('\n');
  return lines.map((line): unknown => JSON.parse(line));
}
