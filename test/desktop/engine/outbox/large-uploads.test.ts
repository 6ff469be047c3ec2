import { randomBytes } from 'node:crypto';

import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { problemFields } from '#shared/api/problem.ts';
import {
  commentOn,
  inSync,
  newDisk,
  signIn,
  startDevice,
  whenCalls,
  type Device,
  type Disk,
} from '#test/desktop/engine/support/device.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { imageUpload } from '#test/desktop/engine/support/image-upload.ts';
import { madeUpSession } from '#test/desktop/engine/support/made-up-session.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** The fate of a request: bytes of its body after which the connection breaks, or a response by an intermediary. */
type Trouble = (path: string, method: string, bytes: number) => { cutAfter: number } | Response | undefined;

interface Way {
  fetch: typeof globalThis.fetch;
  /** Bytes of file bodies that were sent. */
  sent: number;
  requests: string[];
  trouble: Trouble;
}

const api = /^\/api\/2\.0\/user\/media|^\/sync\/1\/uploads/;

/** A device's connection to a real server, under a person's token. */
function wayTo(url: () => string, token: string): Way {
  const way: Way = {
    sent: 0,
    requests: [],
    trouble: () => undefined,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      const session = madeUpSession(pathname, init);
      if (session !== null) return session;
      const body = init?.body instanceof Blob ? init.body : null;
      const method = init?.method ?? 'GET';
      way.requests.push(`${method} ${pathname}`);
      const trouble = way.trouble(pathname, method, body?.size ?? 0);
      if (trouble instanceof Response) return trouble;
      const headers = new Headers(init?.headers);
      headers.set('Authorization', `api ${token}`);
      const there = url() + pathname + search;
      if (api.test(pathname)) way.sent += trouble?.cutAfter ?? body?.size ?? 0;
      if (trouble === undefined || body === null) return fetch(there, { ...init, headers });
      const arrives = body.slice(0, trouble.cutAfter).stream();
      const cut = new TransformStream({ flush: (controller) => controller.error(new TypeError('cut')) });
      const breaking = { ...init, headers, body: arrives.pipeThrough(cut), duplex: 'half' };
      return fetch(there, breaking as RequestInit);
    },
  };
  return way;
}

/** Breaks the connection when `share` of `size` bytes of files were sent, `times` times. */
function cuttingAt(way: Way, size: number, share: number, times: number): Trouble {
  let next = size * share;
  let left = times;
  return (path, _method, bytes) => {
    if (left === 0 || !api.test(path) || way.sent + bytes <= next) return undefined;
    const cutAfter = Math.max(0, Math.floor(next - way.sent));
    left -= 1;
    // The next cut comes equally late, counted from the bytes that will have arrived by then.
    next = way.sent + cutAfter + size * share;
    return { cutAfter };
  };
}

let made: Promise<Buffer> | undefined;

/** A photo of 2.2 MB: noise does not compress. */
function photo(): Promise<Buffer> {
  const size = { width: 960, height: 768, channels: 3 as const };
  made ??= sharp(randomBytes(size.width * size.height * size.channels), { raw: size })
    .png()
    .toBuffer();
  return made;
}

const upload = imageUpload('photo', 'upload-of-photo-1');

async function withPhoto(way: Pick<Way, 'fetch'>, disk: Disk = newDisk()): Promise<Device> {
  const device = endsWithTest(await startDevice(way, disk));
  await signIn(device);
  await inSync(device);
  await device.core.journal.putFile('photo', new Uint8Array(await photo()), {
    type: 'image/png',
    name: 'belt.png',
  });
  return device;
}

async function pictures(ana: TestPerson): Promise<unknown[]> {
  return (await ana.call('GET', '/user/media/images')).body;
}

let server: TestServer;
let people = 0;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

async function world(): Promise<{ ana: TestPerson; way: Way }> {
  const ana = await server.person(`Ana${(people += 1)}`);
  return { ana, way: wayTo(() => server.url, ana.token) };
}

test('OUTBOX-50 a file cut twice at 95 % costs at most 1.1 times its bytes and 64 KB for each cut', async () => {
  const { ana, way } = await world();
  const device = await withPhoto(way);
  const { length } = await photo();
  way.trouble = cuttingAt(way, length, 0.95, 2);
  await device.core.outbox.add([upload]);
  await whenCalls(device, (calls) => calls.length === 0);
  expect(await pictures(ana)).toMatchObject([{ width: 960, height: 768 }]);
  expect(way.sent).toBeLessThanOrEqual(1.1 * length + 2 * 64 * 1024);
});

test('OUTBOX-50 a file continues where it was after a restart of app and server', async () => {
  const folder = await temporaryFolder('uploads');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const { length } = await photo();
  const disk = newDisk();
  const first = await startServer({ dataDir: folder.path });
  const ana = await first.person('Ana');
  let url = first.url;
  const way = wayTo(() => url, ana.token);
  const before = await withPhoto(way, disk);
  way.trouble = (path) =>
    api.test(path) && way.sent > length / 2 ? new Response(null, { status: 502 }) : undefined;
  await before.core.outbox.add([upload]);
  await expect.poll(() => way.sent).toBeGreaterThan(length / 2);
  await before.close();
  await first[Symbol.asyncDispose]();

  const second = await startServer({ dataDir: folder.path });
  onTestFinished(() => second[Symbol.asyncDispose]());
  ({ url } = second);
  way.trouble = () => undefined;
  const after = endsWithTest(await startDevice(way, disk));
  await whenCalls(after, (calls) => calls.length === 0);
  const pictures = await fetch(`${url}/api/2.0/user/media/images`, {
    headers: { Authorization: `api ${ana.token}` },
  });
  expect(await pictures.json()).toMatchObject([{ width: 960 }]);
  expect(way.sent).toBe(length);
});

