import { expect, onTestFinished, test, vi } from 'vitest';

import { JournaledOutbox } from '#desktop/engine/outbox/outbox.ts';
import type { NewCall } from '#desktop/engine/platform/ports.ts';
import { must } from '#shared/must.ts';
import {
  callsOf,
  commentOn,
  inSync,
  noHistory,
  saveOf,
  syncState,
  whenCalls,
} from '#test/desktop/engine/support/device.ts';
import { imageUpload } from '#test/desktop/engine/support/image-upload.ts';

import { started, withGuide } from './started-device.ts';

test('OUTBOX-3 a call queued with a file waits for the file', async () => {
  const server = withGuide();
  const device = await started(server);
  const { outbox, journal } = device.core;
  await journal.putFile('photo', new Blob(['JPEG']), { type: 'image/jpeg', name: 'belt.jpg' });
  const upload = imageUpload('photo', 'photo-0001');
  await outbox.add([saveOf('1', { summary: 'A' }, '1')]);
  const decisions = vi.spyOn(JournaledOutbox.prototype, 'update');
  onTestFinished(() => decisions.mockRestore());
  // The sender has chosen the call and takes it next.
  decisions.mockImplementationOnce(async function (this: JournaledOutbox, decide) {
    await outbox.add([upload, saveOf('1', { summary: 'B', image: 'tmp:photo-0001' }, '1')]);
    return this.update(decide);
  });
  const calls = await whenCalls(
    device,
    (now) => now.length === 0 || now.some(({ refusal }) => refusal !== null),
  );
  expect(calls).toEqual([]);
  expect(server.documents.get('guides/1')?.doc).toMatchObject({ summary: 'B', image: 101 });
});

test('OUTBOX-3 a call waits for the one that creates its record, and is sent with the real id', async () => {
  const server = withGuide();
  const device = await started(server);
  server.setUp(false);
  const create: NewCall = {
    kind: 'guide-create',
    id: 'guide-0001',
    lane: 'guide/new',
    method: 'POST',
    path: '/guides',
    body: { title: 'New' },
    target: { collection: 'guides', id: 'tmp:guide-0001' },
    subject: 'New',
  };
  await device.core.outbox.add([commentOn('tmp:guide-0001', 'First!'), create]);
  server.setUp(true);
  device.core.sync.now();
  await inSync(device);
  const comment = [...server.documents.values()].find(({ c }) => c === 'comments');
  expect(comment?.doc).toMatchObject({ guideid: 101, text: 'First!' });
  expect(device.core.outbox.realId('tmp:guide-0001')).toBe('101');
});

test('OUTBOX-10 a save that follows another one is sent with the revision that it produced', async () => {
  const server = withGuide();
  const device = await started(server);
  let isFirst = true;
  server.fault = (path) => {
    if (path !== '/sync/1/batch' || !isFirst) return undefined;
    isFirst = false;
    void device.core.outbox.add([saveOf('1', { summary: 'Second' }, 'previous', 1)]);
    return undefined;
  };
  await device.core.outbox.add([saveOf('1', { title: 'First' }, '1')]);
  await expect
    .poll(() => server.documents.get('guides/1')?.doc)
    .toMatchObject({ title: 'First', summary: 'Second', revisionid: 3 });
  await inSync(device);
  expect(server.batches.flat().map(({ query }) => query?.['revisionid'])).toEqual(['1', '2']);
});

test("OUTBOX-10 after a lost response and another person's save, the following save conflicts instead of overwriting", async () => {
  const server = withGuide();
  const device = await started(server);
  const decided: unknown[] = [];
  device.core.handleConflicts({
    ...noHistory,
    pathNow: async () => null,
    settle: async (_, rows) => {
      decided.push(rows[0]?.doc);
      return { action: 'decide', context: 'shown' };
    },
  });
  let sent = 0;
  server.fault = (path) => {
    if (path !== '/sync/1/batch') return path === '/sync/1/events' && sent === 1 ? 'lose-request' : undefined;
    sent += 1;
    return sent === 1 ? 'lose-answer' : undefined;
  };
  server.cutStreams();
  await device.core.outbox.add([saveOf('1', { title: 'Mine' }, '1')]);
  await expect.poll(() => sent).toBeGreaterThan(0);
  await device.core.outbox.add([saveOf('1', { summary: 'Mine too' }, 'previous', 9)]);
  server.put('guides', '1', { guideid: 1, title: 'Theirs', summary: 'Theirs', revisionid: 3, steps: [] });
  await syncState(device, ({ conflicts }) => conflicts === 1);
  expect(decided).toEqual([expect.objectContaining({ title: 'Theirs' })]);
  expect(server.documents.get('guides/1')?.doc).toMatchObject({ title: 'Theirs', summary: 'Theirs' });
});

test('OUTBOX-7 a merged save is sent under a new key and the new revision', async () => {
  const server = withGuide();
  const device = await started(server);
  device.core.handleConflicts({
    ...noHistory,
    pathNow: async () => null,
    settle: async (call, rows) => {
      const theirs = rows[0]?.doc as { revisionid: number };
      return {
        action: 'resend',
        body: call.body,
        query: { revisionid: String(theirs.revisionid) },
        context: null,
      };
    },
  });
  server.setUp(false);
  const [mine] = await device.core.outbox.add([saveOf('1', { title: 'Mine' }, '1')]);
  server.put('guides', '1', { guideid: 1, title: 'Belt', summary: 'Theirs', revisionid: 2, steps: [] });
  server.setUp(true);
  device.core.sync.now();
  await inSync(device);
  expect(server.documents.get('guides/1')?.doc).toMatchObject({
    title: 'Mine',
    summary: 'Theirs',
    revisionid: 3,
  });
  expect(server.effects.has(must(mine, 'first call').id)).toBe(true);
  expect(new Set(server.batches.flat().map(({ id }) => id)).size).toBe(2);
});

test('OUTBOX-7 without a merger, a conflict is parked', async () => {
  const server = withGuide();
  const device = await started(server);
  await device.core.outbox.add([saveOf('1', { title: 'Mine' }, '0')]);
  await syncState(device, ({ parked }) => parked === 1);
  expect((await callsOf(device))[0]?.refusal?.status).toBe(409);
});
