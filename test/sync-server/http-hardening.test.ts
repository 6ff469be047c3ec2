import { afterAll, beforeAll, expect, test } from 'vitest';

import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import type { BatchResult } from '#shared/sync/wire.ts';
import { prune } from '#server/features/prune.ts';
import { changeSite } from '#server/core/site.ts';
import { BrokenAnswers } from '#test/support/broken-answers.ts';
import { startServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';
import { written } from '#test/support/written.ts';

import { testFullDisk } from './http-hardening/full-disk.ts';
import { testReadiness } from './http-hardening/readiness.ts';
import { ana, clock, endWorld, raw, server, shape, startWorld } from './http-hardening/world.ts';

// All tests share one server, because starting it takes longer than most of them.
beforeAll(startWorld);
afterAll(endWorld);

test.each(['%zz', '%', '%c3%28', '%E0%A4%A'])(
  'INPUT-1 an address with %s in it matches nothing',
  async (part) => {
    const answer = await raw(`GET /api/2.0/guides/${part} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer.toLowerCase()).toContain('x-request-id: ');
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(shape);
  },
);

test.each([
  ['data other than HTTP', 'rubbish\r\n\r\n', 400],
  ['headers without end', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
])('%s is answered in the common error format', async (_, bytes, status) => {
  const answer = await raw(bytes);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(shape);
});

test('INPUT-28 oversized headers are refused and their cookies expired, also while they still arrive', async () => {
  const cookies = Array.from({ length: 40 }, (_, at) => `bomb${at}=${'x'.repeat(4000)}`).join('; ');
  const ask = (host: string, header = ''): Promise<string> =>
    raw(`GET /api/2.0/guides HTTP/1.1\r\nHost: ${host}\r\n${header}Cookie: ${cookies}\r\n\r\n`);
  const answer = await ask('bench.workshop.test:4020');
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  for (const place of ['/', '/api', '/api/2.0/', '/; Domain=bench.workshop.test', '/; Domain=workshop.test'])
    for (const name of ['bomb0', 'bomb39'])
      expect(answer).toContain(`\r\nSet-Cookie: ${name}=x; Max-Age=0; Path=${place}\r\n`);
  expect(answer).not.toContain('Domain=test\r\n');
  expect(await ask('127.0.0.1')).not.toContain('Domain=');
  // A proxy would refuse such a large response, and most have TLS, where browsers respect this header.
  const behind = await ask('bench.workshop.test', 'X-Forwarded-Proto: https\r\n');
  expect(behind).toContain('\r\nClear-Site-Data: "cookies"\r\n');
  expect(behind).not.toContain('Set-Cookie');
  const endless = await raw(`GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'x'.repeat(4 * 1024 * 1024)}\r\n\r\n`);
  expect(endless).toMatch(/^HTTP\/1\.1 431 /);
  // No response of this origin lacks a policy, least of all in the player.
  expect(endless).toContain("\r\nContent-Security-Policy: default-src 'none'; sandbox\r\n");
  expect((await ana.call('GET', '/user')).status).toBe(200);
});

test('INPUT-3 an invalid Host header does not appear in the URLs of a response', async () => {
  const guide = await makeGuide(ana);
  const answer = await raw(
    `GET /api/2.0/guides/${guide.guideid} HTTP/1.1\r\nHost: [::1\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain(`"url":"http://localhost/Guide/`);
});

test('INPUT-3 proxy headers from an untrusted caller do not appear in the URLs of a response', async () => {
  await using behind = await startServer({ trustProxy: ['127.0.0.1'] });
  const ana = await behind.person('Ana');
  await behind.category('Bench Grinder');
  const { guideid } = await makeGuide(ana);
  for (const [headers, begin] of [
    [{ 'X-Forwarded-Proto': 'javascript' }, behind.url],
    [
      { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'guides.example.org' },
      'https://guides.example.org',
    ],
    [{ 'X-Forwarded-Proto': 'javascript', 'X-Forwarded-Host': '%0aalert(1)//' }, 'http://localhost'],
  ] as const) {
    const { body } = await ana.call('GET', `/guides/${guideid}`, undefined, headers);
    expect((body as { url: string }).url.startsWith(`${begin}/Guide/`), JSON.stringify(headers)).toBe(true);
  }
});

testFullDisk();

test('INPUT-8 the response to a GET has an ETag and is not sent again to a caller that has it', async () => {
  const guide = await makeGuide(ana);
  const first = await ana.call('GET', `/guides/${guide.guideid}`);
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(new RegExp(`^W/"${guide.revisionid}-[\\w-]{22}"$`));
  expect(first.headers.get('cache-control')).toBe('private, no-cache');
  const again = await ana.call('GET', `/guides/${guide.guideid}`, undefined, {
    'If-None-Match': `"x", ${etag}`,
  });
  expect([again.status, again.body]).toEqual([304, undefined]);
  const edited = await ana.call(
    'PATCH',
    `/guides/${guide.guideid}`,
    { title: 'Other' },
    { 'If-Match': etag },
  );
  expect(edited).toMatchObject({ status: 200, body: { title: 'Other' } });
  const stale = await ana.call('PATCH', `/guides/${guide.guideid}`, { title: 'Third' }, { 'If-Match': etag });
  expect(stale).toMatchObject({ status: 409, body: { title: 'Other' } });
  const changed = await ana.call('GET', `/guides/${guide.guideid}`, undefined, { 'If-None-Match': etag });
  expect(changed.status).toBe(200);
});

test('INPUT-9 no cache may store the record that contains the token', async () => {
  expect((await ana.call('GET', '/user')).headers.get('cache-control')).toBe('no-store');
});

test('INPUT-10 HEAD, a trailing slash and `pretty` give the response of GET', async () => {
  const plain = await fetch(`${server.url}/api/2.0/guides`);
  const body = await plain.text();
  const head = await fetch(`${server.url}/api/2.0/guides`, { method: 'HEAD' });
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([
    200,
    plain.headers.get('etag'),
    '',
  ]);
  const slash = await fetch(`${server.url}/api/2.0/guides/`);
  expect(await slash.text()).toBe(body);
  for (const switched of ['?pretty', '?pretty=1']) {
    const pretty = await fetch(`${server.url}/api/2.0/guides${switched}`);
    expect(await pretty.text()).toBe(`${JSON.stringify(JSON.parse(body), null, 2)}\n`);
  }
});

test('INPUT-11 pages of listed origins may call the API, without browser credentials', async () => {
  await changeSite(server.services, { cors_origins: ['https://shop.example'] });
  const preflight = await fetch(`${server.url}/api/2.0/guides/1`, {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://shop.example',
      'Access-Control-Request-Method': 'PATCH',
      'Access-Control-Request-Headers': 'authorization,idempotency-key,if-match,x-app-id',
    },
  });
  const header = (name: string): string[] => (preflight.headers.get(name) ?? '').toLowerCase().split(', ');
  expect(preflight.status).toBe(204);
  expect(header('access-control-allow-origin')).toEqual(['https://shop.example']);
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  expect(header('access-control-allow-methods')).toEqual(expect.arrayContaining(['put', 'patch', 'delete']));
  expect(header('access-control-allow-headers')).toEqual(
    expect.arrayContaining(['authorization', 'idempotency-key', 'if-match', 'x-app-id']),
  );
  const refused = await fetch(`${server.url}/api/2.0/user`, { headers: { Origin: 'https://shop.example' } });
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
    401,
    'https://shop.example',
  ]);
  expect((refused.headers.get('access-control-expose-headers') ?? '').split(', ')).toEqual(
    expect.arrayContaining(['ETag', 'Retry-After', 'X-Request-Id', 'Idempotency-Replayed']),
  );
});