test('OUTBOX-50 bytes damaged in transit are sent again', async () => {
  const { ana, way } = await world();
  let isDamaged = false;
  const fetchThere: typeof fetch = async (input, init) => {
    const isFirst = !isDamaged && init?.method === 'PATCH' && init.body instanceof Blob;
    if (!isFirst) return way.fetch(input, init);
    isDamaged = true;
    return way.fetch(input, { ...init, body: new Blob([new Uint8Array((init.body as Blob).size)]) });
  };
  const device = await withPhoto({ fetch: fetchThere });
  await device.core.outbox.add([upload]);
  await whenCalls(device, (calls) => calls.length === 0);
  expect(await pictures(ana)).toMatchObject([{ width: 960 }]);
  expect(way.sent).toBe(2 * (await photo()).length);
});

test('OUTBOX-50 small calls do not wait for a file that does not arrive', async () => {
  const { ana, way } = await world();
  await server.category('Bench Grinder', undefined, 'A double grinder.');
  const guide = await ana.client.guides.create({
    body: { category: 'Bench Grinder', type: 'repair', title: 'Belt' },
  });
  const device = await withPhoto(way);
  way.trouble = (path) => (api.test(path) ? new Response('Not now', { status: 502 }) : undefined);
  await device.core.outbox.add([upload]);
  await device.core.outbox.add([commentOn(String(guide.guideid), 'Soon')]);
  const left = await whenCalls(device, (calls) => !calls.some(({ kind }) => kind === 'comment-add'));
  expect(left.map(({ id, state }) => [id, state === 'parked'])).toEqual([[upload.id, false]]);
});

test.each([
  ['204', 'PATCH', () => new Response(null, { status: 204 })],
  [
    '204 with the expected offset',
    'PATCH',
    (end: number) => new Response(null, { status: 204, headers: { 'Upload-Offset': String(end) } }),
  ],
  ['200 with a page', 'PATCH', () => page(200)],
  ['413 with a page', 'PATCH', () => page(413)],
  ['403 with a page', 'GET', () => page(403)],
  ['200 with a page', 'GET', () => page(200)],
  ['404 with a page', 'GET', () => page(404)],
  ['200 with a page', 'POST', () => page(200)],
  ['204', 'POST', () => new Response(null, { status: 204 })],
  ['that it is another server', 'GET', anotherServer],
  ['that it is another server', 'POST', anotherServer],
  ['that it is another server', 'PATCH', anotherServer],
])(
  'OUTBOX-50 an intermediary that answers %s to a %s of an upload neither moves nor parks anything',
  async (_, verb, answer) => {
    const { ana, way } = await world();
    const { length } = await photo();
    let foreign = 0;
    let end = 0;
    way.trouble = (path, method, bytes) => {
      if (method === 'PATCH') end += bytes;
      if (!api.test(path) || method !== verb || foreign === 3) return undefined;
      foreign += 1;
      return answer(end);
    };
    const device = await withPhoto(way);
    await device.core.outbox.add([upload]);
    await expect.poll(() => foreign).toBe(3);
    const calls = await whenCalls(device, (all) => all.every(({ state }) => state !== 'sending'));
    expect(calls.filter(({ state }) => state === 'parked')).toEqual([]);
    await whenCalls(device, (all) => all.length === 0);
    expect(await pictures(ana)).toMatchObject([{ width: 960 }]);
    expect(way.sent).toBeLessThanOrEqual(length + 4 * 64 * 1024);
  },
);

function page(status: number): Response {
  return new Response('<html>Welcome to the hotel</html>', {
    status,
    headers: { 'Content-Type': 'text/html' },
  });
}

function anotherServer(): Response {
  return Response.json(problemFields('This is another server', 'other-server'), { status: 410 });
}

test('OUTBOX-50 a server without resumable uploads gets the file with the call', async () => {
  const older = new StandInServer();
  const device = await withPhoto(older);
  await device.core.outbox.add([upload]);
  await whenCalls(device, (calls) => calls.length === 0);
  expect([...older.effects.values()]).toEqual([1]);
  expect(older.all('media')).toMatchObject([{ size: (await photo()).length }]);
  expect(older.requests.filter((path) => path.startsWith('/sync/1/uploads'))).toHaveLength(1);
});

test('OUTBOX-50 a small file is sent with its call', async () => {
  const { ana, way } = await world();
  const device = await withPhoto(way);
  const small = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#a4372c' } })
    .png()
    .toBuffer();
  await device.core.journal.putFile('small', new Uint8Array(small), { type: 'image/png', name: 'belt.png' });
  await device.core.outbox.add([{ ...upload, fileId: 'small' }]);
  await whenCalls(device, (calls) => calls.length === 0);
  expect(await pictures(ana)).toMatchObject([{ width: 64 }]);
  expect(way.requests.filter((request) => request.includes('uploads'))).toEqual([]);
});
