import { expect, test } from 'vitest';

import { z } from 'zod';

import type { Endpoint } from '#shared/api/endpoint.ts';
import { surface } from '#shared/api/surface.ts';
import { must } from '#shared/must.ts';
import type { BatchCall } from '#shared/sync/wire.ts';
import { recordInConflict } from '#server/sync/batch.ts';
import type { TestPerson, TestServer } from '#test/support/server.ts';
import { batch, sync, newGuide, twoAuthors } from '#test/support/sync-calls.ts';

test('BATCH-1 each call of a batch gets its own result; after a refusal the rest of its lane is returned without being run', async () => {
  const { server, ana } = await twoAuthors();
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

test.each([
  ['/comments/4', { commentid: 4, guideid: 61 }, { c: 'comments', id: '4' }],
  ['/guides/61/tag', { guideid: 61 }, { c: 'guides', id: '61' }],
  ['/work_log/5/pause', { entryid: 5, guideid: 61 }, { c: 'workLog', id: '5' }],
  ['/step_forms/28', { form_revisionid: 128, stepid: 28, guideid: 61 }, { c: 'stepForms', id: '28' }],
  ['/quizzes', { title: 'Belts' }, undefined],
])('BATCH-1 a 409 at %s with %j is about %j', (path, body, record) => {
  expect(recordInConflict(path, body)).toEqual(record);
});

test('BATCH-1 the record in the 409 of every call that waits on a device is found', () => {
  const endpoints = Object.values(surface).flatMap((table): Endpoint[] => Object.values(table));
  const lost = endpoints.filter(({ offline, path, revisioned, conflict = revisioned }) => {
    if (offline === undefined || conflict === undefined) return false;
    const body = Object.fromEntries(keysOf(conflict).map((name) => [name, 1]));
    return recordInConflict(path, body) === undefined;
  });
  expect(
    lost.map(({ method, path }) => `${method} ${path}`),
    'A record names its id after its collection: `guideid` for `guides`.',
  ).toEqual([]);
});

/** The keys of an object, or those that every member of a union has. */
function keysOf(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (!(schema instanceof z.ZodUnion)) throw new Error('Not a record');
  const [first = [], ...others] = schema.options.map(keysOf);
  return first.filter((key) => others.every((keys) => keys.includes(key)));
}

test('BATCH-2 later calls can use temporary ids of earlier ones, and revisions are passed on within a lane', async () => {
  const { server, ana } = await twoAuthors();
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
  const { server, ana } = await twoAuthors();
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
  const { server, ana } = await twoAuthors();
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

test('BATCH-3 a repeated batch has the same results, although later calls changed the revision that `previous` meant', async () => {
  const { server, ana } = await twoAuthors();
  await using _ = server;
  const save = (id: string, summary: string): BatchCall => ({
    id,
    lane: 'guide',
    method: 'PATCH',
    path: '/guides/tmp:first-call',
    query: { revisionid: 'previous' },
    body: { summary },
  });
  const calls: BatchCall[] = [
    { id: 'first-call', lane: 'guide', method: 'POST', path: '/guides', body: newGuide },
    save('second-call', 'One'),
    save('third-call', 'Two'),
  ];
  expect((await batch(server, ana, calls)).map(({ status }) => status)).toEqual([201, 200, 200]);
  const again = await batch(server, ana, calls);
  expect(again.map(({ status, replayed }) => [status, replayed])).toEqual([
    [201, true],
    [200, true],
    [200, true],
  ]);
  // A client that lost only the last result may name the revision itself.
  const named = await batch(server, ana, [{ ...save('third-call', 'Two'), query: { revisionid: '2' } }]);
  expect(named.map(({ status, replayed }) => [status, replayed])).toEqual([[200, true]]);
});

test('BATCH-3 a batch that arrives late, after a newer one, changes nothing', async () => {
  const { server, ana } = await twoAuthors();
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
  ['an initial load', 'bootstrap?collections=guides', undefined],
  ['a digest', 'digest?', undefined],
  ['records', 'records?', { records: [] }],
  ['a batch', 'batch?', { protocol: 6, calls: [] }],
  ['responses by key', 'answers?', { keys: [] }],
])('FEED-19 the head of %s repeats the request name, from protocol 6 on', async (_, path, body) => {
  const { server, ana } = await twoAuthors();
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
  const { server, ana } = await twoAuthors();
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
  const { server, ana } = await twoAuthors();
  await using _ = server;
  const answer = await fetch(`${server.url}/sync/1/${path}&${lateRequest}`, {
    headers: { Authorization: `api ${token ?? ana.token}` },
  });
  expect(String(answer.status)).toBe(status);
  expect(await answer.json()).toMatchObject({ error: true, request: '0f3-late' });
});

test('FEED-19 a refusal of the API repeats nothing of its query', async () => {
  const { server } = await twoAuthors();
  await using _ = server;
  const answer = await fetch(`${server.url}/api/2.0/guides/999?${lateRequest}`);
  expect(answer.status).toBe(404);
  expect(await answer.json()).not.toHaveProperty('request');
});

test('EVENT-2 the server closes within seconds although event streams are open', async () => {
  const { server, ana } = await twoAuthors();
  const { checkpoint } = await sync(server, ana, 'bootstrap');
  const response = await fetch(`${server.url}/sync/1/events?since=${checkpoint}`, {
    headers: { Authorization: `api ${ana.token}` },
  });
  const ended = response.text();
  await server[Symbol.asyncDispose]();
  expect(await ended).toContain('event: head');
});

test('BATCH-4 a comment finds a step that was restored under its former number', async () => {
  const { server, ana } = await twoAuthors();
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

test('BATCH-5 the keys of lost responses return what was done, and nothing else', async () => {
  const { server, ana, ben } = await twoAuthors();
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
  const { server, ana } = await twoAuthors();
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

async function answers(server: TestServer, person: TestPerson, keys: string[]): Promise<unknown[]> {
  const response = await fetch(`${server.url}/sync/1/answers`, {
    method: 'POST',
    headers: { Authorization: `api ${person.token}` },
    body: JSON.stringify({ keys }),
  });
  const lines = (await response.text()).trim().split('\n');
  return lines.map((line): unknown => JSON.parse(line));
}
