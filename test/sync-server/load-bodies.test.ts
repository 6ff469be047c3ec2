import type { Socket } from 'node:net';

import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { changeSite } from '#server/core/site.ts';
import { password } from '#test/support/approvals.ts';
import { bmpFile } from '#test/support/media-files.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { answerOn, begin, firstAnswer } from '#test/support/unfinished.ts';

const signIn = ['POST /api/2.0/user/token HTTP/1.1', 'Content-Length: 262144'];
const guideOf = (token: string): string[] => [
  'POST /api/2.0/guides HTTP/1.1',
  `Authorization: api ${token}`,
  'Content-Length: 2097152',
];

async function signsIn(target: TestServer, email: string): Promise<number> {
  const body = JSON.stringify({ email, password });
  return (await fetch(`${target.url}/api/2.0/user/token`, { method: 'POST', body })).status;
}

/** Connections that send the start of their bodies and then wait. */
async function dripping(
  target: TestServer,
  count: number,
  head: readonly string[],
  body: string,
  from?: string,
): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, () => begin(target, head, body, from === undefined ? {} : { from })),
  );
}

/** Waits until the server has read everything sent so far: requests are read in order. */
async function settled(target: TestServer): Promise<void> {
  for (let round = 0; round < 3; round += 1) await fetch(`${target.url}/healthz`);
}

test('LOAD-8 two addresses that announce large sign-ins lock nobody out', async () => {
  await using server = await startServer();
  await server.person('Owner');
  const held = [
    ...(await dripping(server, 128, signIn, '{"e', '127.0.0.2')),
    ...(await dripping(server, 128, signIn, '{"e', '127.0.0.3')),
  ];
  await settled(server);
  expect(await signsIn(server, 'owner@example.com')).toBe(201);
  for (const socket of held) socket.destroy();
});

test('LOAD-8 six people who announce large guides keep nobody from writing', async () => {
  await using server = await startServer();
  const honest = await server.person('Honest');
  const held: Socket[] = [];
  for (let n = 0; n < 6; n += 1) {
    const { token } = await server.person(`Mallory${n}`);
    held.push(...(await dripping(server, 16, guideOf(token), '{"t')));
  }
  await settled(server);
  const saved = await honest.call('PATCH', `/users/${honest.userid}`, { summary: 'At work' });
  expect(saved.status).toBe(200);
  for (const socket of held) socket.destroy();
});

test('LOAD-8 when received bodies fill the memory, the caller with most of it is cut off', async () => {
  await using server = await startServer({
    limits: { bodyBytesOfCaller: 300_000, bodyBytesOfStrangers: 400_000, bodyBytesOfKnown: 400_000 },
  });
  await server.person('Owner');
  const large = await begin(server, signIn, 'x'.repeat(250_000), { from: '127.0.0.2' });
  await settled(server);
  const answer = answerOn(large);
  const [smaller] = await dripping(server, 1, signIn, 'x'.repeat(200_000), '127.0.0.3');
  expect(await answer).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: [^]*"server-busy"/i);
  expect(await signsIn(server, 'owner@example.com')).toBe(201);
  expect(smaller?.closed).toBe(false);
  smaller?.destroy();
});

test('LOAD-8 the bytes of bodies in memory are limited per person and per address, across devices', async () => {
  await using server = await startServer({ limits: { bodyBytesOfCaller: 300_000 } });
  const ana = await server.person('Ana');
  const other = must(/^api (.+)$/.exec(await tokenOf(server, 'ana@example.com'))?.[1], 'a token');
  for (const [first, second] of [
    [guideOf(ana.token), guideOf(other)],
    [signIn, signIn],
  ] as const) {
    const held = await begin(server, first, 'x'.repeat(200_000));
    await settled(server);
    const refused = await begin(server, second, 'x'.repeat(200_000));
    expect(await answerOn(refused)).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: /i);
    held.destroy();
    // The memory that it used is free again.
    await expect.poll(async () => statusOf(server, second, 150_000)).not.toBe(429);
  }
});

async function tokenOf(target: TestServer, email: string): Promise<string> {
  const body = JSON.stringify({ email, password });
  const response = await fetch(`${target.url}/api/2.0/user/token`, { method: 'POST', body });
  return `api ${((await response.json()) as { authToken: string }).authToken}`;
}

