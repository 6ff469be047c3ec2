import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { SentLog } from '#desktop/engine/outbox/sent-log.ts';
import type { NewCall } from '#desktop/engine/platform/ports.ts';
import { must } from '#shared/must.ts';
import { commentOn, inSync, newDisk, whenCalls, type Device } from '#test/desktop/engine/support/device.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { imageUpload } from '#test/desktop/engine/support/image-upload.ts';

import { commentsOn, started, withGuide, year } from './started-device.ts';

const isSent = (id: string): boolean => id.startsWith('sent/');

function favorite(on: boolean): NewCall {
  return {
    kind: 'favorite',
    lane: 'favorite/1',
    method: on ? 'PUT' : 'DELETE',
    path: '/user/favorites/guides/1',
    target: { collection: 'viewer', id: 'favorite:1' },
    subject: 'Belt',
  };
}

test.each(['lose-answer', 'cut-answer', 'lose-request'] as const)(
  'OUTBOX-4 an effect happens once with the fault %s',
  async (fault) => {
    const server = withGuide();
    const device = await started(server);
    let faults = 0;
    server.fault = (path) => (path === '/sync/1/batch' && (faults += 1) <= 2 ? fault : undefined);
    await device.core.outbox.add([commentOn('1', 'Once'), commentOn('1', 'Twice'), favorite(true)]);
    await inSync(device);
    expect([...server.effects.values()]).toEqual([1, 1, 1]);
    expect(commentsOn(server).toSorted()).toEqual(['Once', 'Twice']);
  },
);

test('OUTBOX-12 a call with a lost response is settled by the feed row with its key', async () => {
  const server = withGuide();
  const device = await started(server);
  let sent = 0;
  server.fault = (path) => {
    if (path !== '/sync/1/batch') return undefined;
    sent += 1;
    return sent === 1 ? 'lose-answer' : { status: 503 };
  };
  const [call] = await device.core.outbox.add([commentOn('1', 'Lost and found')]);
  await whenCalls(device, (calls) => calls.length === 0);
  expect(device.core.outbox.realId(`tmp:${call?.id}`)).toBe('501');
});

test.each([500, 503, 429, 408, 425])('OUTBOX-5 %i is retried and nothing is dropped', async (status) => {
  const server = withGuide();
  const device = await started(server);
  let sent = 0;
  server.fault = (path) =>
    path === '/sync/1/batch' && (sent += 1) <= 2 ? { status, headers: { 'Retry-After': '1' } } : undefined;
  await device.core.outbox.add([commentOn('1', 'Patient')]);
  await inSync(device);
  expect(commentsOn(server)).toEqual(['Patient']);
  expect(sent).toBe(3);
});

test('OUTBOX-5 a connection that returns during a failing send is used immediately, however often it failed before', async () => {
  const server = withGuide();
  const device = await started(server);
  // Number of finished waits at each attempt.
  const tries: number[] = [];
  server.fault = (path) => {
    if (path !== '/sync/1/batch') return undefined;
    tries.push(device.environment.waits.length);
    if (tries.length > 5) return undefined;
    if (tries.length === 5) {
      device.environment.online.next(false);
      device.environment.online.next(true);
    }
    return 'lose-request';
  };
  await device.core.outbox.add([commentOn('1', 'At once')]);
  await inSync(device);
  const waited = device.environment.waits.slice(must(tries[4], 'fifth try'), tries[5]);
  expect(waited.filter((ms) => ms >= 8000)).toEqual([]);
  expect(commentsOn(server)).toEqual(['At once']);
});

test('OUTBOX-14 a start with a clock a year ahead forgets no sent calls', async () => {
  const server = withGuide();
  const disk = newDisk();
  const device = await started(server, disk);
  await device.core.outbox.add([commentOn('1', 'Mind the belt')]);
  await inSync(device);
  await device.close();
  const journal = await openJournal(memoryStore({}, disk.journal), device.environment);
  const log = new SentLog(
    journal,
    must([...(await journal.entries()).meta.keys()].find(isSent), 'a call').split('/')[1] ?? '',
  );
  expect(await log.read()).toHaveLength(1);
  await log.prune(device.environment.now() + year);
  expect(await log.read()).toHaveLength(1);
  await journal.close();
});

test('OUTBOX-5 Retry-After is respected', async () => {
  const server = withGuide();
  const device = await started(server);
  const times: number[] = [];
  server.fault = (path) => {
    if (path !== '/sync/1/batch') return undefined;
    times.push(device.environment.now());
    return times.length === 1 ? { status: 429, headers: { 'Retry-After': '7' } } : undefined;
  };
  await device.core.outbox.add([commentOn('1', 'Later')]);
  await inSync(device);
  expect(must(times[1], 'second try') - must(times[0], 'first try')).toBeGreaterThanOrEqual(7000);
});

const isUpload = (path: string): boolean => path.endsWith('/user/media/images');

async function withPhoto(server: StandInServer): Promise<Device> {
  const device = await started(server);
  const photo = { type: 'image/png', name: 'belt.png' };
  await device.core.journal.putFile('photo', new Uint8Array([1]), photo);
  return device;
}

test('OUTBOX-4 an upload whose response stalls after its first bytes is sent again', async () => {
  const server = withGuide();
  let uploads = 0;
  server.fault = (path) => (isUpload(path) && (uploads += 1) === 1 ? 'stall' : undefined);
  const device = await withPhoto(server);
  await device.core.outbox.add([imageUpload('photo', 'upload-0003')]);
  await whenCalls(device, (calls) => calls.length === 0);
  expect([...server.effects.values()]).toEqual([1]);
});

test('OUTBOX-5 a call whose retry time has come does not wait for a long upload', async () => {
  const server = withGuide();
  const device = await withPhoto(server);
  let refused = 0;
  server.fault = (path) => {
    if (isUpload(path)) return 'stall';
    if (path !== '/sync/1/batch' || (refused += 1) > 1) return undefined;
    return { status: 503, headers: { 'Retry-After': '2' } };
  };
  await device.core.outbox.add([imageUpload('photo', 'upload-0004'), imageUpload('photo', 'upload-0005')]);
  await device.core.outbox.add([commentOn('1', 'Soon')]);
  device.environment.waits.length = 0;
  await whenCalls(device, (calls) => !calls.some(({ kind }) => kind === 'comment-add'));
  expect(device.environment.waits.filter((ms) => ms >= 20_000)).toEqual([]);
});
