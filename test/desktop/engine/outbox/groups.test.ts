import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { openCore } from '#desktop/engine/open-core.ts';
import type { NewCall } from '#desktop/engine/platform/ports.ts';
import type { CommentFacts } from '#shared/model/comment.ts';
import {
  commentOn,
  inSync,
  newDisk,
  platformOn,
  saveOf,
  signIn,
  startDevice,
  whenCalls,
  type Device,
  type Disk,
} from '#test/desktop/engine/support/device.ts';
import { testEnvironment } from '#test/desktop/engine/support/environment.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

function withGuides(): StandInServer {
  const server = new StandInServer();
  for (const guideid of [1, 2]) server.putGuide(guideid);
  return server;
}

/** A device whose person signed in and then lost the network. */
async function offlineDevice(server: StandInServer, disk: Disk): Promise<void> {
  const device = await startDevice(server, disk);
  await signIn(device);
  await inSync(device);
  await device.close();
  server.setUp(false);
}

const comments = (count: number): NewCall[] =>
  Array.from({ length: count }, (_, index) => commentOn('1', `Comment ${index}`));

/** Work of several kinds. */
const work: NewCall[] = [
  ...comments(4),
  saveOf('1', { title: 'Fan belt' }, '1'),
  saveOf('2', { summary: 'How to tighten it' }, '1'),
  {
    kind: 'favorite',
    lane: 'favorite/1',
    method: 'PUT',
    path: '/user/favorites/guides/1',
    target: { collection: 'viewer', id: 'favorite:1' },
    subject: 'Belt',
  },
  ...comments(8).slice(4),
];

/** Starts on a journal that fails in its operation `crashAt`, counted from its opening. */
async function startDying(
  server: StandInServer,
  disk: Disk,
  crashAt: number,
): Promise<Device & { died: Promise<void>; operations: () => number; appends: () => number }> {
  const environment = testEnvironment(server.fetch);
  const store = memoryStore({ crashAt, tornBytes: 40 }, disk.journal);
  const died = Promise.withResolvers<void>();
  let appends = 0;
  const { core, close } = await openCore({
    ...platformOn(disk, environment),
    openJournal: async () => {
      const journal = await openJournal(store, { ...environment });
      journal.watchHealth(({ writable }) => !writable && died.resolve());
      const append = journal.append.bind(journal);
      journal.append = (...args) => {
        appends += 1;
        return append(...args);
      };
      return journal;
    },
  });
  return {
    core,
    environment,
    close,
    died: died.promise,
    operations: () => store.operations,
    appends: () => appends,
  };
}

test('OUTBOX-40 the responses to a batch are settled in groups: their calls share a few appends', async () => {
  const server = withGuides();
  const disk = newDisk();
  await offlineDevice(server, disk);
  // Event rows would settle calls one by one.
  server.fault = (path) => (path === '/sync/1/events' ? { status: 503 } : undefined);
  const device = await startDying(server, disk, Number.POSITIVE_INFINITY);
  await device.core.outbox.add(comments(100));
  const before = device.appends();
  server.setUp(true);
  device.core.sync.now();
  await whenCalls(device, (calls) => calls.length === 0);
  expect(device.appends() - before).toBeLessThan(50);
  await device.close();
});

test('OUTBOX-40 wherever a journal fails while responses are settled in groups, nothing is lost or repeated', async () => {
  const steps = await operationsOf();
  expect(steps.last - steps.first).toBeGreaterThan(2);
  for (let crashAt = steps.first; crashAt < steps.last; crashAt += 1) await killedAt(crashAt);
});

/** The operations of a working journal, from the moment when the work is queued until all of it is on the server. */
async function operationsOf(): Promise<{ first: number; last: number }> {
  const { server, device } = await waiting(Number.POSITIVE_INFINITY);
  const first = device.operations();
  server.setUp(true);
  device.core.sync.now();
  await whenCalls(device, (calls) => calls.length === 0);
  const last = device.operations();
  await device.close();
  return { first, last };
}

async function waiting(crashAt: number): Promise<{
  server: StandInServer;
  disk: Disk;
  device: Awaited<ReturnType<typeof startDying>>;
}> {
  const server = withGuides();
  const disk = newDisk();
  await offlineDevice(server, disk);
  const device = await startDying(server, disk, crashAt);
  await device.core.outbox.add(work);
  return { server, disk, device };
}

async function killedAt(crashAt: number): Promise<void> {
  const { server, disk, device } = await waiting(crashAt);
  server.setUp(true);
  device.core.sync.now();
  // The number of operations may differ from the counted run, depending on grouping.
  await Promise.race([device.died, whenCalls(device, (calls) => calls.length === 0)]);
  await device.close();
  const again = await startDevice(server, disk);
  await inSync(again);
  await whenCalls(again, (calls) => calls.length === 0);
  expect([...server.effects.values()], `killed at ${crashAt}`).toEqual(work.map(() => 1));
  const texts = server.all<CommentFacts>('comments').map(({ text_raw }) => text_raw);
  expect(texts.toSorted()).toEqual(comments(8).map(({ body }) => (body as { text: string }).text));
  expect(server.guide(1)).toMatchObject({ title: 'Fan belt' });
  const sent = await firstValueFrom(again.core.outbox.sent);
  expect(sent).toHaveLength(work.length);
  await again.close();
}
