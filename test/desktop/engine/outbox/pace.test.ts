import { BehaviorSubject, filter, firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import { ServerClock } from '#desktop/engine/platform/clock.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { ServerConnection } from '#desktop/engine/sync/server-connection.ts';
import { JournaledOutbox } from '#desktop/engine/outbox/outbox.ts';
import { Pace } from '#desktop/engine/outbox/pace.ts';
import { Sender } from '#desktop/engine/outbox/sender.ts';
import { ResponseHandler } from '#desktop/engine/outbox/response-handler.ts';
import type { Environment } from '#desktop/engine/platform/ports.ts';
import { saveOf, serverAddress } from '#test/desktop/engine/support/device.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { done } from '#test/support/stand-in-server/call-results.ts';
import { SlowLink } from '#test/desktop/engine/support/slow-link.ts';
import { VirtualTime } from '#test/simulation/virtual-time.ts';

/** A sender with an outbox in memory, behind a connection in virtual time. */
async function sending(server: StandInServer, bytesPerSecond: number, roundTripMs: number) {
  const time = new VirtualTime(Date.UTC(2026, 0, 5));
  const line = new SlowLink(time, bytesPerSecond, roundTripMs);
  let ids = 0;
  const environment: Environment = {
    now: () => time.now(),
    monotonic: () => time.monotonic(),
    pageSession: 'page-1',
    uuid: () => `0000000${(ids += 1)}`.slice(-8),
    random: () => 0.5,
    randomBytes: (size) => new Uint8Array(size),
    fetch: line.to(server.fetch),
    setTimer: (run, ms) => time.setTimer(run, ms),
    online: new BehaviorSubject(true),
  };
  const journal = await openJournal(memoryStore({}, new Map()), environment);
  const outbox = await JournaledOutbox.open({
    environment,
    journal,
    stored: {
      read: async () => [],
      count: async () => 0,
      texts: async () => new Map(),
      write: async () => undefined,
      watchOthers: () => () => undefined,
    },
    home: 'home',
    userid: 1,
    multiInstance: false,
    lock: (_, run) => run(),
    reading: { noteTrouble: () => undefined, noteSuccess: () => undefined },
    noteSuccess: () => undefined,
    noteTrouble: () => undefined,
  });
  const connection = new ServerConnection(
    serverAddress,
    () => 'token',
    null,
    environment,
    new ServerClock(environment),
  );
  const responseHandler = new ResponseHandler({
    environment,
    steadyNow: () => environment.now(),
    outbox,
    feed: async () => true,
    conflicts: () => null,
    askRound: () => undefined,
  });
  const sender = new Sender({
    environment,
    steadyNow: () => environment.now(),
    connection,
    outbox,
    responseHandler,
    journal,
    archive: async () => null,
    userid: 1,
    maySend: () => true,
    noteExpired: () => undefined,
    noteOtherHistory: () => undefined,
    noteSuccess: () => undefined,
    noteTrouble: () => undefined,
  });
  const allSent = async (): Promise<{ seconds: number; bytes: number }> => {
    const began = time.now();
    await time.during(firstValueFrom(outbox.calls.pipe(filter((calls) => calls.length === 0))));
    return { seconds: (time.now() - began) / 1000, bytes: line.sent };
  };
  return { time, line, outbox, sender, allSent };
}

/** Saves of this number of guides, each with a summary of `bytes`. */
function saves(server: StandInServer, number: number, bytes: number) {
  return Array.from({ length: number }, (_, index) => {
    const guideid = String(index + 1);
    server.putGuide(index + 1);
    return saveOf(guideid, { summary: 'x'.repeat(bytes) }, '1');
  });
}

test('OUTBOX-24 a hundred saves of 18 KB arrive over 16 KB/s with a round trip of 2 s at hardly more than their size', async () => {
  const server = new StandInServer();
  const { outbox, sender, allSent } = await sending(server, 16 * 1024, 2000);
  await outbox.add(saves(server, 100, 18 * 1024));
  await sender.start();
  const { seconds, bytes } = await allSent();
  expect([...server.effects.values()]).toEqual(Array.from({ length: 100 }, () => 1));
  expect(bytes / (100 * 18 * 1024)).toBeLessThanOrEqual(1.3);
  expect(seconds).toBeLessThan(10 * 60);
  await sender.stop();
});

test('OUTBOX-23 a lost response costs the keys of its calls, not the calls', async () => {
  const server = new StandInServer();
  const { outbox, sender, line, allSent } = await sending(server, 16 * 1024, 2000);
  line.lost.set('/sync/1/batch', [2, 3, 5, 8]);
  line.lost.set('/sync/1/answers', [2]);
  await outbox.add(saves(server, 30, 18 * 1024));
  await sender.start();
  const { bytes } = await allSent();
  expect([...server.effects.values()]).toEqual(Array.from({ length: 30 }, () => 1));
  expect(server.batches.flat()).toHaveLength(30);
  expect(bytes / (30 * 18 * 1024)).toBeLessThanOrEqual(1.3);
  await sender.stop();
});

test('OUTBOX-23 a server that cannot look up responses by key gets the calls again', async () => {
  const server = new StandInServer();
  server.knowsAnswers = false;
  const { outbox, sender, line, allSent } = await sending(server, 16 * 1024, 2000);
  line.lost.set('/sync/1/batch', [1]);
  await outbox.add(saves(server, 3, 1024));
  await sender.start();
  await allSent();
  expect(server.batches.map((calls) => calls.length)).toEqual([3, 3]);
  expect([...server.effects.values()]).toEqual([1, 1, 1]);
  await sender.stop();
});

test('OUTBOX-23 calls being sent when the app ended are looked up first', async () => {
  const server = new StandInServer();
  const { outbox, sender, allSent } = await sending(server, 1024 * 1024, 20);
  const calls = await outbox.add(saves(server, 3, 1024));
  await outbox.update(() => ({ put: calls.map((call) => ({ ...call, state: 'sending', tries: 1 })) }));
  const [first] = calls;
  server.performed.set(first?.id ?? '', done([]));
  await sender.start();
  await allSent();
  expect(server.requests[0]).toBe('/sync/1/answers');
  expect(server.batches.map((batch) => batch.length)).toEqual([2]);
  await sender.stop();
});

test('OUTBOX-24 a save larger than any batch is sent alone, for as long as its bytes take', async () => {
  const server = new StandInServer();
  const { outbox, sender, allSent } = await sending(server, 16 * 1024, 2000);
  await outbox.add(saves(server, 2, 256 * 1024));
  await sender.start();
  const { bytes } = await allSent();
  expect(server.batches.map((calls) => calls.length)).toEqual([1, 1]);
  expect(bytes / (2 * 256 * 1024)).toBeLessThanOrEqual(1.01);
  await sender.stop();
});

test('OUTBOX-24 batches grow with the capacity of the connection and halve after an unanswered attempt', () => {
  const pace = new Pace();
  expect(pace.bytes).toBe(32 * 1024);
  pace.answered(32 * 1024, 4000);
  expect(pace.bytes).toBe(80 * 1024);
  pace.unanswered(60_000);
  expect(pace.bytes).toBe(40 * 1024);
  // An unreachable server gives no information about speed.
  pace.unanswered(10);
  expect(pace.bytes).toBe(40 * 1024);
  // A small batch measures the round trip.
  pace.answered(500, 2000);
  expect(pace.bytes).toBe(40 * 1024);
  pace.answered(40 * 1024, 1);
  pace.answered(320 * 1024, 1);
  pace.answered(2560 * 1024, 1);
  expect(pace.bytes).toBe(4 * 1024 * 1024);
  for (let times = 0; times < 30; times += 1) pace.unanswered(60_000);
  expect(pace.bytes).toBe(1024);
});
