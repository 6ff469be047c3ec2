import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { keyFileName } from '#server/core/identity/server-key.ts';
import { startServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { benchbook, filesBelow, folders, mediaOf, picture, rows, workshop } from './backup-folders.ts';

test('BACKUP-1 a backup that is made while people write holds everything that was acknowledged before it', async () => {
  using at = folders();
  let before: number;
  {
    await using shop = await workshop(at);
    const writing = new AbortController();
    const written: number[] = [];
    const writer = (async () => {
      while (!writing.signal.aborted) written.push((await makeGuide(shop.ana)).guideid);
    })();
    await expect.poll(() => written.length).toBeGreaterThan(3);
    before = written.length + 1;
    const { code, err } = await benchbook('backup', at.backup, '--data', at.data);
    writing.abort();
    await writer;
    expect({ code, err }).toEqual({ code: 0, err: '' });
  }
  expect((await benchbook('restore', at.backup, '--data', at.data)).code).toBe(0);
  expect(rows(at.data, 'guides')).toBeGreaterThanOrEqual(before);
  expect(mediaOf(at.data)).toHaveLength(3);
  await using again = await startServer({ dataDir: at.data });
  expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
});

test('BACKUP-2 a restored data folder is what was backed up, and its server goes on as the same one', async () => {
  using at = folders();
  {
    await using shop = await workshop(at);
    expect(shop.server.services.site.title).toBe('North plant');
  }
  const media = mediaOf(at.data);
  const counts = ['users', 'guides', 'images'].map((table) => rows(at.data, table));
  const key = readFileSync(join(at.data, keyFileName), 'utf8');
  await benchbook('backup-key', join(at.root, 'key'));
  const keyed = ['--key', join(at.root, 'key')];
  expect((await benchbook('backup', at.backup, '--data', at.data, ...keyed)).code).toBe(0);
  // Another machine, without the data folder.
  rmSync(at.data, { recursive: true });
  const restored = await benchbook('restore', at.backup, '--data', at.data, ...keyed);
  expect({ code: restored.code, err: restored.err }).toEqual({ code: 0, err: '' });
  expect(mediaOf(at.data)).toEqual(media);
  expect(['users', 'guides', 'images'].map((table) => rows(at.data, table))).toEqual(counts);
  expect(readFileSync(join(at.data, keyFileName), 'utf8')).toBe(key);
  for (const name of media) expect(statSync(join(at.data, 'media', name)).mode & 0o777).toBe(0o600);
});

test('BACKUP-3 a later backup stores what is new, and each of them can be restored', async () => {
  using at = folders();
  await using shop = await workshop(at);
  const first = JSON.parse((await benchbook('--json', 'backup', at.backup, '--data', at.data)).out) as Report;
  const objects = filesBelow(join(at.backup, 'objects'));
  await picture(shop.ana, 4);
  const second = JSON.parse(
    (await benchbook('--json', 'backup', at.backup, '--data', at.data)).out,
  ) as Report;
  const added = filesBelow(join(at.backup, 'objects')).filter((name) => !objects.includes(name));
  // The database, the new picture, and what the audit log notes outside of the database.
  expect(added.length).toBeGreaterThanOrEqual(2);
  expect(added.length).toBeLessThanOrEqual(3);
  expect(second.files).toBe(first.files + 1);
  for (const [name, pictures] of [
    [first.name, 3],
    [second.name, 4],
  ] as const) {
    const data = join(at.root, `restored-${pictures}`);
    const { code, err } = await benchbook('restore', at.backup, '--backup', name, '--data', data);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(mediaOf(data)).toHaveLength(pictures);
    expect(rows(data, 'images')).toBe(pictures);
  }
});

interface Report {
  name: string;
  files: number;
  newBytes: number;
}

test('BACKUP-4 with a key nothing of the content can be read without it, and without one there is no key of the server', async () => {
  using at = folders();
  {
    await using _shop = await workshop(at);
  }
  const key = join(at.root, 'key');
  expect((await benchbook('backup-key', key)).code).toBe(0);
  expect(statSync(key).mode & 0o777).toBe(0o600);
  expect((await benchbook('backup-key', key)).err).toContain('exists already');
  expect((await benchbook('backup', at.backup, '--data', at.data, '--key', key)).code).toBe(0);
  const content = filesBelow(at.backup).map((name) => readFileSync(join(at.backup, name)));
  for (const word of ['North plant', 'Unplug it', 'SQLite format 3', 'ana@example.com', 'PRIVATE KEY'])
    expect(content.some((bytes) => bytes.includes(word))).toBe(false);
  const hashes = mediaOf(at.data).map((name) => name.slice(3));
  expect(filesBelow(at.backup).some((name) => hashes.some((hash) => name.includes(hash)))).toBe(false);
  expect(await benchbook('verify', at.backup, '--data', at.data)).toMatchObject({
    code: 1,
    err: expect.stringContaining('are encrypted. Name their key with --key.') as string,
  });
  await benchbook('backup-key', join(at.root, 'other'));
  expect(
    await benchbook('verify', at.backup, '--data', at.data, '--key', join(at.root, 'other')),
  ).toMatchObject({
    code: 1,
    err: expect.stringContaining('encrypted with another key') as string,
  });
  const plain = join(at.root, 'plain');
  expect((await benchbook('backup', plain, '--data', at.data)).code).toBe(0);
  const open = filesBelow(plain).map((name) => readFileSync(join(plain, name)));
  expect(open.some((bytes) => bytes.includes('Unplug it'))).toBe(true);
  expect(open.some((bytes) => bytes.includes('PRIVATE KEY'))).toBe(false);
});

/** What a backup leaves out of a data folder, and why. */
const leftOut = [
  // The database is copied, not its file.
  /^benchbook\.sqlite(-wal|-shm)?$/,
  // Only encrypted backups hold it.
  /^server\.key$/,
  // Locks, and what a process writes for itself.
  /\.lock$/,
  /^backup-state\.json$/,
  // Files on their way.
  /^media\/(?:incoming|uploads)\//,
  // Sizes of pictures are made again.
  /^media\/[0-9a-f]{2}\/[0-9a-f]{64}\./,
  /^archives\/(?:writing|command)\//,
];

test('BACKUP-5 each file of a data folder is in its backup, or on the list of what is left out', async () => {
  using at = folders();
  {
    await using shop = await workshop(at);
    const [image] = mediaOf(at.data);
    expect(image).toBeDefined();
    const { body } = await shop.ana.call('GET', '/user/media/images');
    const [{ image: found }] = body as [{ image: { standard: string } }];
    expect((await fetch(found.standard)).status).toBe(200);
  }
  const { out } = await benchbook('--json', 'backup', at.backup, '--data', at.data);
  expect(JSON.parse(out)).toMatchObject({ missing: [] });
  await benchbook('restore', at.backup, '--data', join(at.root, 'restored'));
  const restored = filesBelow(join(at.root, 'restored'));
  const lost = filesBelow(at.data).filter(
    (name) => !restored.includes(name) && !leftOut.some((pattern) => pattern.test(name)),
  );
  expect(lost).toEqual([]);
});

test('BACKUP-8 a backup that is killed harms no earlier one, and the next one succeeds', async () => {
  using at = folders();
  await using shop = await workshop(at);
  expect((await benchbook('backup', at.backup, '--data', at.data)).code).toBe(0);
  const program = join(import.meta.dirname, '../../sync-server/cli/benchbook.ts');
  for (const delay of [50, 150, 300, 600]) {
    await picture(shop.ana, 10 + delay);
    const killed = spawnSync(process.execPath, [program, 'backup', at.backup, '--data', at.data], {
      timeout: 400 + delay,
      killSignal: 'SIGKILL',
    });
    expect([null, 0]).toContain(killed.status);
    expect((await benchbook('verify', at.backup, '--data', at.data)).code).toBe(0);
  }
  expect((await benchbook('backup', at.backup, '--data', at.data)).code).toBe(0);
  expect((await benchbook('verify', at.backup, '--data', at.data)).code).toBe(0);
  expect(existsSync(join(at.data, 'backup.tmp'))).toBe(false);
  expect(filesBelow(at.backup).filter((name) => name.startsWith('incoming/'))).toEqual([]);
});