test('INPUT-12 every response has its own request id', async () => {
  const ids = await Promise.all(
    ['/healthz', '/api/2.0/guides', '/api/2.0/nothing', '/api/2.0/user', '/sync/1/pull'].map(
      async (path) => (await fetch(`${server.url}${path}`)).headers.get('x-request-id') ?? '',
    ),
  );
  expect(ids.every((id) => /^[\w-]{12}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});

async function batch(calls: object[]): Promise<BatchResult[]> {
  const response = await fetch(`${server.url}/sync/1/batch`, {
    method: 'POST',
    headers: { Authorization: `api ${ana.token}` },
    body: JSON.stringify({ protocol: unannouncedProtocol, calls }),
  });
  expect(response.status).toBe(200);
  return (await response.text())
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as BatchResult);
}

test('INPUT-13 the calls of a batch reach only the documented API, and a bad call does not affect others', async () => {
  const paths = [
    '/../../sync/1/batch',
    '/../../healthz',
    '/guides/%zz',
    '/guides#x',
    '/guides?revisionid=1',
    '/%2e%2e/%2e%2e/sync/1/batch',
    '/\\..\\..\\x',
    '/',
  ];
  const calls = paths.map((path, index) => ({
    id: `bad-call-${index}`,
    lane: `bad${index}`,
    method: 'POST',
    path,
    body: { protocol: unannouncedProtocol, calls: [] },
  }));
  const good = {
    id: 'good-call-1',
    lane: 'good',
    method: 'POST',
    path: '/guides',
    body: { category: 'Bench Grinder', type: 'repair' },
  };
  const results = await batch([...calls, good]);
  expect(results.map((result) => result.status)).toEqual([...paths.map(() => 404), 201]);
});

test('INPUT-14 a batch with more temporary ids than a statement takes parameters is answered', async () => {
  const prerequisites = Array.from(
    { length: 40_000 },
    (_, index) => `tmp:key-${String(index).padStart(8, '0')}`,
  );
  const [result] = await batch([
    {
      id: 'many-keys-1',
      lane: 'a',
      method: 'PATCH',
      path: '/guides/1',
      query: { revisionid: '1' },
      body: { prerequisites },
    },
  ]);
  expect(result?.status).toBe(422);
});

test('INPUT-15 an idempotency key is remembered for 400 days and can then be used again', async () => {
  const key = { 'Idempotency-Key': 'a-key-of-long-ago' };
  const body = { category: 'Bench Grinder', type: 'repair', title: 'Once' };
  const post = () => ana.call('POST', '/guides', body, key);
  const made = await post();
  const day = 24 * 3600 * 1000;
  const began = clock.now;
  try {
    // Repeated use keeps the token alive.
    for (clock.now = began; clock.now < began + 399 * day; clock.now += 20 * day)
      await ana.call('GET', '/user');
    await prune(server.services);
    const again = await post();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toMatchObject({ guideid: (made.body as { guideid: number }).guideid });
    clock.now = began + 401 * day;
    await prune(server.services);
    const anew = await post();
    expect(anew.headers.get('idempotency-replayed')).toBeNull();
    expect((anew.body as { guideid: number }).guideid).not.toBe((made.body as { guideid: number }).guideid);
  } finally {
    clock.now = began;
  }
});

test('INPUT-18 the server reports an answer that breaks its contract', async () => {
  const flaws: string[] = [];
  await using own = await startServer({ onBrokenAnswer: (flaw) => flaws.push(flaw) });
  const { userid, client } = await own.person('Ana');
  await client.users.own({});
  expect(flaws).toEqual([]);
  await written(own.services, (tx) =>
    tx
      .updateTable('users')
      .set({ join_date: 2 ** 60 })
      .where('userid', '=', userid)
      .execute(),
  );
  await own.app.inject({ url: `/api/2.0/users/${userid}` });
  expect(flaws).toHaveLength(1);
  expect(flaws[0]).toContain('GET /users/{userid} breaks its contract');
  expect(flaws[0]).toContain('join_date');
});

test('INPUT-18 an answer that breaks its contract fails the test that asked for it, or the file outside of tests', async () => {
  const answers = new BrokenAnswers();
  await using own = await startServer({ onBrokenAnswer: (flaw) => answers.note(flaw, 'a test') });
  const { userid } = await own.person('Ana');
  await written(own.services, (tx) =>
    tx
      .updateTable('users')
      .set({ join_date: 2 ** 60 })
      .where('userid', '=', userid)
      .execute(),
  );
  const ask = () => own.app.inject({ url: `/api/2.0/users/${userid}` });
  answers.beginTest();
  await ask();
  expect(() => answers.endTest()).toThrow('GET /users/{userid} breaks its contract');
  await ask();
  answers.beginTest();
  expect(() => answers.endTest()).not.toThrow();
  expect(() => answers.endFile()).toThrow('GET /users/{userid} breaks its contract');
});

testReadiness();

test('HTTP-20 a refusal has a code, alone and in a batch, and the typed client keeps it', async () => {
  await expect(ana.client.guides.read({ params: { guideid: 987_654 } })).rejects.toMatchObject({
    code: 'guide-not-found',
  });
  const guide = await makeGuide(ana);
  const lane = 'one';
  const results = await batch([
    {
      id: 'code-call-1',
      lane: 'a',
      method: 'DELETE',
      path: `/guides/${guide.guideid}/tag`,
      body: { tag: 'none' },
    },
    { id: 'code-call-2', lane: 'b', method: 'PUT', path: '/user/favorites/guides/tmp:nobody-made-this' },
    { id: 'code-call-3', lane: 'c', method: 'POST', path: '/nothing', body: {} },
    { id: 'code-call-4', lane, method: 'PATCH', path: `/guides/${guide.guideid}`, body: { title: 'A' } },
  ]);
  expect(results.map(({ status, body }) => [status, (body as { code?: string }).code])).toEqual([
    [404, 'tag-not-found'],
    [422, 'temporary-id-unknown'],
    [404, 'endpoint-not-found'],
    [422, 'invalid'],
  ]);
});
