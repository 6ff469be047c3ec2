import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import sharp from 'sharp';
import { expect, test } from 'vitest';
import { Upload } from 'tus-js-client';

import { must } from '#shared/must.ts';
import { tusType, uploadState } from '#shared/sync/uploads.ts';
import { startServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { add, begin, key, uploadsOf, sha256, text, tus, url, use } from './tus-calls.ts';

/** A body that sends `bytes` and then breaks off, once the server has them. */
function breakingOff(bytes: Uint8Array, whenThere: () => Promise<void>): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      await whenThere();
      controller.error(new Error('cut'));
    },
  });
}

test('UPLOAD-1 an upload continues where it was cut, also after a restart of the server', async () => {
  await using folder = await temporaryFolder('uploads');
  const cut = text.subarray(0, 1500);
  let userid: number;
  let token: string;
  {
    await using server = await startServer({ dataDir: folder.path });
    const ana = await server.person('Ana');
    ({ userid, token } = ana);
    expect((await begin(server, ana, text.length)).status).toBe(201);
    const file = join(folder.path, 'media', 'uploads', String(userid), `${key}.${text.length}`);
    const hasArrived = (): Promise<void> => expect.poll(async () => (await stat(file)).size).toBe(cut.length);
    await expect(add(server, ana, 0, breakingOff(cut, hasArrived))).rejects.toThrow('fetch failed');
    expect((await tus(server, ana, 'HEAD', key)).headers.get('upload-offset')).toBe('1500');
  }
  await using server = await startServer({ dataDir: folder.path });
  const ana = { token };
  expect(uploadState.parse((await tus(server, ana, 'GET', key)).body)).toMatchObject({
    upload: key,
    offset: 1500,
    size: text.length,
  });
  const rest = await add(server, ana, 1500, text.subarray(1500));
  expect([rest.status, rest.headers.get('upload-offset')]).toEqual([204, String(text.length)]);
  expect((await use(server, ana, text)).body).toMatchObject({ filename: 'manual.txt', size: text.length });
});

test('UPLOAD-1 asking for an upload ends a stuck request that writes to it', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  await begin(server, ana, text.length);
  let isThere = (): void => undefined;
  const stuck = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(text.subarray(0, 100));
      isThere = () => controller.enqueue(text.subarray(0, 1));
    },
  });
  const hanging = add(server, ana, 0, stuck).then(
    () => 'answered',
    () => 'ended',
  );
  await expect.poll(async () => (await uploadsOf(server, ana)).map(({ size }) => size)).toEqual([100]);
  expect((await tus(server, ana, 'GET', key)).body).toMatchObject({ offset: 100 });
  isThere();
  expect(await hanging).toBe('ended');
  expect((await add(server, ana, 100, text.subarray(100))).status).toBe(204);
});

test('UPLOAD-2 nobody else can find an upload', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  const ada = await server.person('Ada', ['User', 'Author', 'Moderator', 'Admin']);
  await begin(server, ana, text.length);
  await add(server, ana, 0, text);
  for (const method of ['GET', 'HEAD', 'DELETE'])
    expect((await tus(server, ada, method, key)).status).toBe(404);
  expect((await add(server, ada, text.length, Buffer.from('x'))).status).toBe(404);
  expect(await use(server, ada, text)).toMatchObject({ status: 422, body: { code: 'upload-not-found' } });
  expect((await tus(server, { token: 'none' }, 'GET', key)).status).toBe(401);
  expect((await begin(server, ada, 7)).body).toMatchObject({ upload: key, offset: 0, size: 7 });
  expect((await tus(server, ana, 'GET', key)).body).toMatchObject({ offset: text.length });
});

test('UPLOAD-3 the documented call checks the file like one sent as its body', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  await begin(server, ana, text.length);
  await add(server, ana, 0, text.subarray(0, 100));
  expect(await use(server, ana, text)).toMatchObject({ status: 422, body: { code: 'upload-incomplete' } });
  await add(server, ana, 100, text.subarray(100));
  expect(await use(server, ana, text, { kind: 'images' })).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'body', message: 'Send a JPEG, GIF, PNG, BMP or TIFF file' }] },
  });
  const both = await fetch(url(server, text), {
    method: 'POST',
    headers: { Authorization: `api ${ana.token}` },
    body: 'x',
  });
  expect(both.status).toBe(422);
  const ben = await server.person('Ben', []);
  await begin(server, ben, 3);
  await add(server, ben, 0, Buffer.from('abc'));
  expect((await use(server, ana, text)).body).toMatchObject({ size: text.length });
  expect(await uploadsOf(server, ana)).toEqual([]);
});

