import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { readConfig } from '#server/platform/config.ts';
import { Allowance } from '#server/media/uploads/allowance.ts';
import { defaultLimits } from '#server/http/limits.ts';
import { batchLimits } from '#shared/sync/wire.ts';
import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import { SlowBodies } from '#server/http/slow-bodies.ts';
import { contextForJob } from '#server/core/job.ts';
import { addComment } from '#server/features/comments/store.ts';
import { UnreadAnswers } from '#server/http/unread-answers.ts';
import { newestPlace, placeText } from '#server/sync/feed-reader.ts';
import { Streams } from '#server/sync/streams.ts';
import { Room } from '#server/platform/room.ts';
import { password } from '#test/support/approvals.ts';
import { bmpFile } from '#test/support/media-files.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { answerOn, begin, firstAnswer, portOf } from '#test/support/unfinished.ts';

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
    // Of a body of 80 MB nothing was sent: who waits for it would wait for ever.
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
  // The same size as JSON is a body like any other.
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
    // The first look learns what is there.
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

test('LOAD-5 missing headers and idle connections time out', async () => {
  await using slow = await startServer({ limits: { headersMs: 300 } });
  const unfinished = connect(portOf(slow), '127.0.0.1');
  unfinished.write('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ');
  expect(await answerOn(unfinished)).toMatch(/^HTTP\/1\.1 408 /);
  await using idle = await startServer({ limits: { idleMs: 600 } });
  const silent = connect(portOf(idle), '127.0.0.1');
  await answerOn(silent);
  expect(slow.app.server.requestTimeout).toBe(0);
});

/** A connection on which somebody is being answered, until the rest of the body comes. */
async function busy(target: TestServer): Promise<Socket> {
  const socket = await begin(target, ['POST /api/2.0/user/token HTTP/1.1', 'Content-Length: 50'], '{');
  return socket;
}

test('LOAD-6 anonymous connections per address are limited; signed-in devices do not count', async () => {
  await using small = await startServer({ limits: { strangersOfAddress: 4 } });
  const { token } = await small.person('Cleo');
  const ask = ['GET /api/2.0/user HTTP/1.1', `Authorization: api ${token}`];
  const known: Socket[] = [];
  for (let count = 0; count < 6; count += 1) {
    const socket = await begin(small, ask);
    await once(socket, 'data');
    known.push(socket);
  }
  const strangers: Socket[] = [];
  for (let count = 0; count < 4; count += 1) {
    const socket = await begin(small, ['GET /healthz HTTP/1.1']);
    await once(socket, 'data');
    strangers.push(socket);
  }
  const closed = strangers.map((socket) => once(socket, 'close'));
  for (const gone of closed) {
    strangers.push(await busy(small));
    await gone;
  }
  const refused = await answerOn(await begin(small, ['GET /healthz HTTP/1.1']));
  expect(refused).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 30\r\n/);
  must(strangers.at(-1), 'a stranger').destroy();
  await expect
    .poll(async () => (await fetch(`${small.url}/healthz`).catch(() => ({ status: 503 }))).status)
    .toBe(200);
  expect(known.every((socket) => !socket.closed)).toBe(true);
  for (const socket of [...known, ...strangers]) socket.destroy();
});

test('LOAD-6 when all connections are taken, anonymous ones of the address with most are closed', async () => {
  await using small = await startServer({ limits: { connections: 3 }, trustProxy: [] });
  const flood: Socket[] = [];
  for (let count = 0; count < 3; count += 1) {
    const socket = await begin(small, ['GET /healthz HTTP/1.1']);
    await once(socket, 'data');
    flood.push(socket);
  }
  const oldest = once(must(flood[0], 'a connection'), 'close');
  const other = connect({ port: portOf(small), host: '127.0.0.1', localAddress: '127.0.0.2' });
  other.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
  await oldest;
  const next = once(must(flood[1], 'a connection'), 'close');
  const another = await begin(small, ['GET /healthz HTTP/1.1']);
  expect(await firstAnswer(another)).toMatch(/^HTTP\/1\.1 200 /);
  await next;
  expect(other.closed).toBe(false);
  for (const socket of [...flood, other, another]) socket.destroy();
});

