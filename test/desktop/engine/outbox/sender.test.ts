import { combineLatest } from 'rxjs';
import { expect, onTestFinished, test, vi } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { appliesOnTop } from '#desktop/engine/outbox/applies-on-top.ts';
import { JournaledOutbox } from '#desktop/engine/outbox/outbox.ts';
import { SentLog } from '#desktop/engine/outbox/sent-log.ts';
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
  startDevice,
  syncState,
  whenCalls,
  type Device,
} from '#test/desktop/engine/support/device.ts';
import { FakeServer } from '#test/desktop/engine/support/fake-server.ts';
import { imageUpload } from '#test/desktop/engine/support/image-upload.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';

const isSent = (id: string): boolean => id.startsWith('sent/');

async function start(server: FakeServer, disk = newDisk()): Promise<Device> {
  return endsWithTest(await startDevice(server, disk));
}

async function started(server: FakeServer, disk = newDisk()): Promise<Device> {
  const device = await start(server, disk);
  await signIn(device);
  await inSync(device);
  return device;
}

function withGuide(): FakeServer {
  const server = new FakeServer();
  server.put('guides', '1', { guideid: 1, title: 'Belt', summary: '', revisionid: 1, steps: [] });
  return server;
}

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

function commentsOn(server: FakeServer): string[] {
  return [...server.documents.values()]
    .filter(({ c }) => c === 'comments')
    .map(({ doc }) => (doc as { text: string }).text);
}

test('OUTBOX-4 a call is sent, and removed from the outbox and the journal when the mirror has its effect', async () => {
  const server = withGuide();
  const device = await started(server);
  await device.core.outbox.add([commentOn('1', 'Hello')]);
  await whenCalls(device, (calls) => calls.length === 0);
  expect(commentsOn(server)).toEqual(['Hello']);
  expect((await device.core.mirror.get('comments', '101'))?.facts).toMatchObject({ text: 'Hello' });
  const { outbox, meta } = await device.core.journal.entries();
  expect(outbox.size).toBe(0);
  expect([...meta.keys()].filter((id) => id.startsWith('sent/'))).toHaveLength(1);
});

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

test('OUTBOX-11 a call with a lost response is settled by the feed row with its key', async () => {
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
  expect(device.core.outbox.realId(`tmp:${call?.id}`)).toBe('101');
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
  // At each try, how many waits were over.
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

const year = 365 * 24 * 3600 * 1000;

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

test('OUTBOX-3 a call queued with a file waits for the file', async () => {
  const server = withGuide();
  const device = await started(server);
  const { outbox, journal } = device.core;
  await journal.putFile('photo', new Blob(['JPEG']), { type: 'image/jpeg', name: 'belt.jpg' });
  const upload = imageUpload('photo', 'photo-0001');
  await outbox.add([saveOf('1', { summary: 'A' }, '1')]);
  const decisions = vi.spyOn(JournaledOutbox.prototype, 'update');
  onTestFinished(() => decisions.mockRestore());
  // The sender has chosen the call, and takes it next.
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
  await first.core.outbox.add([
    upload,
    { ...commentOn('1', 'See the picture'), body: { text: 'See', image: 'tmp:upload-0001' } },
  ]);
  await first.close();
  const second = await start(server, { ...newDisk(), journal: disk.journal, secrets: disk.secrets });
  expect((await callsOf(second)).map(({ id }) => id)).toContain('upload-0001');
  server.setUp(true);
  second.core.sync.now();
  await inSync(second);
  expect([...server.documents.values()].find(({ c }) => c === 'media')?.doc).toMatchObject({
    size: 3,
    filename: 'belt.png',
  });
  expect([...server.documents.values()].find(({ c }) => c === 'comments')?.doc).toMatchObject({ image: 101 });
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
  server.put('workLog', '7', { entryid: 7, guideid: 1, events: ['start'] });
  const device = await started(server);
  const { mirror, outbox } = device.core;
  const counts: number[] = [];
  const subscription = combineLatest([mirror.one('workLog', '7'), outbox.calls]).subscribe(
    ([entry, calls]) => {
      if (entry === null) return;
      const { events } = entry.facts;
      const pending = calls.filter((call) => call.target.id === '7' && appliesOnTop(call, entry.seq));
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
        lane: 'entry/7',
        method: 'POST',
        path: '/work_log/7/pause',
        body: { at: move },
        target: { collection: 'workLog', id: '7' },
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
  const backup = {
    feed: [...server.feed],
    documents: new Map(server.documents),
    performed: new Map(server.performed),
  };
  await device.core.outbox.add([commentOn('1', 'After the backup')]);
  await inSync(device);
  server.setUp(false);
  server.feed.splice(0, server.feed.length, ...backup.feed);
  server.documents.clear();
  for (const [id, row] of backup.documents) server.documents.set(id, row);
  server.performed = backup.performed;
  server.history = 'restored';
  server.put('guides', '2', { guideid: 2, title: 'Made since', revisionid: 1, steps: [] });
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
  server.feed.splice(1);
  for (const id of server.documents.keys()) if (id !== 'guides/1') server.documents.delete(id);
  server.performed.clear();
  server.history = 'restored';
  server.put('guides', '2', { guideid: 2, title: 'Made since', revisionid: 1, steps: [] });
  isFull = true;
  server.setUp(true);
  device.core.sync.now();
  const waiting = await whenCalls(device, (calls) => calls.length === 2);
  expect(waiting.map(({ id }) => id)).toEqual(['comment-1', 'edit-1']);
  // The person sends the edit again, although it was changed meanwhile.
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

/** A device whose uploads are answered by a status and headers, and then a body that never comes, `stalls` times. */
async function withStallingUploads(server: FakeServer, stalls: number): Promise<Device> {
  let left = stalls;
  const fetchThere: typeof fetch = async (input, init) => {
    const isUpload = new Request(input).url.includes('/user/media/images');
    if (!isUpload || left === 0) return server.fetch(input, init);
    left -= 1;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) =>
        init?.signal?.addEventListener('abort', () => controller.error(new TypeError('aborted'))),
    });
    return new Response(body);
  };
  const device = endsWithTest(await startDevice({ fetch: fetchThere }, newDisk()));
  await signIn(device);
  await inSync(device);
  const photo = { type: 'image/png', name: 'belt.png' };
  await device.core.journal.putFile('photo', new Uint8Array([1]), photo);
  return device;
}

test('OUTBOX-4 an upload whose response stalls after its first bytes is sent again', async () => {
  const server = withGuide();
  const device = await withStallingUploads(server, 1);
  await device.core.outbox.add([imageUpload('photo', 'upload-0003')]);
  await whenCalls(device, (calls) => calls.length === 0);
  expect([...server.effects.values()]).toEqual([1]);
});

test('OUTBOX-5 a call whose retry time has come does not wait for a long upload', async () => {
  const server = withGuide();
  const device = await withStallingUploads(server, Number.POSITIVE_INFINITY);
  let refused = 0;
  server.fault = (path) =>
    path === '/sync/1/batch' && (refused += 1) === 1
      ? { status: 503, headers: { 'Retry-After': '2' } }
      : undefined;
  await device.core.outbox.add([imageUpload('photo', 'upload-0004'), imageUpload('photo', 'upload-0005')]);
  await device.core.outbox.add([commentOn('1', 'Soon')]);
  device.environment.waits.length = 0;
  await whenCalls(device, (calls) => !calls.some(({ kind }) => kind === 'comment-add'));
  expect(device.environment.waits.filter((ms) => ms >= 20_000)).toEqual([]);
});
