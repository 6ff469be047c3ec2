import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { pino } from 'pino';
import { expect, test } from 'vitest';

import type { Blobs, ListedBlob } from '#server/media/blobs.ts';
import { FileBlobs } from '#server/media/file-blobs.ts';
import { Bucket, partSize } from '#server/media/s3/bucket.ts';
import { S3Blobs } from '#server/media/s3/s3-blobs.ts';
import { startS3 } from '#test/support/s3-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

interface Store extends AsyncDisposable {
  blobs: Blobs;
  /** The same store, as another process sees it. */
  again: () => Promise<Blobs>;
}

const stores: Record<string, () => Promise<Store>> = {
  'a folder': async () => {
    const folder = await temporaryFolder('blobs');
    const again = () => FileBlobs.open(folder.path);
    return { blobs: await again(), again, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  },
  S3: async () => {
    const folder = await temporaryFolder('blobs');
    const s3 = await startS3();
    const again = () =>
      S3Blobs.open(new Bucket(s3.location), {
        folder: folder.path,
        log: pino({ level: 'silent' }),
        now: Date.now,
      });
    return {
      blobs: await again(),
      again,
      async [Symbol.asyncDispose]() {
        await s3[Symbol.asyncDispose]();
        await folder[Symbol.asyncDispose]();
      },
    };
  },
};

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function listOf(blobs: Blobs): Promise<ListedBlob[]> {
  const listed: ListedBlob[] = [];
  for await (const one of blobs.list()) listed.push(one);
  return listed;
}

for (const [name, open] of Object.entries(stores)) {
  test(`BLOB-1 in ${name}, stored bytes have the address of their SHA-256, in every process`, async () => {
    await using store = await open();
    const bytes = randomBytes(100_000);
    const stored = await store.blobs.put(bytes);
    expect(stored).toEqual({ sha256: hashOf(bytes), size: bytes.length });
    expect(await store.blobs.put(bytes)).toEqual(stored);
    const other = await store.again();
    expect(await other.read(stored.sha256)).toEqual(bytes);
    expect(await other.has(stored.sha256)).toBe(true);
    const empty = await store.blobs.put(new Uint8Array());
    expect(await other.read(empty.sha256)).toEqual(Buffer.alloc(0));
  });

  test(`BLOB-2 in ${name}, received files can be changed before they are stored, also large ones`, async () => {
    await using store = await open();
    const bytes = randomBytes(2 * partSize + 12_345);
    const pieces = Array.from({ length: 20 }, (_, n) => {
      const each = Math.ceil(bytes.length / 20);
      return bytes.subarray(n * each, (n + 1) * each);
    });
    {
      await using file = await store.blobs.receive(pieces);
      await file.write(partSize - 2, Buffer.from('changed'));
      bytes.write('changed', partSize - 2);
      expect(await file.keep()).toEqual({ sha256: hashOf(bytes), size: bytes.length });
    }
    const other = await store.again();
    expect(hashOf(await other.read(hashOf(bytes)))).toBe(hashOf(bytes));
    const file = await other.open(hashOf(bytes));
    expect(file.size).toBe(bytes.length);
    expect(hashOf(await buffer(await file.stream(0, bytes.length - 1)))).toBe(hashOf(bytes));
    expect(readdirSync(join(store.blobs.folder, 'incoming'))).toEqual([]);
  });

  test(`BLOB-3 in ${name}, a file that is given up or fails to arrive leaves nothing behind`, async () => {
    await using store = await open();
    {
      await using _file = await store.blobs.receive([Buffer.from('given up')]);
    }
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('the first half');
      throw new Error('the connection is lost');
    };
    await expect(store.blobs.receive(failing())).rejects.toThrow('the connection is lost');
    expect(readdirSync(join(store.blobs.folder, 'incoming'))).toEqual([]);
    expect(await listOf(store.blobs)).toEqual([]);
  });

  test(`BLOB-4 in ${name}, a stored file can be read in ranges`, async () => {
    await using store = await open();
    const bytes = randomBytes(1_000_000);
    const { sha256 } = await store.blobs.put(bytes);
    const file = await (await store.again()).open(sha256);
    const ranges: [number, number][] = [
      // The S3 server of the tests reads 0-0 as everything.
      [0, 1],
      [0, 999_999],
      [1, 999_998],
      [500_000, 700_000],
      [999_999, 999_999],
    ];
    for (const [start, end] of ranges)
      expect((await buffer(await file.stream(start, end))).equals(bytes.subarray(start, end + 1))).toBe(true);
    const known = await (await store.again()).open(sha256, bytes.length);
    expect((await known.bytes()).equals(bytes)).toBe(true);
  });

  test(`BLOB-5 in ${name}, a missing file is told with ENOENT, and a removed one is missing`, async () => {
    await using store = await open();
    const none = hashOf(Buffer.from('never stored'));
    await expect(store.blobs.read(none)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(store.blobs.open(none)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect((await store.blobs.open(none, 12)).bytes()).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await store.blobs.has(none)).toBe(false);
    const { sha256 } = await store.blobs.put(Buffer.from('stored'));
    await store.blobs.remove(sha256);
    await store.blobs.remove(sha256);
    expect(await store.blobs.has(sha256)).toBe(false);
    await expect(store.blobs.open(sha256)).rejects.toMatchObject({ code: 'ENOENT' });
    await store.blobs.put(Buffer.from('stored'));
    expect((await store.blobs.read(sha256)).toString()).toBe('stored');
  });

  test(`BLOB-6 in ${name}, derived data is made once, and is not in the list of blobs`, async () => {
    await using store = await open();
    const { sha256, size } = await store.blobs.put(Buffer.from('a picture'));
    let made = 0;
    const make = async (): Promise<Uint8Array> => {
      made += 1;
      return Buffer.from('a small picture');
    };
    const both = await Promise.all([
      store.blobs.derived(sha256, 'mini', make),
      store.blobs.derived(sha256, 'mini', make),
    ]);
    const later = await (await store.again()).derived(sha256, 'mini', make);
    for (const file of [...both, later]) {
      expect([file.size, (await file.bytes()).toString()]).toEqual([15, 'a small picture']);
      expect((await buffer(await file.stream(2, 6))).toString()).toBe('small');
    }
    expect(made).toBe(1);
    await expect(
      store.blobs.derived(sha256, 'broken', () => Promise.reject(new Error('not a picture'))),
    ).rejects.toThrow('not a picture');
    const listed = await listOf(store.blobs);
    expect(listed).toEqual([{ sha256, size, storedAt: expect.any(Number) }]);
    expect(Math.abs((listed[0]?.storedAt ?? 0) - Date.now())).toBeLessThan(3_600_000);
  });

  test(`BLOB-7 in ${name}, a name that is no SHA-256 is refused`, async () => {
    await using store = await open();
    for (const wrong of ['../../etc/passwd', 'A'.repeat(64), ''])
      await expect(store.blobs.read(wrong)).rejects.toThrow('Expected a SHA-256');
  });
}
