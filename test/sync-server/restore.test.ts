import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { readConfig } from '#server/platform/config.ts';
import { keyFileName, ServerKey } from '#server/core/identity/server-key.ts';
import { startServer as startFromSettings } from '#server/main.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { lockFile, lockFolder } from '#server/storage/folder-lock.ts';
import { beginStaged, finishRestore } from '#server/storage/interrupted-restore.ts';
import { type Ran, runCommand } from '#test/support/command-line.ts';
import { startServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

interface Folders extends Disposable {
  data: string;
  backup: string;
  root: string;
}

function folders(): Folders {
  const root = mkdtempSync(join(tmpdir(), 'benchbook-restoring-'));
  return {
    root,
    data: join(root, 'data'),
    backup: join(root, 'backup'),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

const restore = ({ backup, data }: Folders, ...options: string[]): Promise<Ran> =>
  runCommand(['restore', backup, '--data', data, ...options]);

/** A data folder with one guide before its backup, and one after. */
async function withBackup(): Promise<Folders & { before: number; after: number; place: string }> {
  const made = folders();
  let before: number;
  let place: string;
  {
    await using server = await startServer({ dataDir: made.data });
    await server.category('Bench Grinder');
    const ana = await server.person('Ana');
    before = (await makeGuide(ana)).guideid;
    place = await placeOf(server.url, ana.token);
  }
  cpSync(made.data, made.backup, { recursive: true });
  await using server = await startServer({ dataDir: made.data });
  const ana = await signedIn(server.url);
  const answer = await fetch(`${server.url}/api/2.0/guides`, {
    method: 'POST',
    headers: { Authorization: `api ${ana}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ category: 'Bench Grinder', type: 'repair', title: 'Lost' }),
  });
  const { guideid } = (await answer.json()) as { guideid: number };
  return { ...made, before, after: guideid, place };
}

async function signedIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/2.0/user/token`, {
    method: 'POST',
    body: JSON.stringify({ email: 'ana@example.com', password: 'a long password' }),
  });
  return ((await answer.json()) as { authToken: string }).authToken;
}

async function placeOf(url: string, token: string): Promise<string> {
  const answer = await fetch(`${url}/sync/1/bootstrap?collections=people`, {
    headers: { Authorization: `api ${token}` },
  });
  const tail = must((await answer.text()).trim().split('\n').at(-1), 'a tail');
  return (JSON.parse(tail) as { checkpoint: string }).checkpoint;
}

const keptBeside = ({ root }: Folders): string[] =>
  readdirSync(root).filter((name) => name.startsWith('data.'));

test('RESTORE-1 RESTORE-3 a copied data folder is put in place, the old one is kept, and no number is given out again', async () => {
  using made = await withBackup();
  const { code, out } = await restore(made);
  expect([code, out]).toEqual([0, expect.stringContaining('is in place')]);
  const [kept, ...more] = keptBeside(made);
  expect(more).toEqual([]);
  expect(kept).toMatch(/^data\.replaced-/);
  expect(existsSync(join(made.root, must(kept, 'a folder'), databaseName))).toBe(true);

  await using server = await startServer({ dataDir: made.data });
  const token = await signedIn(server.url);
  const call = async (path: string): Promise<number> =>
    (await fetch(`${server.url}${path}`, { headers: { Authorization: `api ${token}` } })).status;
  expect(await call(`/api/2.0/guides/${made.before}`)).toBe(200);
  expect(await call(`/api/2.0/guides/${made.after}`)).toBe(404);
  // A device that saw nothing after the backup continues from its checkpoint.
  expect(await call(`/sync/1/pull?since=${made.place}`)).toBe(200);

  const ben = await server.person('Ben');
  const guide = await makeGuide(ben);
  const answer = await ben.call('POST', `/comments/guide/${guide.guideid}`, { text: 'New' });
  const { commentid } = answer.body as { commentid: number };
  const seq = Number((await placeOf(server.url, token)).split('.')[0]);
  const numbers = [guide.guideid, guide.revisionid, guide.steps[0]?.stepid, commentid, ben.userid, seq];
  for (const number of numbers) expect(number).toBeGreaterThan(1_000_000);
});

test('RESTORE-3 a backup that is restored twice gives out no number twice', async () => {
  using made = await withBackup();
  const numbersAfterRestore = async (name: string): Promise<number[]> => {
    expect((await restore(made)).code).toBe(0);
    await using server = await startServer({ dataDir: made.data });
    const person = await server.person(name);
    const guide = await makeGuide(person);
    const seq = Number((await placeOf(server.url, person.token)).split('.')[0]);
    return [guide.guideid, guide.revisionid, must(guide.steps[0], 'a step').stepid, person.userid, seq];
  };
  const first = await numbersAfterRestore('Ben');
  const second = await numbersAfterRestore('Cleo');
  for (const [index, number] of second.entries()) expect(number).toBeGreaterThan(first[index] ?? Infinity);
});

test('RESTORE-4 the server keeps its key, also when the backup has none; a copy gets another', async () => {
  using made = await withBackup();
  const before = await ServerKey.read(made.data);
  rmSync(join(made.backup, keyFileName));
  expect((await restore(made)).code).toBe(0);
  expect((await ServerKey.read(made.data)).id).toBe(before.id);

  const staging = { ...made, backup: made.data, data: join(made.root, 'staging') };
  const { code, out } = await restore(staging, '--copy');
  expect([code, out]).toEqual([0, expect.stringContaining('a server of its own')]);
  const { id } = await ServerKey.read(staging.data);
  expect(id).not.toBe(before.id);
  await using server = await startServer({ dataDir: staging.data });
  expect((await server.services.identity.key()).id).toBe(id);
});

/** The folders after a restore that was killed between its two renames. */
async function killedAtLastStep(made: Folders): Promise<void> {
  expect((await restore(made)).code).toBe(0);
  const kept = must(keptBeside(made)[0], 'a folder');
  renameSync(made.data, join(made.root, kept.replace('replaced', 'restoring')));
  expect(existsSync(made.data)).toBe(false);
}

const plainStart = (data: string, say: (line: string) => void) =>
  startFromSettings(
    must(readConfig(['--data', data, '--no-demo', '--no-open', '--port', '0'], {}), 'settings'),
    {
      say,
    },
  );

test('RESTORE-5 a restore killed at its last step is finished and reported by the next start', async () => {
  using made = await withBackup();
  await killedAtLastStep(made);
  const said: string[] = [];
  const running = await plainStart(made.data, (line) => said.push(line));
  expect(said).toEqual([
    expect.stringMatching(/^A restore was interrupted .* is finished now/),
    // The copied site has none.
    expect.stringContaining('no administrator yet'),
  ]);
  const token = await signedIn(running.url);
  const answer = await fetch(`${running.url}/api/2.0/guides/${made.before}`, {
    headers: { Authorization: `api ${token}` },
  });
  expect(answer.status).toBe(200);
  await running.stop();
  expect(keptBeside(made)).toEqual([expect.stringMatching(/^data\.replaced-/)]);
});

test('RESTORE-5 a restore killed at its last step is finished and reported by the next command', async () => {
  using made = await withBackup();
  await killedAtLastStep(made);
  const { code, err } = await runCommand(['audit', 'list', '--data', made.data]);
  expect([code, err]).toEqual([0, expect.stringContaining('is finished now')]);
  expect(existsSync(join(made.data, databaseName))).toBe(true);
  expect((await runCommand(['audit', 'list', '--data', made.data])).err).toBe('');
});

test('RESTORE-4 RESTORE-5 a restore killed at its last step is finished and reported by the next restore, which keeps the key', async () => {
  using made = await withBackup();
  const before = await ServerKey.read(made.data);
  rmSync(join(made.backup, keyFileName));
  await killedAtLastStep(made);
  const { code, err } = await restore(made);
  expect([code, err]).toEqual([0, expect.stringContaining('is finished now')]);
  expect((await ServerKey.read(made.data)).id).toBe(before.id);
  const kept = keptBeside(made);
  expect(kept).toHaveLength(2);
  for (const name of kept) expect(name).toMatch(/^data\.replaced-/);
});

test('RESTORE-5 with only a part of a backup, no empty server is created, and a message says what to do', async () => {
  using made = folders();
  const part = join(made.root, 'data.restoring-2026-11-20T10-00-00');
  mkdirSync(part);
  await expect(plainStart(made.data, () => undefined)).rejects.toThrow(
    `Run the restore again, and then delete ${part}`,
  );
  expect(existsSync(made.data)).toBe(false);
});

test('RESTORE-5 a restore runs again where an earlier one left only a part of a backup', async () => {
  using made = await withBackup();
  rmSync(made.data, { recursive: true });
  mkdirSync(join(made.root, 'data.restoring-2026-11-20T10-00-00'));
  const { code, err } = await restore(made);
  expect([code, err]).toEqual([0, '']);
  expect(existsSync(join(made.data, databaseName))).toBe(true);
});

test('RESTORE-5 while a restore still copies, nothing starts, and nobody is told to delete its files', async () => {
  using made = await withBackup();
  rmSync(made.data, { recursive: true });
  const part = join(made.root, 'data.restoring-2026-11-20T10-00-00');
  const running = beginStaged(part);
  const refused = `A restore is putting ${made.data} in place`;
  await expect(plainStart(made.data, () => undefined)).rejects.toThrow(refused);
  expect((await restore(made)).err).toContain(refused);
  expect(keptBeside(made)).toEqual(['data.restoring-2026-11-20T10-00-00']);
  running[Symbol.dispose]();
  await expect(plainStart(made.data, () => undefined)).rejects.toThrow('Run the restore again');
});

test('RESTORE-5 a restore counts as running until it is in place', async () => {
  using made = await withBackup();
  rmSync(made.data, { recursive: true });
  let isRunning = true;
  const restoring = restore(made).finally(() => (isRunning = false));
  const said = new Set<string>();
  while (isRunning) {
    try {
      finishRestore(made.data);
    } catch (error) {
      said.add(String(error));
    }
    await setImmediate();
  }
  expect(await restoring).toMatchObject({ code: 0, err: '' });
  expect([...said]).toEqual([expect.stringContaining(`A restore is putting ${made.data} in place`)]);
});

test('RESTORE-2 a restore that a signal ends leaves no copy, and the data folder is unchanged', async () => {
  using made = await withBackup();
  // Large enough that copying takes a while.
  const large = join(made.backup, 'media', 'large');
  mkdirSync(join(made.backup, 'media'), { recursive: true });
  for (let index = 0; index < 2_000; index += 1) writeFileSync(`${large}-${index}`, 'x'.repeat(10_000));
  const content = (): string[] =>
    readdirSync(made.data)
      .filter((name) => !name.startsWith(lockFile))
      .toSorted();
  const before = content();
  const program = join(import.meta.dirname, '../../sync-server/cli/benchbook.ts');
  const running = spawn(process.execPath, [program, 'restore', made.backup, '--data', made.data], {
    stdio: 'ignore',
  });
  const ended = once(running, 'exit');
  const copies = (): string[] => readdirSync(made.root).filter((name) => name.includes('.restoring-'));
  await expect.poll(copies, { interval: 5 }).toHaveLength(1);
  running.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
  expect(copies()).toEqual([]);
  expect(readdirSync(made.root).filter((name) => name.includes('.replaced-'))).toEqual([]);
  expect(content()).toEqual(before);
});

test('RESTORE-2 an unusable backup is refused in a sentence, and the data folder is unchanged', async () => {
  using made = await withBackup();
  const refused = async (words: string): Promise<void> => {
    const { code, err } = await restore(made);
    expect([code, err]).toEqual([1, expect.stringContaining(words)]);
    expect(keptBeside(made)).toEqual([]);
    expect(existsSync(join(made.data, databaseName))).toBe(true);
  };
  {
    using _running = lockFolder(made.data);
    await refused('A server is running');
  }
  const database = new BetterSqlite3(join(made.backup, databaseName));
  database.prepare(`UPDATE meta SET value = '9999' WHERE name = 'oldest_code'`).run();
  database.close();
  await refused('newer Benchbook');
  writeFileSync(join(made.backup, databaseName), 'no database');
  await refused('is damaged');
  rmSync(made.backup, { recursive: true });
  mkdirSync(made.backup);
  await refused('There is no Benchbook data');
  expect((await runCommand(['restore', made.data, '--data', made.data])).err).toContain('within each other');
});
