import { combineLatest } from 'rxjs';
import { expect, test } from 'vitest';

import { appliesOnTop } from '#desktop/engine/outbox/applies-on-top.ts';
import type { NewCall } from '#desktop/engine/platform/ports.ts';
import { must } from '#shared/must.ts';
import {
  callsOf,
  commentOn,
  inSync,
  newDisk,
  noHistory,
  saveOf,
  serverAddress,
  signIn,
  syncState,
  whenCalls,
} from '#test/desktop/engine/support/device.ts';
import { imageUpload } from '#test/desktop/engine/support/image-upload.ts';

import { commentsOn, start, started, withGuide, year } from './started-device.ts';

test('OUTBOX-4 a call is sent, and removed from the outbox and the journal when the mirror has its effect', async () => {
  const server = withGuide();
  const device = await started(server);
  await device.core.outbox.add([commentOn('1', 'Hello')]);
  await whenCalls(device, (calls) => calls.length === 0);
  expect(commentsOn(server)).toEqual(['Hello']);
  expect((await device.core.mirror.get('comments', '501'))?.facts).toMatchObject({ text_raw: 'Hello' });
  const { outbox, meta } = await device.core.journal.entries();
  expect(outbox.size).toBe(0);
  expect([...meta.keys()].filter((id) => id.startsWith('sent/'))).toHaveLength(1);
});

test.each([
  ['a year back', 'the server is busy', -year, { status: 503 }],
  ['a year back', 'the way is broken', -year, 'lose-request'],
  ['ten minutes back', 'the server is busy', -600_000, { status: 503 }],
  ['ten minutes back', 'the way is broken', -600_000, 'lose-request'],
  ['a year ahead', 'the server is busy', year, { status: 503 }],
  ['a year ahead', 'the way is broken', year, 'lose-request'],
] as const)('OUTBOX-5 a clock set %s while %s makes no call wait longer', async (_, __, jump, fault) => {
  const server = withGuide();
  const device = await started(server);
  const { environment } = device;
  let sent = 0;
  server.fault = (path) => (path === '/sync/1/batch' && (sent += 1) === 1 ? fault : undefined);
  await device.core.outbox.add([commentOn('1', 'Mind the belt')]);
  await whenCalls(device, ([call]) => sent === 1 && call?.state === 'queued');
  const before = environment.now.bind(environment);
  environment.now = () => before() + jump;
  await device.core.outbox.add([commentOn('1', 'After the jump')]);
  await inSync(device);
  expect(Math.max(...environment.waits)).toBeLessThan(60_000);
  expect([...server.effects.values()]).toEqual([1, 1]);
});

test.each([403, 404, 405, 422])(
  "OUTBOX-6 %i parks the call with the server's message; its lane waits and other lanes continue",
  async (status) => {
    const server = withGuide();
    const device = await started(server);
    server.refuse = ({ body }) =>
      body?.['text'] === 'Bad'
        ? { status, body: { message: 'Not like this', errors: [{ field: 'text', message: 'Bad word' }] } }
        : undefined;
    await device.core.outbox.add([
      { ...commentOn('1', 'Bad'), lane: 'x' },
      { ...commentOn('1', 'After'), lane: 'x' },
      commentOn('1', 'Other'),
    ]);
    await syncState(
      device,
      ({ parked, pending, phase }) => parked === 1 && pending === 1 && phase === 'idle',
    );
    expect(commentsOn(server)).toEqual(['Other']);
    const [parked] = await callsOf(device);
    expect(parked?.refusal).toEqual({
      status,
      message: 'Not like this',
      errors: [{ field: 'text', message: 'Bad word' }],
    });
    await device.core.outbox.change(must(parked, 'parked call').id, {
      body: { text: 'Good' },
      state: 'queued',
    });
    await inSync(device);
    expect(commentsOn(server)).toEqual(['Other', 'Good', 'After']);
  },
);

test('OUTBOX-6 a batch refused as a whole is halved until the offending call is alone', async () => {
  const server = withGuide();
  const device = await started(server);
  server.fault = (path, calls) =>
    path === '/sync/1/batch' && calls.some(({ body }) => body?.['text'] === 'Poison')
      ? { status: 422 }
      : undefined;
  await device.core.outbox.add(['A', 'B', 'Poison', 'C', 'D'].map((text) => commentOn('1', text)));
  await syncState(device, ({ parked, pending }) => parked === 1 && pending === 0);
  expect(commentsOn(server).toSorted()).toEqual(['A', 'B', 'C', 'D']);
});