test('UPLOAD-4 a call is the same whether its file is the body or an upload, and takes effect once', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  const direct = await fetch(`${server.url}/api/2.0/user/media/documents?file=manual.txt`, {
    method: 'POST',
    headers: { Authorization: `api ${ana.token}`, 'Idempotency-Key': key },
    body: text,
  });
  const first = (await direct.json()) as { documentid: number };
  const replay = await use(server, ana, text);
  expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(replay.body).toEqual(first);
  const other = Buffer.from('Another text');
  await begin(server, ana, other.length);
  await add(server, ana, 0, other);
  expect((await use(server, ana, other)).status).toBe(422);

  const second = 'upload-of-ana-2';
  await begin(server, ana, other.length, second);
  await add(server, ana, 0, other, second);
  const made = await use(server, ana, other, { name: second });
  expect(made.headers.get('idempotency-replayed')).toBeNull();
  const again = await use(server, ana, other, { name: second });
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(again.body).toEqual(made.body);
});

test.each([
  ['an invalid length', 'POST', null, { 'Upload-Length': '-1' }, 422],
  ['no length', 'POST', null, {}, 422],
  ['nothing to send', 'POST', null, { 'Upload-Length': '0' }, 422],
  ['more than the site allows', 'POST', null, { 'Upload-Length': String(81 * 1024 ** 2) }, 413],
  [
    'a key that leads elsewhere',
    'POST',
    null,
    { 'Upload-Length': '9', 'Upload-Metadata': 'key Li4vLi4vZXNjYXBl' },
    422,
  ],
  ['another version of tus', 'POST', null, { 'Upload-Length': '9', 'Tus-Resumable': '0.2.2' }, 412],
  ['a path that leads elsewhere', 'GET', '..%2f..%2fbenchbook.sqlite', {}, 404],
  ['a missing upload', 'GET', 'nothing-here', {}, 404],
  ['an invalid offset', 'PATCH', key, { 'Upload-Offset': 'x', 'Content-Type': tusType }, 422],
  ['another offset', 'PATCH', key, { 'Upload-Offset': '5', 'Content-Type': tusType }, 409],
  ['another type', 'PATCH', key, { 'Upload-Offset': '0', 'Content-Type': 'text/plain' }, 422],
])('UPLOAD-8 %s is refused', async (_, method, id, headers, status) => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  await begin(server, ana, 9);
  const got = await tus(server, ana, method, id, headers, method === 'PATCH' ? 'abc' : undefined);
  expect(got.status).toBe(status);
  expect((await uploadsOf(server, ana)).map(({ name, size }) => [name, size])).toEqual([[`${key}.9`, 0]]);
});

test('UPLOAD-9 a tus client uploads in pieces and continues what it began before', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  const photo = await sharp(randomBytes(600 * 400 * 3), { raw: { width: 600, height: 400, channels: 3 } })
    .png()
    .toBuffer();
  const options = {
    endpoint: `${server.url}/sync/1/uploads`,
    headers: { Authorization: `api ${ana.token}` },
    chunkSize: 100_000,
    retryDelays: null,
  };
  const first = await new Promise<Upload>((resolve, reject) => {
    const upload = new Upload(photo, {
      ...options,
      onError: reject,
      onChunkComplete: (_, sent) => sent > 200_000 && void upload.abort().then(() => resolve(upload), reject),
    });
    upload.start();
  });
  const uploadUrl = must(first.url, 'the address of the upload');
  await new Promise<void>((resolve, reject) => {
    const again = new Upload(photo, {
      ...options,
      uploadUrl,
      onError: reject,
      onSuccess: () => resolve(),
    });
    again.start();
  });
  const id = must(uploadUrl.split('/').at(-1), 'the id of the upload');
  const made = await fetch(`${server.url}/api/2.0/user/media/images?upload=${id}&sha256=${sha256(photo)}`, {
    method: 'POST',
    headers: { Authorization: `api ${ana.token}` },
  });
  expect(await made.json()).toMatchObject({ width: 600, height: 400 });
});

test('UPLOAD-9 browsers of other origins may use tus', async () => {
  await using server = await startServer({ site: { cors_origins: ['http://app.example'] } });
  const asked = await fetch(`${server.url}/sync/1/uploads`, {
    method: 'OPTIONS',
    headers: { Origin: 'http://app.example', 'Access-Control-Request-Method': 'PATCH' },
  });
  const allowed = String(asked.headers.get('access-control-allow-headers'));
  for (const name of ['Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset'])
    expect(allowed).toContain(name);
  const ana = await server.person('Ana');
  const begun = await tus(server, ana, 'POST', null, { 'Upload-Length': '9', Origin: 'http://app.example' });
  expect(begun.headers.get('location')).toMatch(/^\/sync\/1\/uploads\/[\w-]{24}$/);
  const exposed = String(begun.headers.get('access-control-expose-headers'));
  for (const name of ['Location', 'Tus-Resumable', 'Upload-Length', 'Upload-Offset'])
    expect(exposed).toContain(name);
});
