import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { defaultLimits } from '#server/http/limits.ts';
import { SlowBodies } from '#server/http/slow-bodies.ts';
import { Room } from '#server/platform/room.ts';
import { bmpFile } from '#test/support/media-files.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { answerOn, begin } from '#test/support/unfinished.ts';

let server: TestServer;
let ana: TestPerson;

beforeAll(async () => {
  server = await startServer();
  ana = await server.person('Ana');
});

afterAll(async () => server[Symbol.asyncDispose]());

const endless = 'Content-Length: 80000000';

test.each([
  ['a picture', 'POST /api/2.0/user/media/images?file=a.png HTTP/1.1', 401],
  ['a part of an archive', 'PUT /api/2.0/omanual/imports/1/file HTTP/1.1', 401],
  ['a guide', 'POST /api/2.0/guides HTTP/1.1', 401],
  ['a batch', 'POST /sync/1/batch HTTP/1.1', 401],
  ['records', 'POST /sync/1/records HTTP/1.1', 401],
  ['a piece of an upload', 'PATCH /sync/1/uploads/abcdefgh HTTP/1.1', 401],
  ['for no endpoint', 'POST /api/2.0/nothing HTTP/1.1', 404],
  ['for an endpoint without this verb', 'POST /api/2.0/guides/1 HTTP/1.1', 405],
  ['for an address that cannot be read', 'POST /api/2.0/%zz HTTP/1.1', 404],
  ['an administrator’s call', 'POST /api/2.0/apps HTTP/1.1', 401],
])(
  'LOAD-1 an anonymous body of %s is not read: the refusal comes first and the connection ends',
  async (_, head, status) => {
    // Nothing of a body of 80 MB was sent: a server that waited for it would wait forever.
    const socket = await begin(server, [head, endless]);
    expect(await answerOn(socket)).toMatch(
      new RegExp(
        `^HTTP/1.1 ${status === 401 && head.includes('/apps') ? '(?:401|404)' : status} [^]*connection: close`,
        'i',
      ),
    );
  },
);

test.each([
  'POST /play/none/hacp/0',
  'PUT /lrs/statements?statementId=a',
  'POST /play/none/activities/0/data',
  'POST /no',
])('LOAD-1 the player of training modules identifies the sender first too: %s', async (head) => {
  const socket = connect(await server.playerListens('127.0.0.1', 0), '127.0.0.1');
  socket.write(`${head} HTTP/1.1\r\nHost: a\r\n${endless}\r\n\r\n`);
  expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 (?:401|404) [^]*connection: close/i);
});

test('LOAD-1 a chunked body without a length is refused too, and a client that keeps sending can read why', async () => {
  const socket = await begin(server, ['POST /api/2.0/guides HTTP/1.1', 'Transfer-Encoding: chunked']);
  const piece = Buffer.alloc(16_384, 'x');
  let sent = 0;
  const answer = answerOn(socket);
  const send = (): void => {
    while (socket.writable && sent < 50_000_000) {
      sent += piece.length;
      if (!socket.write(`${piece.length.toString(16)}\r\n${piece.toString('latin1')}\r\n`)) break;
    }
  };
  socket.on('drain', send);
  send();
  expect(await answer).toMatch(/^HTTP\/1\.1 401 /);
  socket.destroy();
});

test('LOAD-2 signing in, single sign-on and forms take up to 256 KB', async () => {
  const long = 'x'.repeat(257 * 1024);
  const post = async (path: string, body: string, type = 'application/json') => {
    const response = await fetch(`${server.url}/api/2.0${path}`, {
      method: 'POST',
      headers: { 'Content-Type': type, ...(path === '/guides' ? { Authorization: `api ${ana.token}` } : {}) },
      body,
    });
    return { status: response.status, ...((await response.json()) as { code?: string }) };
  };
  for (const path of ['/user/token', '/users', '/users/reset_password', '/sign_on/assertions'])
    expect(await post(path, JSON.stringify({ email: long, password: 'x' })), path).toMatchObject({
      status: 422,
      code: 'body-too-large',
    });
  expect(await post('/guides', `title=${long}`, 'application/x-www-form-urlencoded')).toMatchObject({
    status: 422,
    code: 'body-too-large',
  });
  // A JSON body of the same size is an ordinary body.
  expect((await post('/guides', JSON.stringify({ introduction_raw: long }))).code).not.toBe('body-too-large');
});

