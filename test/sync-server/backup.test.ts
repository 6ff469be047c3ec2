import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import sharp from 'sharp';
import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { runCli } from '#server/cli/program.ts';
import { keyFileName } from '#server/core/identity/server-key.ts';
import { noCipher } from '#server/features/backup/cipher.ts';
import { makeBackup } from '#server/features/backup/make-backup.ts';
import { Repository } from '#server/features/backup/repository.ts';
import { backupName, backupsToRemove } from '#server/features/backup/retention.ts';
import { readBackupState } from '#server/features/backup/state.ts';
import { FolderTarget } from '#server/features/backup/target.ts';
import { lockFolder } from '#server/storage/folder-lock.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

interface Folders extends Disposable {
  root: string;
  data: string;
  backup: string;
}

function folders(): Folders {
  const root = mkdtempSync(join(tmpdir(), 'benchbook-backup-'));
  return {
    root,
    data: join(root, 'data'),
    backup: join(root, 'backup'),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

async function benchbook(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, {
    env: {},
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    input: async () => '',
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** A picture that no other one equals, as a file of a person. */
async function picture(person: TestPerson, shade: number): Promise<void> {
  const bytes = await sharp({
    create: {
      width: 40,
      height: 30,
      channels: 3,
      background: { r: shade % 256, g: (shade * 7) % 256, b: 90 },
    },
  })
    .png()
    .toBuffer();
  const answer = await fetch(`${person.url}/api/2.0/user/media/images?file=shade-${shade}.png`, {
    method: 'POST',
    headers: { Authorization: `api ${person.token}`, 'Content-Type': 'image/png' },
    body: new Uint8Array(bytes),
  });
  expect(answer.status).toBe(200);
}

type TestPerson = { url: string; token: string } & Awaited<ReturnType<TestServer['person']>>;

/** A data folder with guides, pictures and an archive of imported work; its server runs until it is disposed of. */
async function workshop(at: Folders): Promise<{ server: TestServer; ana: TestPerson } & AsyncDisposable> {
  const server = await startServer({ dataDir: at.data, site: { title: 'North plant' } });
  await server.category('Bench Grinder');
  const ana = { ...(await server.person('Ana')), url: server.url };
  await makeGuide(ana);
  for (const shade of [1, 2, 3]) await picture(ana, shade);
  return { server, ana, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const mediaOf = (folder: string): string[] =>
  readdirSync(join(folder, 'media'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^[0-9a-f]{2}.[0-9a-f]{64}$/.test(name))
    .toSorted();

/** Rows of a table in a data folder. */
function rows(folder: string, table: string): number {
  const database = new BetterSqlite3(join(folder, databaseName), { readonly: true });
  try {
    return Number(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  } finally {
    database.close();
  }
}

/** Every file below a folder, with `/`. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
    .toSorted();

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

/** Ways in which stored content is damaged: each changes one file of the backups. */
const damages: readonly [string, (path: string, at: number) => void][] = [
  ['a flipped bit', (path, at) => flip(path, at)],
  ['a missing end', (path, at) => writeFileSync(path, readFileSync(path).subarray(0, at))],
  ['an appended byte', (path) => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('x')]))],
  ['a missing file', (path) => rmSync(path)],
  ['zeros', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
];

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  const place = at % bytes.length;
  bytes[place] = must(bytes[place], 'a byte') ^ (1 << (at % 8));
  writeFileSync(path, bytes);
}

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

test('BACKUP-10 all backups of a day stay, then the newest of each day, week and month', () => {
  const hour = 3_600_000;
  const end = Date.parse('2026-11-26T12:00:00Z');
  const names = Array.from({ length: 24 * 500 }, (_, index) => backupName(end - index * hour));
  const removed = new Set(backupsToRemove(names, { days: 7, weeks: 4, months: 12 }, end));
  const kept = names.filter((name) => !removed.has(name));
  expect(kept.slice(0, 24)).toEqual(names.slice(0, 24));
  expect(kept.slice(24).map((name) => name.slice(0, 10))).toEqual([
    // The newest of each day for seven days; Sundays end weeks.
    '2026-11-24',
    '2026-11-23',
    '2026-11-22',
    '2026-11-21',
    '2026-11-20',
    '2026-11-15',
    '2026-11-08',
    '2026-10-31',
    '2026-09-30',
    '2026-08-31',
    '2026-07-31',
    '2026-06-30',
    '2026-05-31',
    '2026-04-30',
    '2026-03-31',
    '2026-02-28',
    '2026-01-31',
    '2025-12-31',
  ]);
  expect(
    backupsToRemove([...names, 'notes.txt'], { days: 1, weeks: 0, months: 0 }, end + 90 * 24 * hour),
  ).not.toContain('notes.txt');
  expect(backupsToRemove(names.slice(0, 1), { days: 0, weeks: 0, months: 0 }, end + 90 * 24 * hour)).toEqual(
    [],
  );
});

test('BACKUP-11 removing a backup removes what only it needed, and the others stay whole', async () => {
  using at = folders();
  await using shop = await workshop(at);
  const dayMs = 86_400_000;
  const target = await FolderTarget.open(at.backup, { make: true });
  const repository = await Repository.open(target, noCipher, { make: true });
  let now = Date.parse('2026-11-01T03:00:00Z');
  const make = () =>
    makeBackup({
      dataDir: at.data,
      isDoubtful: false,
      repository,
      retention: { days: 2, weeks: 0, months: 0 },
      program: '1.0.0',
      now: () => now,
    });
  for (let day = 0; day < 5; day += 1) {
    await makeGuide(shop.ana);
    await make();
    now += dayMs;
  }
  expect(await repository.names()).toEqual(['2026-11-04T03-00-00Z', '2026-11-05T03-00-00Z']);
  const needed = new Set<string>();
  for (const name of await repository.names()) {
    const { database, files } = await repository.manifest(name);
    for (const { sha256 } of [database, ...files]) needed.add(sha256);
  }
  expect(await repository.objects()).toEqual(needed);
  for (const name of await repository.names())
    expect((await benchbook('verify', at.backup, '--backup', name, '--data', at.data)).code).toBe(0);
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