test('OUTBOX-13 401 waits for a sign-in, reading continues, and the same person then continues sending', async () => {
  const server = withGuide();
  const device = await started(server);
  let isExpired = true;
  server.fault = (path) => (isExpired && path === '/sync/1/batch' ? { status: 401 } : undefined);
  await device.core.outbox.add([commentOn('1', 'Mine')]);
  await syncState(device, ({ needsSignIn, pending }) => needsSignIn && pending === 1);
  expect(device.core.session.current().status).toBe('expired');
  expect((await device.core.mirror.get('guides', '1'))?.facts.title).toBe('Belt');
  isExpired = false;
  await signIn(device);
  await inSync(device);
  expect(commentsOn(server)).toEqual(['Mine']);
});

test('OUTBOX-13 calls of one person are never sent under the sign-in of another', async () => {
  const server = withGuide();
  const disk = newDisk();
  const device = await started(server, disk);
  server.setUp(false);
  await device.core.outbox.add([commentOn('1', "Ada's")]);
  await device.core.session.signOut();
  server.setUp(true);
  await signIn(device, 'bob@bench.test');
  await inSync(device);
  expect(await callsOf(device)).toEqual([]);
  expect(commentsOn(server)).toEqual([]);
  await signIn(device);
  await inSync(device);
  expect(commentsOn(server)).toEqual(["Ada's"]);
});

test('OUTBOX-8 a queued call exists after a restart, and OUTBOX-9 also when the database is lost', async () => {
  const server = withGuide();
  const disk = newDisk();
  const first = await started(server, disk);
  server.setUp(false);
  await first.core.journal.putFile('photo-1', new Uint8Array([1, 2, 3]), {
    type: 'image/png',
    name: 'belt.png',
  });
  const upload = imageUpload('photo-1', 'upload-0001');
  await first.core.outbox.add([upload, saveOf('1', { image: 'tmp:upload-0001' }, '1')]);
  await first.close();
  const second = await start(server, { ...newDisk(), journal: disk.journal, secrets: disk.secrets });
  expect((await callsOf(second)).map(({ id }) => id)).toContain('upload-0001');
  server.setUp(true);
  second.core.sync.now();
  await inSync(second);
  expect(server.all('media')).toMatchObject([{ size: 3, filename: 'belt.png', image: { id: 501 } }]);
  expect(server.guide(1)).toMatchObject({ image: { id: 501 } });
});

test('OUTBOX-9 calls lost in the journal are restored from the database', async () => {
  const server = withGuide();
  const disk = newDisk();
  const first = await started(server, disk);
  server.setUp(false);
  await first.core.outbox.add([commentOn('1', 'Kept')]);
  await first.close();
  const second = await start(server, { ...newDisk(), storage: disk.storage });
  server.setUp(true);
  await signIn(second);
  await inSync(second);
  expect(commentsOn(server)).toEqual(['Kept']);
});

test('OUTBOX-12 a view shows the effect exactly once at every moment', async () => {
  const server = withGuide();
  const order = { guideid: 1, workorderid: 'A-1' };
  const { rows } = server.call({ id: 'order-1', method: 'POST', path: '/work_log', body: order }, 1);
  const entryid = must(rows[0], 'the order').id;
  const device = await started(server);
  const { mirror, outbox } = device.core;
  const counts: number[] = [];
  const subscription = combineLatest([mirror.one('workLog', entryid), outbox.calls]).subscribe(
    ([entry, calls]) => {
      if (entry === null) return;
      const { events } = entry.facts;
      const pending = calls.filter((call) => call.target.id === entryid && appliesOnTop(call, entry.seq));
      counts.push(events.length + pending.length);
    },
  );
  let sent = 0;
  server.fault = (path) => {
    if (path !== '/sync/1/batch') return undefined;
    sent += 1;
    return (['lose-answer', { status: 503 }, undefined, 'cut-answer', undefined] as const)[sent % 5];
  };
  for (let move = 0; move < 12; move += 1) {
    await outbox.add([
      {
        kind: 'entry-move',
        lane: `entry/${entryid}`,
        method: 'POST',
        path: `/work_log/${entryid}/${move % 2 === 0 ? 'pause' : 'resume'}`,
        body: { at: Date.now() },
        target: { collection: 'workLog', id: entryid },
        subject: 'Order',
      },
    ]);
    if (move % 3 === 0) await inSync(device);
  }
  await inSync(device);
  subscription.unsubscribe();
  expect(counts.at(-1)).toBe(13);
  expect(counts.every((count, index) => index === 0 || count >= must(counts[index - 1], 'count'))).toBe(true);
  expect(new Set(counts)).toEqual(new Set(Array.from({ length: 13 }, (_, index) => index + 1)));
});

