/** Resumable uploads in S3: their limits as in a folder, and what several servers need. */
import { createHash, randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';

import { expect, test } from 'vitest';

import { Bucket } from '#server/media/s3/bucket.ts';
import { BucketUploads } from '#server/media/s3/bucket-uploads.ts';
import { Uploads } from '#server/media/uploads/store.ts';
import { filesInS3 } from '#test/support/files-in-s3.ts';

const s3 = await filesInS3();
await import('./upload-limits.test.ts');

const opened = (prefix: string): Uploads =>
  new Uploads({ bytes: new BucketUploads(new Bucket({ ...s3.location, prefix }), Date.now), now: Date.now });

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('BUCKET-6 an upload goes on at another server, also after its connection was lost', async () => {
  const [one, other] = [opened('two-servers/'), opened('two-servers/')];
  const file = randomBytes(10_000_000);
  await one.begin(1, 'upload-1', file.length);
  const cut = async function* (): AsyncGenerator<Buffer> {
    yield file.subarray(0, 5_000_000);
    yield file.subarray(5_000_000, 6_000_000);
    throw new Error('the connection is lost');
  };
  await expect(one.append(1, 'upload-1', 0, Readable.from(cut()))).rejects.toThrow('the connection is lost');
  expect(await other.read(1, 'upload-1')).toMatchObject({ offset: 6_000_000, size: file.length });
  expect(await other.begin(1, 'upload-1', file.length)).toMatchObject({ offset: 6_000_000 });
  await expect(other.append(1, 'upload-1', 5_000_000, Readable.from([]))).rejects.toMatchObject({
    kind: 'conflict',
  });
  const rest = Readable.from([file.subarray(6_000_000)]);
  expect(await other.append(1, 'upload-1', 6_000_000, rest)).toMatchObject({ offset: file.length });
  expect((await one.bytes(1, 'upload-1', hashOf(file))).equals(file)).toBe(true);
  await one.remove(1, 'upload-1');
  expect(await other.size(1, 'upload-1')).toBe(0);
});

test('BUCKET-6 bytes that two servers received of the same offset are used once, none that was acknowledged is lost', async () => {
  const [one, other] = [opened('same-offset/'), opened('same-offset/')];
  const file = randomBytes(1000);
  await one.begin(1, 'upload-1', file.length);
  const late = new PassThrough();
  const appending = one.append(1, 'upload-1', 0, late);
  late.write(file.subarray(0, 700));
  await other.append(1, 'upload-1', 0, Readable.from([file.subarray(0, 500)]));
  expect(await other.append(1, 'upload-1', 500, Readable.from([file.subarray(500, 800)]))).toMatchObject({
    offset: 800,
  });
  late.end();
  expect(await appending).toMatchObject({ offset: 800 });
  await other.append(1, 'upload-1', 800, Readable.from([file.subarray(800)]));
  expect((await one.bytes(1, 'upload-1', hashOf(file))).equals(file)).toBe(true);
});

test('BUCKET-6 the uploads of servers are in S3, and not in their data folders', () => {
  expect(s3.requests.some(({ method, path }) => method === 'PUT' && path.includes('/uploads/'))).toBe(true);
});
