import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { Bus } from '#server/core/bus.ts';
import { contextForJob } from '#server/core/job.ts';
import { FanOut, type LiveStream } from '#server/sync/fan-out.ts';
import { newestCheckpoint, type Checkpoint } from '#server/sync/feed-reader.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let fanOut: FanOut;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server[Symbol.asyncDispose]());
/** Nothing wakes it except the tests: no commit is reported to this bus. */
beforeEach(() => {
  fanOut = new FanOut({ ...server.services, bus: new Bus() });
});

interface Heard extends LiveStream {
  events: string[];
  behind: number;
}

async function streamNow(more: Partial<LiveStream> = {}): Promise<Heard> {
  const heard: Heard = {
    userid: 1,
    principals: ['public', 'members', 'user:1'],
    protocol: 6,
    position: await newestCheckpoint(server.services.storage.reader),
    events: [],
    behind: 0,
    isReady: () => true,
    deliver(event: Buffer, position: Checkpoint) {
      heard.position = position;
      heard.events.push(event.toString());
    },
    fallBehind: () => void (heard.behind += 1),
    ...more,
  };
  return heard;
}

function put(id: string): Promise<void> {
  return contextForJob(server.services, null, async ({ changes }) =>
    changes.put('stepForms', id, { stepid: 1, guideid: 1, form_revisionid: 1, fields: [] }, ['public']),
  );
}

/** Wakes the fan-out, and waits until it has served everything that is in the feed. Some stream must follow. */
async function served(): Promise<void> {
  const beginning = await streamNow({ position: { seq: 0, nonce: '0' } });
  const { seq } = await newestCheckpoint(server.services.storage.reader);
  fanOut.wake();
  await expect.poll(() => fanOut.positionOf(beginning).seq).toBe(seq);
}

async function version(): Promise<number> {
  const { storage } = server.services;
  await storage.refresh?.();
  return storage.version();
}

/** On PostgreSQL, writes of others on the same machine look like a write, after which a stream must ask again. */
async function follow(stream: LiveStream): Promise<void> {
  let follows = false;
  while (!follows) follows = await fanOut.join(stream, await version());
}

test('EVENT-3 a stream does not follow from before a write that it has not read', async () => {
  const before = await version();
  const stream = await streamNow();
  await put('meanwhile');
  expect(await fanOut.join(stream, before)).toBe(false);
  const other = await streamNow();
  await follow(other);
  await put('afterwards');
  await served();
  expect([stream.events.length, other.events.length]).toEqual([0, 1]);
});

test('EVENT-3 a stream that joins ahead of the others gets no row twice', async () => {
  const first = await streamNow();
  await follow(first);
  await put('ahead');
  const second = await streamNow();
  await follow(second);
  await served();
  expect([first.events.length, second.events.length]).toEqual([1, 0]);
  await put('for both');
  await served();
  expect([first.events.length, second.events.length]).toEqual([2, 1]);
});

test('EVENT-3 a stream whose connection is full falls behind and keeps its position', async () => {
  const full = await streamNow({ isReady: () => false });
  const { position } = full;
  await follow(full);
  await put('too much');
  await served();
  expect([full.behind, full.events, full.position]).toEqual([1, [], position]);
});

test('EVENT-4 a stream that leaves has the position up to which it was served', async () => {
  const other = await streamNow({ principals: ['user:999'], userid: 999 });
  await follow(other);
  await put('not for it');
  await served();
  fanOut.leave(other);
  expect([other.events, other.position]).toEqual([
    [],
    await newestCheckpoint(server.services.storage.reader),
  ]);
});

test('EVENT-5 others get a turn after every 100 streams', async () => {
  let turn = 0;
  const perTurn = new Map<number, number>();
  const streams: Heard[] = [];
  for (let n = 0; n < 250; n += 1) {
    const stream = await streamNow();
    const { deliver } = stream;
    stream.deliver = (event, position) => {
      perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1);
      deliver(event, position);
    };
    streams.push(stream);
    await follow(stream);
  }
  await put('to all');
  fanOut.wake();
  while (streams.some(({ events }) => events.length === 0)) {
    await new Promise(setImmediate);
    turn += 1;
  }
  expect(Math.max(...perTurn.values())).toBeLessThanOrEqual(100);
});
