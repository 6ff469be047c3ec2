import { expect, onTestFinished, test, vi } from 'vitest';

import { JournaledOutbox } from '#desktop/engine/outbox/outbox.ts';
import type { NewCall } from '#desktop/engine/platform/ports.ts';
import type { CommentFacts } from '#shared/model/comment.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
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
  const [picture] = server.all<{ image: ImageRef }>('media');
  expect(server.guide(1)).toMatchObject({ summary: 'B', image: must(picture, 'the picture').image });
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
    body: { category: 'Radio', type: 'replacement', title: 'New' },
    target: { collection: 'guides', id: 'tmp:guide-0001' },
    subject: 'New',
  };
  await device.core.outbox.add([commentOn('tmp:guide-0001', 'First!'), create]);
  server.setUp(true);
  device.core.sync.now();
  await inSync(device);
  expect(server.all<CommentFacts>('comments')).toMatchObject([{ guideid: 501, text_raw: 'First!' }]);
  expect(device.core.outbox.realId('tmp:guide-0001')).toBe('501');
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
  await expect.poll(() => server.guide(1)).toMatchObject({ title: 'First', summary: 'Second' });
  await inSync(device);
  const revisions = server.feed.map(({ doc }) => String((doc as GuideFacts).revisionid));
  expect(revisions).toHaveLength(3);
  expect(server.batches.flat().map(({ query }) => query?.['revisionid'])).toEqual(revisions.slice(0, 2));
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
  const loseAnswer = async (): Promise<Response> => {
    await device.core.outbox.add([saveOf('1', { summary: 'Mine too' }, 'previous', 9)]);
    server.putGuide(1, { title: 'Theirs', summary: 'Theirs', revisionid: 900 });
    throw new TypeError('fetch failed');
  };
  let sent = 0;
  server.fault = (path) => {
    if (path !== '/sync/1/batch') return path === '/sync/1/events' && sent === 1 ? 'lose-request' : undefined;
    sent += 1;
    return sent === 1 ? { change: loseAnswer } : undefined;
  };
  server.cutStreams();
  await device.core.outbox.add([saveOf('1', { title: 'Mine' }, '1')]);
  await syncState(device, ({ conflicts }) => conflicts === 1);
  expect(decided).toEqual([expect.objectContaining({ title: 'Theirs' })]);
  expect(server.guide(1)).toMatchObject({ title: 'Theirs', summary: 'Theirs' });
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
  server.putGuide(1, { summary: 'Theirs', revisionid: 2 });
  server.setUp(true);
  device.core.sync.now();
  await inSync(device);
  expect(server.guide(1)).toMatchObject({ title: 'Mine', summary: 'Theirs' });
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