/** The status of a complete request with a body of this size. */
async function statusOf(target: TestServer, head: readonly string[], bytes: number): Promise<number> {
  const [first = '', ...headers] = head.filter((line) => !line.startsWith('Content-Length'));
  const lines = [first, ...headers, `Content-Length: ${bytes}`, 'Connection: close'];
  const answer = await answerOn(await begin(target, lines, 'x'.repeat(bytes)));
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

test('LOAD-8 concurrent requests are limited per device and per address', async () => {
  await using server = await startServer({ limits: { requestsOfCaller: 1 } });
  const ana = await server.person('Ana');
  for (const head of [guideOf(ana.token), signIn]) {
    const [first] = await dripping(server, 1, head, '{');
    await settled(server);
    const second = await begin(server, head, '{');
    expect(await answerOn(second)).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: /i);
    first?.destroy();
    await expect.poll(() => statusOf(server, head, 2)).not.toBe(429);
  }
});

test('LOAD-8 pipelined requests are released when their connection breaks', async () => {
  await using server = await startServer({ limits: { requestsOfCaller: 3 } });
  const read = ['GET /api/2.0/sites/info HTTP/1.1', 'Host: a', '', ''].join('\r\n');
  for (let round = 0; round < 10; round += 1) {
    const socket = await begin(server, signIn.toSpliced(1, 1, 'Content-Length: 2'), '{}');
    socket.write(`${read}${read}`);
    await firstAnswer(socket);
    socket.destroy();
  }
  await expect.poll(async () => (await fetch(`${server.url}/api/2.0/sites/info`)).status).toBe(200);
  const all = await Promise.all(
    Array.from({ length: 3 }, async () => (await fetch(`${server.url}/api/2.0/sites/info`)).status),
  );
  expect(all).toEqual([200, 200, 200]);
});

test('LOAD-4 a body that needs no sign-in must arrive within 30 seconds, or the connection ends', async () => {
  await using server = await startServer({ limits: { entranceMs: 200 } });
  const [socket] = await dripping(server, 1, signIn, '{"email"');
  expect(await answerOn(must(socket, 'a connection'))).toMatch(
    /^HTTP\/1\.1 408 [^]*connection: close[^]*"request-timeout"/i,
  );
});

test('LOAD-12 files beyond the daily limit are refused, sent whole or in pieces', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  const send = (
    path: string,
    method: string,
    body: BodyInit | null = null,
    headers: Record<string, string> = {},
  ) =>
    fetch(`${server.url}${path}`, {
      method,
      body,
      headers: { Authorization: `api ${ana.token}`, 'Tus-Resumable': '1.0.0', ...headers },
    });
  const picture = bmpFile(40, 30, () => [200, 0, 0]);
  const image = () => send('/api/2.0/user/media/images?file=a.bmp', 'POST', picture);
  const piece = async () => {
    const begun = await send('/sync/1/uploads', 'POST', null, { 'Upload-Length': '10' });
    return send(begun.headers.get('location') ?? '', 'PATCH', 'x'.repeat(10), {
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
    });
  };
  expect([(await image()).status, (await piece()).status]).toEqual([200, 204]);
  // Like a person who sent a gigabyte today, with a limit of one gigabyte.
  await changeSite(server.services, { upload_gigabytes_per_day: 1 });
  server.services.uploads.count(ana.userid, 1024 ** 3 - picture.length - 10 - 1);
  for (const response of [await image(), await piece()])
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      429,
      'upload-quota',
    ]);
});

test('LOAD-1 a client that sends Expect gets the refusal, or 100 only when the body will be read', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  const expecting = [...guideOf('none'), 'Expect: 100-continue'];
  for (const port of [undefined, await server.playerListens('127.0.0.1', 0)]) {
    const way = port === undefined ? {} : { port };
    const head = port === undefined ? expecting : ['POST /no HTTP/1.1', ...expecting.slice(1)];
    expect(await answerOn(await begin(server, head, '', way))).toMatch(/^HTTP\/1\.1 40[14] /);
  }
  const body = JSON.stringify({ summary: 'At work' });
  const told = await begin(server, [
    `PATCH /api/2.0/users/${ana.userid} HTTP/1.1`,
    `Authorization: api ${ana.token}`,
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
    'Connection: close',
  ]);
  expect(await firstAnswer(told)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  told.write(body);
  expect(await answerOn(told)).toMatch(/^HTTP\/1\.1 200 /);
});

test('LOAD-1 any other Expect header is refused in the same way', async () => {
  await using server = await startServer();
  const head = [...guideOf('none'), 'Expect: a miracle'];
  expect(await answerOn(await begin(server, head))).toMatch(/^HTTP\/1\.1 401 [^]*connection: close/i);
});