test('LOAD-6 signed-in people also lose connections when they hold all, and each has a limit', async () => {
  await using small = await startServer({ limits: { connections: 8, connectionsOfPerson: 6 } });
  const mallory = await small.person('Mallory');
  const ben = await small.person('Ben');
  const ask = async (token: string, from: string): Promise<Socket> => {
    const socket = await begin(small, ['GET /api/2.0/user HTTP/1.1', `Authorization: api ${token}`], '', {
      from,
    });
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 200 /);
    return socket;
  };
  const taken: Socket[] = [];
  for (let count = 0; count < 6; count += 1) taken.push(await ask(mallory.token, '127.0.0.2'));
  const [first, second] = taken.map((socket) => once(socket, 'close'));
  taken.push(await ask(mallory.token, '127.0.0.2'));
  await first;
  taken.push(await begin(small, ['GET /healthz HTTP/1.1']), await begin(small, ['GET /healthz HTTP/1.1']));
  const working = await ask(ben.token, '127.0.0.3');
  await second;
  for (const socket of [...taken, working]) socket.destroy();
});

test('LOAD-6 connections whose session ended count for their address again', async () => {
  await using small = await startServer({ limits: { strangersOfAddress: 2 } });
  const { token } = await small.person('Mallory');
  const ask = ['GET /api/2.0/user HTTP/1.1', `Authorization: api ${token}`, ''].join('\r\n');
  const held: Socket[] = [];
  for (let count = 0; count < 2; count += 1) {
    const socket = await begin(small, ask.split('\r\n').slice(0, 2));
    await firstAnswer(socket);
    held.push(socket);
  }
  const out = await begin(small, ['DELETE /api/2.0/user/token HTTP/1.1', `Authorization: api ${token}`]);
  await firstAnswer(out);
  for (const socket of held) {
    socket.write(`${ask}Host: a\r\n\r\n`);
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 401 /);
  }
  const oldest = once(must(held[0], 'a connection'), 'close');
  const stranger = await begin(small, ['GET /healthz HTTP/1.1']);
  expect(await firstAnswer(stranger)).toMatch(/^HTTP\/1\.1 200 /);
  await oldest;
  for (const socket of [...held, out, stranger]) socket.destroy();
});

/** An event stream whose first line has come. */
async function openStream(target: TestServer, token: string, place: string): Promise<Socket> {
  const socket = await begin(target, [
    `GET /sync/1/events?protocol=${unannouncedProtocol}&since=${encodeURIComponent(place)} HTTP/1.1`,
    `Authorization: api ${token}`,
  ]);
  await once(socket, 'data');
  return socket;
}

test('LOAD-7 open event streams are limited per device, per person and in total; a new one ends the oldest', async () => {
  await using small = await startServer({ limits: { streamsOfDevice: 2, streams: 3 } });
  const { token } = await small.person('Gil');
  const other = await small.person('Hana');
  const place = await placeText(small.services, await newestPlace(small.services.storage.reader));
  const first = await openStream(small, token, place);
  const ended = once(first, 'close');
  const second = await openStream(small, token, place);
  const third = await openStream(small, token, place);
  await ended;
  expect([second.closed, third.closed]).toEqual([false, false]);
  const fourth = await openStream(small, other.token, place);
  const refused = await fetch(`${small.url}/sync/1/events?since=${encodeURIComponent(place)}`, {
    headers: { Authorization: `api ${other.token}` },
  });
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
  for (const socket of [second, third, fourth]) socket.destroy();
});

test('LOAD-7 a device that opens streams without end is refused, and admitted a minute later', async () => {
  const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
  await using small = await startServer({ limits: { streamsPerMinute: 2 }, now: () => clock.now });
  const { token } = await small.person('Gil');
  const place = await placeText(small.services, await newestPlace(small.services.storage.reader));
  const sockets = [await openStream(small, token, place), await openStream(small, token, place)];
  const again = (): Promise<Response> =>
    fetch(`${small.url}/sync/1/events?since=${encodeURIComponent(place)}`, {
      headers: { Authorization: `api ${token}` },
    });
  const refused = await again();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  clock.now += 60_000;
  const taken = await again();
  expect(taken.status).toBe(200);
  await taken.body?.cancel();
  for (const socket of sockets) socket.destroy();
});