test('LOAD-3 a file is streamed to the disk, and nothing stays of a broken or refused one', async () => {
  const incoming = join(server.dataDir, 'media', 'incoming');
  const head = [
    'POST /api/2.0/user/media/images?file=a.png HTTP/1.1',
    `Authorization: api ${ana.token}`,
    'Content-Length: 1000000',
  ];
  const socket = await begin(server, head, 'x'.repeat(300_000));
  await expect.poll(() => readdirSync(incoming).length).toBe(1);
  socket.destroy();
  await expect.poll(() => readdirSync(incoming).length).toBe(0);
  const refused = await begin(server, [head[0] ?? '', head[1] ?? '', 'Content-Length: 90000000']);
  expect(await answerOn(refused)).toMatch(/^HTTP\/1\.1 422 [^]*"body-too-large"/);
  const image = await fetch(`${server.url}/api/2.0/user/media/images?file=a.png`, {
    method: 'POST',
    headers: { Authorization: `api ${ana.token}` },
    body: bmpFile(40, 30, () => [200, 0, 0]),
  });
  expect(image.status).toBe(200);
  await expect.poll(() => readdirSync(incoming)).toEqual([]);
});

test('LOAD-3 files read into memory share 128 MB, in order', async () => {
  const room = new Room(10);
  const first = await room.take('a', 6);
  const order: string[] = [];
  const second = room.take('a', 50).then((held) => (order.push('large'), held));
  const third = room.take('a', 1).then((held) => (order.push('small'), held));
  first[Symbol.dispose]();
  (await second)[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  expect(order).toEqual(['large', 'small']);
});

test('BUDGET-1 callers take turns for memory: a caller with many files waits for its own', async () => {
  const room = new Room(10);
  const first = await room.take('much', 10);
  const order: string[] = [];
  const ask = async (caller: string): Promise<void> => {
    using _held = await room.take(caller, 10);
    order.push(caller);
  };
  const all = ['much', 'much', 'much', 'one', 'two'].map(ask);
  first[Symbol.dispose]();
  await Promise.all(all);
  expect(order).toEqual(['much', 'one', 'two', 'much', 'much']);
});

test('LOAD-4 a body sent byte by byte ends with 408, also for an unreadable address', async () => {
  await using slow = await startServer({ limits: { bodyWindowMs: 200, bodyWindowBytes: 100 } });
  const { token } = await slow.person('Ben');
  const head = ['POST /api/2.0/guides HTTP/1.1', `Authorization: api ${token}`, 'Content-Length: 50000'];
  const dripping = await begin(slow, head, '{');
  const bad = await begin(slow, ['POST /api/2.0/%zz HTTP/1.1', 'Content-Length: 50000'], '{');
  expect(await answerOn(dripping)).toMatch(/^HTTP\/1\.1 408 [^]*"request-timeout"/);
  expect(await answerOn(bad)).toMatch(/^HTTP\/1\.1 404 /);
});

test('LOAD-4 a slow but steady body is accepted, and ends when it falls below the minimum rate', async () => {
  const bodies = new SlowBodies({ bodyWindowMs: 3_600_000, bodyWindowBytes: 100 });
  const come = new Map<string, IncomingMessage>();
  const small = createServer((raw, response) => {
    come.set(raw.url ?? '', raw.resume());
    raw.once('end', () => response.end('taken'));
  });
  bodies.watch(small);
  await once(small.listen(0, '127.0.0.1'), 'listening');
  const target = { app: { server: small } };
  for (const path of ['/steady', '/dripping']) {
    const socket = await begin(target, [
      `POST ${path} HTTP/1.1`,
      'Content-Length: 1000',
      'Connection: close',
    ]);
    const answer = answerOn(socket);
    await expect.poll(() => come.has(path)).toBe(true);
    const { socket: arrived } = must(come.get(path), 'a request');
    const send = async (bytes: number): Promise<void> => {
      const all = arrived.bytesRead + bytes;
      socket.write('x'.repeat(bytes));
      await expect.poll(() => arrived.bytesRead).toBe(all);
      bodies.look();
    };
    // The first measurement sets the starting point.
    if (path === '/steady') for (let count = 0; count < 8; count += 1) await send(125);
    else for (const bytes of [1, 99]) await send(bytes);
    expect(await answer).toMatch(path === '/steady' ? /^HTTP\/1\.1 200 [^]*taken$/ : /^HTTP\/1\.1 408 /);
  }
  small.close();
});

test('LOAD-4 2 KB/s is enough', () => {
  const { bodyWindowMs, bodyWindowBytes } = defaultLimits;
  expect(bodyWindowBytes / (bodyWindowMs / 1000)).toBeLessThan(1024);
});

test('LOAD-9 a device of another server is refused however the address is escaped', async () => {
  for (const path of ['/sync/1/pull', '/%73ync/1/pull']) {
    const response = await server.app.inject(`${path}?server=${'a'.repeat(26)}`);
    expect([path, response.statusCode]).toEqual([path, 410]);
  }
});
