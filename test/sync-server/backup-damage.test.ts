import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { readBackupState } from '#server/features/backup/state.ts';
import { databaseName } from '#server/storage/sqlite.ts';

import { benchbook, filesBelow, flip, folders, mediaOf, workshop } from './backup-folders.ts';

/** Ways in which stored content is damaged: each changes one file of the backups. */
const damages: readonly [string, (path: string, at: number) => void][] = [
  ['a flipped bit', (path, at) => flip(path, at)],
  ['a missing end', (path, at) => writeFileSync(path, readFileSync(path).subarray(0, at))],
  ['an appended byte', (path) => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('x')]))],
  ['a missing file', (path) => rmSync(path)],
  ['zeros', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
];

test.each(['plain', 'encrypted'])('BACKUP-6 of 50 damaged backups, each is found: %s', async (kind) => {
  using at = folders();
  {
    await using _shop = await workshop(at);
  }
  const key = join(at.root, 'key');
  await benchbook('backup-key', key);
  const keyed = kind === 'encrypted' ? ['--key', key] : [];
  expect((await benchbook('backup', at.backup, '--data', at.data, ...keyed)).code).toBe(0);
  expect((await benchbook('verify', at.backup, '--data', at.data, ...keyed)).code).toBe(0);
  const files = filesBelow(at.backup).filter((name) => /^(?:objects|backups)\//.test(name));
  const missed: string[] = [];
  for (let round = 0; round < 50; round += 1) {
    const name = must(files[(round * 7) % files.length], 'a file');
    const path = join(at.backup, name);
    const [what, damage] = must(damages[round % damages.length], 'a damage');
    const whole = readFileSync(path);
    damage(path, (round * 7919) % whole.length);
    const { code, out, err } = await benchbook('verify', at.backup, '--data', at.data, ...keyed);
    if (code !== 1 || (out + err).length < 20) missed.push(`${what} in ${name}: ${code} ${out} ${err}`);
    writeFileSync(path, whole);
  }
  expect(missed).toEqual([]);
  expect((await benchbook('verify', at.backup, '--data', at.data, ...keyed)).code).toBe(0);
});

const fact = { sha256: '0'.repeat(64), size: 1, changedAt: 1 };

test.each([
  ['the same path twice', ['media/a', 'media/a']],
  ['a file as a folder of another', ['media/a', 'media/a/b']],
  ['the path of the database', [databaseName]],
  ['a folder of the name of the database', [`${databaseName}/a`]],
])('BACKUP-6 a list of files with %s is damaged', async (_, paths) => {
  using at = folders();
  {
    await using _shop = await workshop(at);
  }
  expect((await benchbook('backup', at.backup, '--data', at.data)).code).toBe(0);
  const [name = ''] = filesBelow(join(at.backup, 'backups'));
  const path = join(at.backup, 'backups', name);
  const envelope = JSON.parse(readFileSync(path, 'utf8')) as { manifest: string };
  const manifest = JSON.parse(envelope.manifest) as { files: object[] };
  manifest.files = paths.map((one) => ({ ...fact, path: one }));
  const text = JSON.stringify(manifest);
  const sha256 = createHash('sha256').update(text).digest('hex');
  writeFileSync(path, JSON.stringify({ sha256, manifest: text }));
  const data = join(at.root, 'restored');
  const { code, err } = await benchbook('restore', at.backup, '--data', data);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('is damaged. Nothing was changed.') as string,
  });
  expect(existsSync(data)).toBe(false);
});

test('BACKUP-7 a damaged file of the data folder is reported, and the rest is backed up', async () => {
  using at = folders();
  {
    await using _shop = await workshop(at);
  }
  const [name = ''] = mediaOf(at.data);
  flip(join(at.data, 'media', name), 30);
  const { code, out } = await benchbook('backup', at.backup, '--data', at.data);
  expect(code).toBe(0);
  expect(out).toContain(`media/${name} is missing or damaged in the data folder.`);
  expect((await readBackupState(at.data)).lastBackup?.findings).toHaveLength(1);
  const { code: proved, out: said } = await benchbook('verify', at.backup, '--data', at.data);
  expect(proved).toBe(1);
  expect(said).toContain('It was missing or damaged in the data folder.');
});

test.each(['plain', 'encrypted'])(
  'BACKUP-16 after a proof that failed, the next backup replaces what is damaged: %s',
  async (kind) => {
    using at = folders();
    await using _ = await workshop(at);
    const key = join(at.root, 'key');
    if (kind === 'encrypted') await benchbook('backup-key', key);
    const options = ['--data', at.data, ...(kind === 'encrypted' ? ['--key', key] : [])];
    expect((await benchbook('backup', at.backup, ...options)).code).toBe(0);
    const [object] = readdirSync(join(at.backup, 'objects'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted((a, b) => statSync(a).size - statSync(b).size);
    const path = must(object, 'an object');
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] = must(bytes.at(-1), 'a byte') ^ 1;
    writeFileSync(path, bytes);
    expect((await benchbook('verify', at.backup, ...options)).code).toBe(1);
    expect((await benchbook('backup', at.backup, ...options)).code).toBe(0);
    expect((await benchbook('verify', at.backup, ...options)).code).toBe(0);
  },
);
