import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { FileBlobs } from '#server/media/file-blobs.ts';
import { SharedWait } from '#server/media/sync-folder.ts';
import { Room } from '#server/platform/room.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

test('MEDIA-11 A file left unfinished by a power loss is moved to its place at the next start', async () => {
  await using folder = await temporaryFolder('blobs');
  const incoming = join(folder.path, 'incoming');
  const first = await FileBlobs.open(folder.path);
  const { sha256 } = await first.put(Buffer.from('a picture'));
  expect(await readdir(incoming)).toEqual([]);

  // Its name before it was durable in its place.
  await rename(first.path(sha256), join(incoming, `${sha256}.${randomUUID()}`));
  await writeFile(join(incoming, `${'0'.repeat(64)}.${randomUUID()}`), 'half of a pict');
  const again = await FileBlobs.open(folder.path);
  expect((await again.read(sha256)).toString()).toBe('a picture');

  // A file that another process may still be writing stays for an hour.
  const [half = ''] = await readdir(incoming);
  expect(half).toMatch(/^0{64}/);
  const old = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(incoming, half), old, old);
  await FileBlobs.open(folder.path);
  expect(await readdir(incoming)).toEqual([]);
});

test('MEDIA-11 The same bytes are stored once, and again if the stored file is damaged', async () => {
  await using folder = await temporaryFolder('blobs');
  const blobs = await FileBlobs.open(folder.path);
  const bytes = Buffer.from('a picture');
  const [one, other] = await Promise.all([blobs.put(bytes), blobs.put(bytes)]);
  expect(one).toEqual(other);
  const path = blobs.path(one.sha256);
  const { ino } = await stat(path);
  await blobs.put(bytes);
  expect((await stat(path)).ino).toBe(ino);
  await writeFile(path, 'a pic');
  await blobs.put(bytes);
  expect(await readFile(path, 'utf8')).toBe('a picture');
  expect(await readdir(dirname(path))).toEqual([one.sha256]);
});

test('MEDIA-11 A file that another process stored meanwhile counts as stored', async () => {
  await using folder = await temporaryFolder('blobs');
  const blobs = await FileBlobs.open(folder.path);
  const bytes = Buffer.alloc(300_000, 7);
  const incoming = join(folder.path, 'incoming');
  const storing = blobs.put(bytes);
  let [name] = await readdir(incoming);
  while (name === undefined || (await stat(join(incoming, name)).catch(() => null))?.size !== bytes.length)
    [name] = await readdir(incoming);
  const path = blobs.path(name.slice(0, 64));
  await mkdir(dirname(path), { recursive: true });
  await rename(join(incoming, name), path).catch(() => undefined);
  const { sha256 } = await storing;
  expect([sha256, existsSync(path)]).toEqual([name.slice(0, 64), true]);
});

test('a caller that waits for the disk is served by a sync that began after its request', async () => {
  const ends: (() => void)[] = [];
  const wait = new SharedWait(() => new Promise((resolve) => ends.push(resolve)));
  const done: string[] = [];
  const asked = (name: string) => wait.soon().then(() => done.push(name));
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const all = [asked('first')];
  await turn();
  all.push(asked('second'), asked('third'));
  await turn();
  expect([ends.length, done]).toEqual([1, []]);
  ends[0]?.();
  await turn();
  expect([ends.length, done]).toEqual([2, ['first']]);
  ends[1]?.();
  await Promise.all(all);
  expect(done).toEqual(['first', 'second', 'third']);
});

test('a budget admits callers in order while there is room, and an oversized one alone', async () => {
  const room = new Room(10);
  const running = new Set<string>();
  const seen: string[] = [];
  const ends = new Map<string, () => void>();
  const put = async (name: string, size: number): Promise<void> => {
    using _room = await room.take('caller', size);
    running.add(name);
    seen.push([...running].join(''));
    await new Promise<void>((resolve) => ends.set(name, resolve));
    running.delete(name);
    if (name === 'b') throw new Error('b failed');
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const all = Promise.allSettled([put('a', 6), put('b', 4), put('c', 30), put('d', 1)]);
  for (const name of ['a', 'b', 'c', 'd']) {
    await turn();
    ends.get(name)?.();
  }
  expect((await all).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(seen).toEqual(['a', 'ab', 'c', 'd']);
});