test('LOAD-7 dead streams of fifty devices of one person lock out none of them', () => {
  const streams = new Streams({ streamsOfDevice: 10, streamsOfPerson: 100, streams: 5000 });
  const ended: number[] = [];
  for (let n = 0; n < 400; n += 1)
    streams.enter({ userid: 1, tokenHash: `device ${n % 50}` }, () => ended.push(n));
  expect(ended).toEqual(Array.from({ length: 300 }, (_, n) => n));
});

test('LOAD-15 unread responses are bounded, per caller and in total', () => {
  const answers = new UnreadAnswers({ answerBytesOfCaller: 100, answerBytes: 150 });
  const caller = (name: string) => ({ name, holder: name, isKnown: false });
  const read = answers.hold(caller('a'), 90);
  answers.hold(caller('a'), 20);
  // What goes over is the last, and nothing more is asked for.
  expect(() => answers.hold(caller('a'), 1)).toThrow(expect.objectContaining({ status: 429 }));
  expect(() => answers.mustHaveRead(caller('a'))).toThrow(expect.objectContaining({ status: 429 }));
  answers.hold(caller('b'), 40);
  expect(() => answers.hold(caller('c'), 1)).toThrow(expect.objectContaining({ status: 503 }));
  read();
  answers.hold(caller('c'), 1);
  answers.mustHaveRead(caller('a'));
});

