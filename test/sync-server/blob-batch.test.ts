import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { BlobBatch } from '#server/media/blob-batch.ts';
import { FileBlobs } from '#server/media/file-blobs.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

test('MEDIA-11 files that are stored together are there after `keep`, once each, and nothing else is', async () => {
  await using folder = await temporaryFolder('batch');
  const blobs = await FileBlobs.open(folder.path);
  const known = new Set<string>();
  const contents = Array.from({ length: 20 }, (_, n) => Buffer.from(`picture ${n % 15}`));
  const stored = await (async () => {
    await using batch = new BlobBatch(folder.path, known);
    const all = contents.map((content) => batch.add(content));
    expect(all.some(({ sha256 }) => existsSync(blobs.path(sha256)))).toBe(false);
    await batch.keep();
    return all;
  })();
  for (const [n, { sha256, size }] of stored.entries()) {
    expect(size).toBe(contents[n]?.length);
    expect(await blobs.read(sha256)).toEqual(contents[n]);
  }
  expect(readdirSync(join(folder.path, 'incoming'))).toEqual([]);
});

test('MEDIA-11 a batch that is given up leaves nothing behind', async () => {
  await using folder = await temporaryFolder('batch');
  const blobs = await FileBlobs.open(folder.path);
  const { sha256 } = await (async () => {
    await using batch = new BlobBatch(folder.path, new Set());
    return batch.add(Buffer.from('a picture'));
  })();
  expect([existsSync(blobs.path(sha256)), readdirSync(join(folder.path, 'incoming'))]).toEqual([false, []]);
});

test('MEDIA-11 a stop between writing and renaming loses no file: the next start moves it', async () => {
  await using folder = await temporaryFolder('batch');
  await FileBlobs.open(folder.path);
  // Not disposed of, like after a kill.
  const batch = new BlobBatch(folder.path, new Set());
  const { sha256 } = batch.add(Buffer.from('a picture'));
  const blobs = await FileBlobs.open(folder.path);
  expect((await blobs.read(sha256)).toString()).toBe('a picture');
});

test('LOAD-3 the memory of received pieces is freed when they are written, if nobody else uses them', async () => {
  await using folder = await temporaryFolder('pieces');
  const blobs = await FileBlobs.open(folder.path);
  const made = (): Buffer[] =>
    Array.from({ length: 20 }, (_, n) => Buffer.from(new Uint8Array(64 * 1024).fill(n).buffer));
  const [ours, shared] = [made(), made()];
  const part = Buffer.from(new Uint8Array(200_000).fill(99).buffer).subarray(0, 100_000);
  const first = await (await blobs.receive([...ours, part], true)).keep();
  const second = await (await blobs.receive([...shared, part])).keep();
  expect(first).toEqual(second);
  expect(await readFile(blobs.path(first.sha256))).toEqual(Buffer.concat([...shared, part]));
  expect(ours.map(({ length }) => length)).toEqual(ours.map(() => 0));
});