test('OUTBOX-14 a server restored from a backup gets its lost calls again, and none twice', async () => {
  const server = withGuide();
  const device = await started(server);
  device.core.handleConflicts({
    ...noHistory,
    pathNow: async () => null,
    settle: async () => ({ action: 'drop' }),
  });
  await device.core.outbox.add([commentOn('1', 'Before the backup')]);
  await inSync(device);
  const backup = server.backUp();
  await device.core.outbox.add([commentOn('1', 'After the backup')]);
  await inSync(device);
  server.setUp(false);
  server.restore('restored', backup);
  server.putGuide(2, { title: 'Made since' });
  server.setUp(true);
  device.core.sync.now();
  await expect.poll(() => commentsOn(server)).toEqual(['Before the backup', 'After the backup']);
  await inSync(device);
  expect([...server.effects.values()]).toEqual([1, 2]);
});

test('OUTBOX-14 calls that a restored server does not accept immediately wait in their sent order', async () => {
  const server = withGuide();
  const device = await started(server);
  const { outbox } = device.core;
  device.core.handleConflicts({
    ...noHistory,
    overwriting: async (calls) =>
      new Set(calls.filter(({ kind }) => kind === 'comment-edit').map(({ id }) => id)),
    pathNow: async () => null,
    settle: async () => ({ action: 'drop' }),
  });
  let isFull = false;
  server.refuse = ({ method }) => {
    if (isFull) return { status: 503 };
    return method === 'PATCH' ? { status: 200 } : undefined;
  };
  const comment = {
    lane: 'comment:comment-1',
    target: { collection: 'comments', id: 'tmp:comment-1' },
  } as const;
  const backup = server.backUp();
  await outbox.add([{ ...commentOn('1', 'First words'), id: 'comment-1', ...comment }]);
  await inSync(device);
  const edit: NewCall = {
    id: 'edit-1',
    kind: 'comment-edit',
    method: 'PATCH',
    path: '/comments/tmp:comment-1',
    body: { text: 'Better words' },
    subject: 'Guide',
    ...comment,
  };
  await outbox.add([edit]);
  await inSync(device);

  server.setUp(false);
  server.restore('restored', backup);
  server.putGuide(2, { title: 'Made since' });
  isFull = true;
  server.setUp(true);
  device.core.sync.now();
  const waiting = await whenCalls(device, (calls) => calls.length === 2);
  expect(waiting.map(({ id }) => id)).toEqual(['comment-1', 'edit-1']);
  // The person sends the edit again despite later changes.
  await outbox.change('edit-1', { state: 'queued' });
  isFull = false;
  device.core.sync.now();
  await inSync(device);
  expect([...server.performed.keys()]).toEqual(['comment-1', 'edit-1']);
});

test('the address of a server is stored without a trailing slash', async () => {
  const server = withGuide();
  const device = await start(server);
  await device.core.session.signIn(`${serverAddress}/`, { email: 'ada@bench.test', password: 'secret' });
  expect(device.core.session.current()).toMatchObject({
    server: serverAddress,
    servers: [serverAddress],
    status: 'signed-in',
    loss: null,
    damage: null,
  });
});

test('OUTBOX-6 an upload whose file is no longer on this device is parked, and nothing else waits for it', async () => {
  const server = withGuide();
  const device = await started(server);
  await device.core.outbox.add([imageUpload('lost', 'upload-0002'), commentOn('1', 'Still sent')]);
  const [call] = await whenCalls(device, (calls) => calls.length === 1 && calls[0]?.state === 'parked');
  expect(call?.refusal?.message).toContain('no longer on this device');
  expect(commentsOn(server)).toEqual(['Still sent']);
  expect((await syncState(device, ({ parked }) => parked === 1)).trouble).toBeNull();
});
