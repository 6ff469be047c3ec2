import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import { contextForJob } from '#server/core/job.ts';
import { addComment } from '#server/features/comments/store.ts';
import { defaultLimits } from '#server/http/limits.ts';
import { UnreadAnswers } from '#server/http/unread-answers.ts';
import { newestCheckpoint, checkpointTextOf } from '#server/sync/feed-reader.ts';
import { Streams } from '#server/sync/streams.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { answerOn, begin, firstAnswer, portOf } from '#test/support/unfinished.ts';

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

/** A connection with a request in progress, until the rest of the body arrives. */
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

/** An event stream whose first line has arrived. */
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
  const place = await checkpointTextOf(small.services, await newestCheckpoint(small.services.storage.reader));
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
  const place = await checkpointTextOf(small.services, await newestCheckpoint(small.services.storage.reader));
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
  const streams = new Streams(defaultLimits);
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
  // The excess response is the last, and no more are accepted.
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
  // Each in another language, so that none is cached, and more than the connection buffers.
  for (let at = 0; at < 20; at += 1)
    sockets.push(await begin(small, [`GET /api/2.0/comments?limit=200&langid=x${at} HTTP/1.1`]));
  const status = async (): Promise<number> => (await fetch(`${small.url}/api/2.0/sites/info`)).status;
  await expect.poll(status, { timeout: 60_000 }).toBe(429);
  expect((await author.call('GET', '/comments?limit=200')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(status, { timeout: 60_000 }).toBe(200);
});