test('LOAD-15 a caller that requests large responses without reading gets no more, and others do', async () => {
  await using small = await startServer({ limits: { answerBytesOfCaller: 5_000_000 } });
  const author = await small.person('Author');
  await small.category('Grinder', undefined, 'Text');
  const made = await author.call('POST', '/guides', { category: 'Grinder', type: 'technique', public: true });
  const { guideid } = made.body as { guideid: number };
  await contextForJob(small.services, author.userid, async (ctx) => {
    for (let at = 0; at < 200; at += 1)
      await addComment(ctx, { context: 'guide', contextid: guideid, text: '&'.repeat(4000) });
  });
  const sockets: Socket[] = [];
  // Each in a language of its own, so that none is kept. More than the buffers of its connection take.
  for (let at = 0; at < 20; at += 1)
    sockets.push(await begin(small, [`GET /api/2.0/comments?limit=200&langid=x${at} HTTP/1.1`]));
  const status = async (): Promise<number> => (await fetch(`${small.url}/api/2.0/sites/info`)).status;
  await expect.poll(status, { timeout: 60_000 }).toBe(429);
  expect((await author.call('GET', '/comments?limit=200')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(status, { timeout: 60_000 }).toBe(200);
});

test.each(['/api/2.0/sites/info', '/%61pi/2.0/sites/info', '/%61%70i/2%2E0/sites/info'])(
  'LOAD-9 requests without a token are limited by address, also for %s',
  async (path) => {
    await using small = await startServer({ limits: { anonymousPerMinute: 2 } });
    const statuses = [];
    for (let count = 0; count < 4; count += 1) {
      const response = await small.app.inject({ url: path, remoteAddress: `2001:db8:1:2::${count + 1}` });
      statuses.push(response.statusCode);
      if (response.statusCode === 429) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
    const other = await small.app.inject({ url: path, remoteAddress: '2001:db8:1:3::1' });
    expect(other.statusCode).toBe(200);
  },
);

test('LOAD-9 a device of another server is refused however the address is escaped', async () => {
  for (const path of ['/sync/1/pull', '/%73ync/1/pull']) {
    const response = await server.app.inject(`${path}?server=${'a'.repeat(26)}`);
    expect([path, response.statusCode]).toEqual([path, 410]);
  }
});

test('LOAD-10 devices are limited individually: a thousand behind one address and a queue of 50,000 calls get no 429', async () => {
  const { devicePerMinute, streams, connections, streamsOfDevice } = defaultLimits;
  const batches = Math.ceil(50_000 / batchLimits.calls);
  expect(devicePerMinute).toBeGreaterThan(50_000 + 2 * batches);
  expect([streams, connections].every((most) => most >= 2000) && streamsOfDevice > 1).toBe(true);
  // The same at a tenth of the size: devices behind one address send a queue that their limit just holds.
  await using small = await startServer({
    limits: { devicePerMinute: 105, anonymousPerMinute: 1, strangersOfAddress: 20 },
    checked: false,
  });
  const devices = await Promise.all(Array.from({ length: 10 }, (_, n) => small.person(`Device${n}`)));
  await Promise.all(
    devices.map(async ({ token, userid }, device) => {
      const calls = Array.from({ length: 100 }, (_, n) => ({
        id: `queue-${device}-${n}-call`,
        lane: `lane ${n}`,
        method: 'PATCH',
        path: `/users/${userid}`,
        body: { summary: `Number ${n}` },
      }));
      const response = await fetch(`${small.url}/sync/1/batch`, {
        method: 'POST',
        headers: { Authorization: `api ${token}` },
        body: JSON.stringify({ protocol: unannouncedProtocol, calls }),
      });
      const lines = (await response.text()).trim().split('\n').slice(1);
      const statuses = lines.map((line) => (JSON.parse(line) as { status: number }).status);
      expect(statuses).toEqual(Array.from({ length: 100 }, () => 200));
    }),
  );
});

test("LOAD-11 only a trusted proxy can name the caller's address", async () => {
  await using small = await startServer({
    limits: { anonymousPerMinute: 1 },
    trustProxy: ['192.0.2.0/24'],
  });
  const ask = async (remoteAddress: string, forwarded: string) => {
    const { statusCode } = await small.app.inject({
      url: '/api/2.0/sites/info',
      remoteAddress,
      headers: { 'x-forwarded-for': forwarded },
    });
    return statusCode;
  };
  expect(await ask('192.0.2.9', '203.0.113.1')).toBe(200);
  expect(await ask('192.0.2.9', '203.0.113.2')).toBe(200);
  expect(await ask('192.0.2.9', '203.0.113.1')).toBe(429);
  // What the caller wrote before the proxy did counts for nothing.
  expect(await ask('192.0.2.9', '1.2.3.4, 203.0.113.1')).toBe(429);
  expect(await ask('198.51.100.1', '203.0.113.3')).toBe(200);
  expect(await ask('198.51.100.1', '203.0.113.4')).toBe(429);
});

test('LOAD-11 only a trusted proxy can name the requested host and scheme', async () => {
  await using small = await startServer({ trustProxy: ['192.0.2.0/24'] });
  const { token } = await small.person('Ina');
  const headers = {
    authorization: `api ${token}`,
    host: 'guides.example.org',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  };
  const urls: string[] = [];
  for (const remoteAddress of ['192.0.2.9', '198.51.100.1']) {
    const { body } = await small.app.inject({ url: '/api/2.0/users', remoteAddress, headers });
    urls.push(...(JSON.parse(body) as { url: string }[]).map(({ url }) => url));
  }
  expect(urls[0]).toMatch(/^https:/);
  expect(urls[1]).toMatch(/^http:\/\/guides\.example\.org\//);
});

test('LOAD-11 proxies are configured as addresses or networks, and an untrusted one is logged once', async () => {
  const args = ['--trust-proxy', '10.0.0.0/8', '--trust-proxy', '::1'];
  expect(readConfig(args, {})?.trustProxy).toEqual(['10.0.0.0/8', '::1']);
  expect(readConfig([], { BENCHBOOK_TRUST_PROXY: '10.0.0.5, 10.0.0.6' })?.trustProxy).toHaveLength(2);
  expect(() => readConfig(['--trust-proxy', 'everybody'], {})).toThrow('address or a network');
  const lines: string[] = [];
  await using small = await startServer({ log: memoryLog(lines) });
  for (let count = 0; count < 2; count += 1)
    await small.app.inject({ url: '/healthz', headers: { 'x-forwarded-for': '203.0.113.1' } });
  expect(lines.filter((line) => line.includes('--trust-proxy'))).toHaveLength(1);
});

test('LOAD-12 the bytes of files that a person sends per day are limited', () => {
  let now = 0;
  const allowance = new Allowance(
    () => now,
    () => 100,
  );
  allowance.count(1, 60);
  expect(() => allowance.mustHave(1, 50)).toThrow(
    expect.objectContaining({ status: 429, code: 'upload-quota' }),
  );
  allowance.count(2, 100);
  now = 24 * 3_600_000;
  allowance.count(1, 100);
});

async function signIn(
  target: TestServer,
  { from, email, word = 'wrong', key }: { from: string; email: string; word?: string; key?: string },
) {
  const { statusCode, headers, body } = await target.app.inject({
    method: 'POST',
    url: '/api/2.0/user/token',
    remoteAddress: from,
    payload: { email, password: word, ...(key === undefined ? {} : { device_key: key }) },
  });
  return {
    status: statusCode,
    retryAfter: headers['retry-after'],
    key: (JSON.parse(body) as { deviceKey?: string }).deviceKey,
  };
}

test('LOAD-13 many addresses share thirty guesses at an account; its owner signs in on a known device', async () => {
  let now = Date.now();
  await using small = await startServer({ now: () => now });
  await small.person('Dora');
  const email = 'dora@example.com';
  const word = password;
  const { key } = await signIn(small, { from: '198.51.100.7', email, word });
  const statuses: number[] = [];
  for (let count = 0; count < 48; count += 1)
    statuses.push((await signIn(small, { from: `203.0.113.${count % 6}`, email })).status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(30);
  const stranger = await signIn(small, { from: '203.0.113.99', email, word });
  expect(stranger.status).toBe(429);
  expect(Number(stranger.retryAfter)).toBeGreaterThan(0);
  expect((await signIn(small, { from: '198.51.100.7', email, word })).status).toBe(201);
  expect((await signIn(small, { from: '203.0.113.98', email, word, key: must(key, 'a key') })).status).toBe(
    201,
  );
  expect((await signIn(small, { from: '203.0.113.97', email, word, key: 'a guess' })).status).toBe(429);
  // An account that does not exist is throttled alike.
  for (let count = 0; count < 30; count += 1)
    await signIn(small, { from: `203.0.114.${count % 6}`, email: 'nobody@example.com' });
  expect((await signIn(small, { from: '203.0.114.99', email: 'nobody@example.com' })).status).toBe(429);
  now += 301_000;
  expect((await signIn(small, { from: '203.0.113.99', email, word })).status).toBe(201);
});

test('LOAD-14 an address or IPv6 /64 that tries many accounts must wait, others do not', async () => {
  const now = Date.now();
  await using small = await startServer({ now: () => now });
  await small.person('Emil');
  const statuses: number[] = [];
  for (let count = 0; count < 120; count += 1)
    statuses.push(
      (await signIn(small, { from: `2001:db8:1:2::${count + 1}`, email: `p${count}@example.com` })).status,
    );
  expect(statuses.filter((status) => status === 401)).toHaveLength(100);
  expect(statuses.slice(100).every((status) => status === 429)).toBe(true);
  const word = password;
  expect((await signIn(small, { from: '2001:db8:1:2::ffff', email: 'emil@example.com', word })).status).toBe(
    429,
  );
  expect((await signIn(small, { from: '2001:db8:1:3::1', email: 'emil@example.com', word })).status).toBe(
    201,
  );
});

test('LOAD-14 simultaneous attempts are counted together', async () => {
  const now = Date.now();
  await using small = await startServer({ now: () => now });
  await small.person('Finn');
  const tries = await Promise.all(
    Array.from({ length: 45 }, (_, n) =>
      signIn(small, { from: `203.0.113.${n}`, email: 'finn@example.com' }),
    ),
  );
  expect(tries.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(30);
  expect(tries.every(({ status }) => status === 401 || status === 429)).toBe(true);
});
