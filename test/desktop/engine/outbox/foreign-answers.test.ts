import { filter, firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import type { NewCall } from '#desktop/engine/platform/ports.ts';
import type { CommentFacts } from '#shared/model/comment.ts';
import {
  callsOf,
  commentOn,
  inSync,
  newDisk,
  signIn,
  startDevice,
  syncState,
  type Device,
} from '#test/desktop/engine/support/device.ts';
import { StandInServer, type Fault } from '#test/support/stand-in-server/stand-in-server.ts';
import { imageUpload } from '#test/desktop/engine/support/image-upload.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';

const portal =
  '<html><script>var a = "hidden";</script><h1>Welcome to the\n hotel</h1> Sign in to go on</html>';

async function started(server: StandInServer): Promise<Device> {
  server.putGuide(1);
  const device = endsWithTest(await startDevice(server, newDisk()));
  await signIn(device);
  await inSync(device);
  return device;
}

async function photo(device: Device): Promise<NewCall> {
  await device.core.journal.putFile('photo-1', new Blob(['JPEG']), { type: 'image/jpeg', name: 'belt.jpg' });
  return imageUpload('photo-1', 'photo-1');
}

function commentsOf(server: StandInServer): string[] {
  return server
    .all<CommentFacts>('comments')
    .map(({ text_raw }) => text_raw)
    .toSorted();
}

/** Gives `answer` to the first `times` requests for paths that start with `path`; counts requests. */
function answerTo(server: StandInServer, path: string, answer: Fault, times: number): { asked: number } {
  const count = { asked: 0 };
  server.fault = (one) => {
    if (!one.startsWith(path)) return undefined;
    count.asked += 1;
    return count.asked <= times ? answer : undefined;
  };
  return count;
}

const strangers: [string, Fault][] = [
  ['200 and a page', { status: 200, page: portal }],
  ['200 and nothing', { status: 200, page: '' }],
  ['200 and other JSON', { status: 200, page: '{"ok":true}' }],
  ['200 and half of an image', { status: 200, page: '{"image":{"id":7,"guid":"g7"' }],
  ['201 and a page', { status: 201, page: portal }],
  ['401 and a page', { status: 401, page: portal }],
  ['403 and a page', { status: 403, page: portal }],
  ['404 and JSON without our fields', { status: 404, page: '{"message":"Not here"}' }],
  ['413 and a page', { status: 413, page: portal }],
  ['422 and nothing', { status: 422, page: '' }],
  ['502 and a page', { status: 502, page: portal }],
];

test.each(strangers)(
  'OUTBOX-22 an upload that gets %s is neither done nor refused: it is sent again',
  async (_, answer) => {
    const server = new StandInServer();
    const device = await started(server);
    const count = answerTo(server, '/api/2.0/user/media', answer, 2);
    await device.core.outbox.add([await photo(device)]);
    await inSync(device);
    expect(count.asked).toBe(3);
    expect([...server.effects.values()]).toEqual([1]);
    expect(device.core.outbox.realId('tmp:photo-1')).toBe('501');
    expect(device.core.session.current().status).toBe('signed-in');
  },
);

const forBatches = strangers.filter(([name]) => /^(200 and a page|401|403|413)/.test(name));

test.each(forBatches)(
  'OUTBOX-22 a batch that gets %s is sent again: nothing is parked, nobody signed out',
  async (_, answer) => {
    const server = new StandInServer();
    const device = await started(server);
    let most = 0;
    const watching = device.core.sync.state.subscribe(({ parked }) => (most = Math.max(most, parked)));
    answerTo(server, '/sync/1/', answer, 4);
    const words = Array.from({ length: 27 }, (__, index) => `Comment ${index}`);
    await device.core.outbox.add(words.map((text) => commentOn('1', text)));
    await inSync(device);
    watching.unsubscribe();
    expect(commentsOf(server)).toEqual(words.toSorted());
    expect([...server.effects.values()].every((times) => times === 1)).toBe(true);
    expect(most).toBe(0);
    expect(device.core.session.current().status).toBe('signed-in');
  },
);

test('OUTBOX-22 an intermediary that answers instead of the server is reported with its response, until the server answers', async () => {
  const server = new StandInServer();
  const device = await started(server);
  const count = answerTo(server, '/sync/1/batch', { status: 403, page: `${portal}${'x'.repeat(900)}` }, 3);
  await device.core.outbox.add([commentOn('1', 'Kept')]);
  const { interference, trouble, pending } = await syncState(device, (state) => state.interference !== null);
  expect(interference).toMatchObject({ status: 403, path: '/sync/1/batch', contentType: 'text/html' });
  expect(interference?.excerpt).toMatch(/^Welcome to the hotel Sign in to go on x+$/);
  expect(interference?.excerpt).toHaveLength(500);
  expect({ trouble, pending }).toEqual({ trouble: null, pending: 1 });
  await inSync(device);
  expect(count.asked).toBe(4);
  await syncState(device, (state) => state.interference === null);
});

test('OUTBOX-22 waits between attempts grow while an intermediary answers', async () => {
  const server = new StandInServer();
  const device = await started(server);
  const attempts: number[] = [];
  server.fault = (path) => {
    if (!path.startsWith('/api/2.0')) return undefined;
    attempts.push(device.environment.now());
    return attempts.length > 4 ? undefined : { status: 200, page: portal };
  };
  await device.core.outbox.add([await photo(device)]);
  await inSync(device);
  const waits = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
  expect(waits).toHaveLength(4);
  for (const [index, least] of [1500, 3000, 6000, 12_000].entries())
    expect(waits[index]).toBeGreaterThanOrEqual(least);
});

test('OUTBOX-22 discarding an upload also ends the notice about its obstacle', async () => {
  const server = new StandInServer();
  const device = await started(server);
  server.fault = (path) => (path.startsWith('/api/2.0') ? { status: 200, page: portal } : undefined);
  await device.core.outbox.add([await photo(device)]);
  await syncState(device, ({ interference }) => interference !== null);
  await firstValueFrom(
    device.core.outbox.calls.pipe(filter(([call]) => call !== undefined && call.state === 'queued')),
  );
  await device.core.outbox.remove('photo-1');
  await syncState(device, ({ interference }) => interference === null);
  expect(await callsOf(device)).toEqual([]);
});

test('OUTBOX-22 a response that ends before the last call counts for the calls it names, and the rest are requested', async () => {
  const server = new StandInServer();
  const device = await started(server);
  const [first, second] = ['A', 'B'];
  let answered = 0;
  const partOf = async (response: Response): Promise<Response> => {
    const lines = (await response.text()).split('\n');
    return new Response(`${lines.slice(0, 2).join('\n')}\n${lines[2]?.slice(0, 20)}`);
  };
  server.fault = (path) =>
    path === '/sync/1/batch' && (answered += 1) === 1 ? { change: partOf } : undefined;
  await device.core.outbox.add([commentOn('1', first ?? ''), commentOn('1', second ?? '')]);
  await inSync(device);
  expect(commentsOf(server)).toEqual(['A', 'B']);
  expect(server.batches).toHaveLength(1);
});

test.each([
  ['a pull', '/sync/1/pull'],
  ['the events', '/sync/1/events'],
  ['the initial load', '/sync/1/bootstrap'],
])(
  'OUTBOX-22 a page instead of %s is no response: nobody is signed out, the copy stays, and sync continues by itself',
  async (_, path) => {
    for (const status of [200, 401, 410]) {
      const server = new StandInServer();
      server.put('guides', '1', { guideid: 1, title: 'Belt', revisionid: 1, steps: [] });
      const device = endsWithTest(await startDevice(server, newDisk()));
      const count = answerTo(server, path, { status, page: portal }, 2);
      await signIn(device);
      const { interference } = await syncState(device, (state) => state.interference !== null);
      expect(interference).toMatchObject({ status, path });
      await inSync(device);
      expect(count.asked).toBeGreaterThan(2);
      expect(device.core.session.current().status).toBe('signed-in');
      expect((await device.core.mirror.get('guides', '1'))?.facts.title).toBe('Belt');
      expect(server.requests.filter((one) => one === '/sync/1/bootstrap')).toHaveLength(
        path === '/sync/1/bootstrap' ? 3 : 1,
      );
      await device.close();
    }
  },
);

test('OUTBOX-22 a page with status 401 for a request of a screen signs nobody out', async () => {
  const server = new StandInServer();
  const device = await started(server);
  server.fault = (path) => (path.startsWith('/api/2.0') ? { status: 401, page: portal } : undefined);
  await expect(device.core.request('/api/2.0/site')).rejects.toThrow(/between this device and the server/);
  expect(device.core.session.current().status).toBe('signed-in');
  const refused = ['/api/2.0/site', '/sync/1/answers'];
  server.fault = (path) => (refused.includes(path) ? { status: 401 } : undefined);
  expect((await device.core.request('/api/2.0/site')).status).toBe(401);
  expect(device.core.session.current().status).toBe('expired');
});

test('OUTBOX-24 a body too large for an intermediary is sent in smaller batches, and never parked', async () => {
  const server = new StandInServer();
  const device = await started(server);
  const sizes: number[] = [];
  server.fault = (path, _, { length }) => {
    if (path !== '/sync/1/batch') return undefined;
    sizes.push(length);
    return length > 5000 ? { status: 413, page: '<h1>413</h1>' } : undefined;
  };
  const words = Array.from({ length: 30 }, (_, index) => `${index} ${'word '.repeat(200)}`);
  await device.core.outbox.add(words.map((text) => commentOn('1', text)));
  await inSync(device);
  expect(commentsOf(server)).toEqual(words.toSorted());
  expect(sizes.filter((size) => size > 5000).length).toBeLessThanOrEqual(3);
});

test('OUTBOX-5 a wait requested by the server ends after 15 minutes, is shown, and "Try now" ends it', async () => {
  const server = new StandInServer();
  const device = await started(server);
  const answer = { status: 503, headers: { 'Retry-After': '31536000' } };
  const count = answerTo(server, '/sync/1/batch', answer, 1);
  await device.core.outbox.add([commentOn('1', 'Later')]);
  const { waitUntil, pending } = await syncState(device, (state) => state.waitUntil !== null);
  const wait = (waitUntil ?? 0) - device.environment.now();
  expect(wait).toBeLessThanOrEqual(15 * 60_000);
  expect(wait).toBeGreaterThan(10 * 60_000);
  expect(pending).toBe(1);
  device.core.sync.now();
  await inSync(device);
  expect(count.asked).toBe(2);
  await syncState(device, (state) => state.waitUntil === null);
});

test('OUTBOX-16 a missing tag is recognised by the code of the refusal, and by the message of older servers', async () => {
  const server = new StandInServer();
  const device = await started(server);
  const bodies: Record<string, object> = {
    coded: { error: true, message: 'No such tag', msg: 'No such tag', code: 'tag-not-found' },
    worded: { error: true, message: 'Tag not found' },
  };
  server.refuse = ({ lane }) => ({ status: 404, body: bodies[lane] });
  const untag = (lane: string): NewCall => ({
    kind: 'guide-tag',
    lane,
    method: 'DELETE',
    path: '/guides/1/tags/oil',
    target: { collection: 'guides', id: '1' },
    subject: 'Belt',
  });
  await device.core.outbox.add([untag('coded'), untag('worded')]);
  expect(await inSync(device)).toMatchObject({ parked: 0, pending: 0 });
});
