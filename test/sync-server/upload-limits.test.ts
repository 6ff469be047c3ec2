import { expect, test } from 'vitest';

import { prune } from '#server/features/prune.ts';
import { keepUploadSeconds } from '#server/media/uploads/expiry.ts';
import { FolderBytes } from '#server/media/uploads/folder-bytes.ts';
import { Uploads, uploadQuota } from '#server/media/uploads/store.ts';
import { startServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { add, begin, key, uploadsOf, text, tus, use } from './tus-calls.ts';

test('UPLOAD-3 a file with bytes other than its SHA-256 says is refused and removed', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  await begin(server, ana, text.length);
  await add(server, ana, 0, Buffer.alloc(text.length, 'x'));
  expect(await use(server, ana, text)).toMatchObject({ status: 422, body: { code: 'upload-damaged' } });
  expect((await tus(server, ana, 'GET', key)).status).toBe(404);
  const response = await fetch(
    `${server.url}/api/2.0/user/media/documents?upload=${key}&sha256=${'A'.repeat(64)}`,
    { method: 'POST', headers: { Authorization: `api ${ana.token}` } },
  );
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ errors: [{ field: 'sha256' }] });
});

test('UPLOAD-5 unfinished uploads of a person have a quota, which finishing them frees', async () => {
  await using folder = await temporaryFolder('uploads');
  const uploads = new Uploads({ bytes: await FolderBytes.open(folder.path, Date.now), now: Date.now });
  const half = uploadQuota.bytes / 2;
  await uploads.begin(1, 'half-of-the-quota', half);
  await uploads.begin(1, 'the-other-half', half);
  await expect(uploads.begin(1, 'one-byte-more', 1)).rejects.toMatchObject({
    kind: 'too-many-requests',
    details: { code: 'upload-quota' },
  });
  await uploads.begin(2, 'somebody-else', half);
  await uploads.remove(1, 'the-other-half');
  await uploads.begin(1, 'one-byte-more', 1);
  for (let count = 2; count < uploadQuota.files; count += 1)
    await uploads.begin(1, `upload-${count}-of-many`, 1);
  await expect(uploads.begin(1, 'one-file-more', 1)).rejects.toMatchObject({ kind: 'too-many-requests' });
});

test('UPLOAD-5 uploads that start at the same time stay within the quota together', async () => {
  await using folder = await temporaryFolder('uploads');
  const uploads = new Uploads({ bytes: await FolderBytes.open(folder.path, Date.now), now: Date.now });
  const third = Math.floor(uploadQuota.bytes / 3);
  const begun = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => uploads.begin(1, `parallel-${index}`, third)),
  );
  expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  const many = Array.from({ length: uploadQuota.files + 5 }, (_, index) =>
    uploads.begin(2, `parallel-${index}`, 1),
  );
  const files = await Promise.allSettled(many);
  expect(files.filter(({ status }) => status === 'fulfilled')).toHaveLength(uploadQuota.files);
});

test('UPLOAD-8 an upload started twice at the same time with two sizes exists once', async () => {
  await using folder = await temporaryFolder('uploads');
  const uploads = new Uploads({ bytes: await FolderBytes.open(folder.path, Date.now), now: Date.now });
  const both = await Promise.allSettled([uploads.begin(1, key, 10), uploads.begin(1, key, 20)]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect((await uploads.read(1, key)).size).toBe(10);
});

test('UPLOAD-6 an abandoned upload is removed after a week', async () => {
  let late = 0;
  await using server = await startServer({ now: () => Date.now() + late });
  const ana = await server.person('Ana');
  await begin(server, ana, text.length);
  late = (keepUploadSeconds - 3600) * 1000;
  await add(server, ana, 0, text.subarray(0, 10));
  await begin(server, ana, 5, 'upload-of-ana-2');
  late = (2 * keepUploadSeconds - 7200) * 1000;
  await prune(server.services);
  expect((await uploadsOf(server, ana)).map(({ size }) => size).toSorted((a, b) => a - b)).toEqual([0, 10]);
  late = (2 * keepUploadSeconds + 3600) * 1000;
  await prune(server.services);
  expect(await uploadsOf(server, ana)).toEqual([]);
});

test('UPLOAD-7 a full disk is reported before anything is sent', async () => {
  await using folder = await temporaryFolder('uploads');
  const bytes = await FolderBytes.open(folder.path, Date.now);
  bytes.freeBytes = async () => 65 * 1024 ** 2;
  const uploads = new Uploads({ bytes, now: Date.now });
  await expect(uploads.begin(1, 'upload-too-large', 2 * 1024 ** 2)).rejects.toMatchObject({
    kind: 'unavailable',
    details: { code: 'disk-full' },
    message: "The server's disk is full; nothing was stored",
  });
  expect(await uploads.begin(1, 'upload-that-fits', 1024 ** 2)).toMatchObject({ offset: 0 });
});

test('UPLOAD-8 bytes beyond the end of an upload are refused, and its length does not change', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  await begin(server, ana, 9);
  expect((await begin(server, ana, 10)).status).toBe(409);
  expect((await add(server, ana, 0, 'more than nine bytes')).status).toBe(422);
  expect((await tus(server, ana, 'GET', key)).body).toMatchObject({ offset: 0, size: 9 });
});
