import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readBackupState } from '#server/features/backup/state.ts';
import { lockFolder } from '#server/storage/folder-lock.ts';
import { startServer } from '#test/support/server.ts';

import { benchbook, filesBelow, flip, folders, workshop } from './backup-folders.ts';

test('BACKUP-9 what cannot be done is refused with words, and nothing is changed', async () => {
  using at = folders();
  expect(await benchbook('backup', at.backup, '--data', at.data)).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no Benchbook data in') as string,
  });
  expect((await benchbook('backup', '--data', at.data)).err).toContain('Name the folder of the backups');
  expect((await benchbook('verify', at.backup, '--data', at.data)).err).toContain('There is no folder');
  mkdirSync(at.backup);
  expect((await benchbook('verify', at.backup, '--data', at.data)).err).toContain('There are no backups in');
  {
    await using _shop = await workshop(at);
  }
  expect((await benchbook('backup', at.backup, '--data', at.data)).code).toBe(0);
  expect((await benchbook('verify', at.backup, '--backup', 'x', '--data', at.data)).err).toContain(
    'There is no backup x',
  );
  const inUse = join(at.root, 'second');
  const [object = ''] = filesBelow(join(at.backup, 'objects'));
  flip(join(at.backup, 'objects', object), 5);
  const refused = await benchbook('restore', at.backup, '--data', inUse);
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing was changed. Restore another backup with --backup.') as string,
  });
  expect(existsSync(inUse)).toBe(false);
});

test('BACKUP-9 a backup into its own data folder is refused, also through a link', async () => {
  using at = folders();
  await using _ = await workshop(at);
  symlinkSync(at.data, join(at.root, 'link'));
  for (const folder of [
    at.data,
    join(at.data, 'media'),
    join(at.data, 'new'),
    join(at.root, 'link'),
    at.root,
  ])
    expect(await benchbook('backup', folder, '--data', at.data)).toMatchObject({
      code: 1,
      err: expect.stringContaining('must not lie within each other') as string,
    });
  expect(readdirSync(at.data)).not.toContain('objects');
});

test('BACKUP-9 of two backups of a data folder at once, one is told of the other', async () => {
  using at = folders();
  await using _ = await workshop(at);
  using lock = lockFolder(at.data, 'backup.lock');
  expect(lock).not.toBeNull();
  expect(await benchbook('backup', at.backup, '--data', at.data)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Another backup of') as string,
  });
});

test('BACKUP-9 a damaged list of backups, or a key that is no file, is told with words', async () => {
  using at = folders();
  await using _ = await workshop(at);
  expect((await benchbook('backup', at.backup, '--data', at.data)).code).toBe(0);
  expect((await benchbook('backup', at.backup, '--data', at.data, '--key', at.root)).err).toContain(
    'cannot be read (not a file)',
  );
  writeFileSync(join(at.backup, 'benchbook-backups.json'), '{');
  expect((await benchbook('verify', at.backup, '--data', at.data)).err).toContain('is damaged');
});

test('BACKUP-15 a folder whose backups are gone is not begun again unless that is asked for', async () => {
  using at = folders();
  await using _ = await workshop(at);
  expect((await benchbook('backup', at.backup, '--data', at.data)).code).toBe(0);
  renameSync(at.backup, `${at.backup}-unmounted`);
  const refused = await benchbook('backup', at.backup, '--data', at.data);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('are gone. Is the disk mounted?');
  expect(existsSync(at.backup)).toBe(false);
  expect((await readBackupState(at.data)).failedBackup?.findings).toEqual([
    expect.stringContaining('mounted'),
  ]);
  // As a mount point is when the disk is not there.
  mkdirSync(at.backup);
  expect((await benchbook('backup', at.backup, '--data', at.data)).code).toBe(1);
  expect(readdirSync(at.backup)).toEqual([]);
  expect((await benchbook('backup', join(at.root, 'elsewhere'), '--data', at.data)).code).toBe(0);
  expect((await benchbook('backup', at.backup, '--data', at.data)).code).toBe(1);
});

test('BACKUP-15 --begin begins again', async () => {
  using at = folders();
  await using _ = await workshop(at);
  expect((await benchbook('backup', at.backup, '--data', at.data)).code).toBe(0);
  rmSync(at.backup, { recursive: true });
  expect((await benchbook('backup', at.backup, '--begin', '--data', at.data)).code).toBe(0);
  expect((await benchbook('verify', at.backup, '--data', at.data)).code).toBe(0);
});

test('BACKUP-18 files of others in the folder of backups change nothing', async () => {
  using at = folders();
  await using _ = await workshop(at);
  expect((await benchbook('backup', at.backup, '--data', at.data)).code).toBe(0);
  writeFileSync(join(at.backup, 'backups', 'Thumbs.db'), 'x');
  writeFileSync(join(at.backup, 'objects', '.DS_Store'), 'x');
  mkdirSync(join(at.backup, 'lost+found'), { mode: 0 });
  // Old ones are removed, with what only they need.
  const [made = ''] = readdirSync(join(at.backup, 'backups')).filter((name) => name !== 'Thumbs.db');
  for (const old of ['2020-01-01T00-00-00Z', '2020-01-01T10-00-00Z'])
    cpSync(join(at.backup, 'backups', made), join(at.backup, 'backups', old));
  const keep = ['--keep-days', '1', '--keep-weeks', '1', '--keep-months', '1'];
  expect(await benchbook('backup', at.backup, '--data', at.data, ...keep)).toMatchObject({
    code: 0,
    err: '',
  });
  expect((await benchbook('verify', at.backup, '--data', at.data)).code).toBe(0);
  expect((await benchbook('backups', at.backup)).out).not.toContain('Thumbs');
});

test('BACKUP-19 the backups of another site and of a copy are refused, and nothing is changed', async () => {
  using at = folders();
  {
    await using _shop = await workshop(at);
  }
  expect((await benchbook('backup', at.backup, '--data', at.data)).code).toBe(0);
  const before = filesBelow(at.backup);
  const other = join(at.root, 'other');
  {
    await using server = await startServer({ dataDir: other, site: { title: 'South plant' } });
    await server.person('Tom');
  }
  for (const option of [[], ['--begin']])
    expect(await benchbook('backup', at.backup, '--data', other, ...option)).toMatchObject({
      code: 1,
      err: expect.stringContaining('are those of another site') as string,
    });
  const copy = join(at.root, 'copy');
  expect((await benchbook('restore', at.backup, '--data', copy, '--copy')).code).toBe(0);
  expect(await benchbook('backup', at.backup, '--data', copy)).toMatchObject({
    code: 1,
    err: expect.stringContaining('of which this one is a copy') as string,
  });
  expect(filesBelow(at.backup)).toEqual(before);
  expect((await benchbook('backup', at.backup, '--data', at.data)).code).toBe(0);
  // The first server is no more.
  expect((await benchbook('backup', at.backup, '--data', copy, '--begin')).code).toBe(0);
  expect((await benchbook('backup', at.backup, '--data', at.data)).code).toBe(1);
});
