import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { BadSetting } from '#server/platform/config.ts';
import { keepFolderPrivate, mustOwnFolder } from '#server/storage/private-folder.ts';
import { makeStartFolder, type StartFolder } from '#test/support/start-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const uid = process.getuid?.() ?? 0;
/** Windows has access lists instead of modes and owners; there the profile's folder protects the data. */
const isWindows = process.platform === 'win32';
const start = (place: StartFolder, data: string) => place.start(['--no-demo', '--port', '0', '--data', data]);

/** A folder and its content; links are not followed. */
function tree(folder: string): string[] {
  const inside = readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const found = lstatSync(path);
    if (found.isSymbolicLink()) return [];
    return found.isDirectory() ? tree(path) : [path];
  });
  return [folder, ...inside];
}

const modeOf = (path: string): number => lstatSync(path).mode & 0o7777;

/** The paths that others may read, write or search. */
function openTo(folder: string): string[] {
  return tree(folder).filter((path) => modeOf(path) !== (lstatSync(path).isDirectory() ? 0o700 : 0o600));
}

/** Makes everything in a folder accessible to everyone, like a copy or an earlier version. */
function open(folder: string): void {
  for (const path of tree(folder)) chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644);
}

/** Runs a command in a separate process with the usual umask. */
async function benchbook(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['sync-server/cli/benchbook.ts', ...args], {
    cwd: root,
  });
  return stdout;
}

async function stop({ child, ended }: ReturnType<StartFolder['start']>): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

/** Uploads a picture and half a file as a person. */
async function upload(url: string, credentials: { email: string; password: string }): Promise<void> {
  const call = (path: string, body: Buffer | string, headers: Record<string, string>) =>
    fetch(`${url}${path}`, { method: 'POST', body: body as BodyInit, headers });
  const json = { 'Content-Type': 'application/json' };
  const signedIn = await call('/api/2.0/user/token', JSON.stringify(credentials), json);
  const { authToken } = (await signedIn.json()) as { authToken: string };
  const as = { Authorization: `api ${authToken}` };
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const kept = await call('/api/2.0/user/media/images?file=pixel.png', pixel, as);
  expect(kept.status).toBe(200);
  const begun = await call('/sync/1/uploads', '', {
    ...as,
    'Tus-Resumable': '1.0.0',
    'Upload-Length': '1000',
  });
  const part = await fetch(`${url}${begun.headers.get('Location')}`, {
    method: 'PATCH',
    body: 'the first bytes',
    headers: {
      ...as,
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
    },
  });
  expect(part.status).toBe(204);
}

test.skipIf(isWindows)(
  'STORAGE-28 files written by the server and the command line are accessible to their account only',
  async () => {
    using place = makeStartFolder();
    const data = join(place.dir, 'data');
    process.umask(0o022);
    const started = start(place, data);
    const url = await started.ready();
    const made = await benchbook(
      '--json',
      '--data',
      data,
      'user',
      'create',
      '--email',
      'ana@example.com',
      '--name',
      'Ana',
    );
    const { password } = JSON.parse(made) as { password: string };
    await upload(url, { email: 'ana@example.com', password });
    await benchbook('--data', data, 'audit', 'export', join(place.dir, 'audit.csv'));
    expect(readdirSync(data)).toEqual(
      expect.arrayContaining(['benchbook.sqlite-wal', 'benchbook.sqlite-shm']),
    );
    expect(openTo(data)).toEqual([]);
    expect(lstatSync(join(place.dir, 'audit.csv')).mode & 0o777).toBe(0o600);
    await stop(started);
    expect(openTo(data)).toEqual([]);
  },
);

test.skipIf(isWindows)(
  'STORAGE-29 a start restricts a data folder that was open to others, and continues an interrupted restriction',
  async () => {
    using place = makeStartFolder();
    const data = join(place.dir, 'data');
    const first = start(place, data);
    await first.ready();
    await stop(first);
    mkdirSync(join(place.dir, 'disk'));
    writeFileSync(join(place.dir, 'disk', 'photo'), '');
    symlinkSync(join(place.dir, 'disk'), join(data, 'media', 'elsewhere'));
    symlinkSync(data, join(data, 'media', 'circle'));
    writeFileSync(join(data, 'media', 'old'), 'an old picture');
    for (const mode of [0o755, 0o1700, 0o2750]) {
      open(data);
      open(join(place.dir, 'disk'));
      chmodSync(data, mode);
      const again = start(place, data);
      await again.ready();
      expect(openTo(data), mode.toString(8)).toEqual([]);
      expect(openTo(join(place.dir, 'disk'))).toEqual([]);
      expect(again.output.out).toContain('it is private now');
      await stop(again);
    }
    chmodSync(join(data, 'benchbook.sqlite'), 0o644);
    await benchbook('--data', data, 'site', 'get');
    expect(openTo(data)).toEqual([]);
  },
);

test.skipIf(isWindows)('STORAGE-30 files of another account are refused and left as they are', async () => {
  await using folder = await temporaryFolder('private');
  const data = join(folder.path, 'data');
  mkdirSync(data, { mode: 0o755 });
  expect(() => keepFolderPrivate(data, { uid: uid + 1 })).toThrow(BadSetting);
  const link = join(folder.path, 'link');
  symlinkSync(data, link);
  expect(() => mustOwnFolder(link, uid + 1)).toThrow(/link belongs to another account/);
  expect(lstatSync(data).mode & 0o777).toBe(0o755);
  expect(keepFolderPrivate(link)).toBe('made-private');
  writeFileSync(join(data, 'benchbook.sqlite'), '');
  expect(() => mustOwnFolder(data, uid + 1)).toThrow(BadSetting);
});

test.skipIf(isWindows || uid !== 0)(
  'STORAGE-30 root is refused a database of another account, and an account is refused files planted by others',
  async () => {
    using place = makeStartFolder();
    const data = join(place.dir, 'data');
    mkdirSync(data);
    writeFileSync(join(data, 'benchbook.sqlite'), '');
    chownSync(join(data, 'benchbook.sqlite'), 1234, 1234);
    const started = start(place, data);
    expect(await started.ended).toBe(1);
    expect(started.output.err).toMatch(/belongs to another account \(user id 1234\).*sudo -u '#1234'/);
    await expect(benchbook('--data', data, 'site', 'get')).rejects.toThrow('belongs to another account');
    chownSync(data, 1234, 1234);
    mkdirSync(join(data, 'media'), { mode: 0o777 });
    writeFileSync(join(data, 'media', 'planted'), '');
    chownSync(join(data, 'media', 'planted'), 4321, 4321);
    expect(() => keepFolderPrivate(data, { uid: 1234 })).toThrow(/planted belongs to another account/);
  },
);

test.skipIf(isWindows)('STORAGE-31 a restore restricts the files that it puts in place', async () => {
  using place = makeStartFolder();
  const data = join(place.dir, 'data');
  const started = start(place, data);
  await started.ready();
  await stop(started);
  const backup = join(place.dir, 'backup');
  cpSync(data, backup, { recursive: true });
  writeFileSync(join(backup, 'media', 'old'), 'an old picture');
  open(backup);
  open(data);
  open(data);
  await benchbook('restore', backup, '--data', data);
  expect(openTo(data)).toEqual([]);
  const kept = readdirSync(place.dir).filter((name) => name.startsWith('data.replaced-'));
  expect(kept).toHaveLength(1);
  expect(kept.flatMap((name) => openTo(join(place.dir, name)))).toEqual([]);
});
