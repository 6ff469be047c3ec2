/**
 * Measures the restore of a server with a gigabyte of pictures, beside a copy and a check of the same files, and the
 * start on a database of 5 GB beside that of the demo: `npm run bench:restore -- --megabytes 1024 --database 5`.
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import BetterSqlite3 from 'better-sqlite3';

import { databaseName } from '#server/storage/sqlite.ts';
import { startServerProcess } from '#test/support/server-process.ts';

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '1024' },
    /** Size of the large database, GB. */
    database: { type: 'string', default: '5' },
  },
});
const megabyte = 1024 ** 2;
const root = fileURLToPath(new URL('../..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'benchbook-restore-bench-'));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs a command of the server. Returns its duration in seconds. */
function benchbook(...args: string[]): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['sync-server/cli/benchbook.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return (performance.now() - begun) / 1000;
}

/** Starts a server on a data folder. Returns the seconds until it is ready. */
async function startSeconds(dataDir?: string): Promise<number> {
  const begun = performance.now();
  await using server = await startServerProcess(dataDir === undefined ? {} : { dataDir });
  const { status } = await fetch(`${server.url}/readyz`);
  if (status !== 200) throw new Error(`/readyz answers ${status}`);
  return (performance.now() - begun) / 1000;
}

/** A data folder with the demo content. */
async function demoFolder(): Promise<string> {
  const data = join(work, 'data');
  await using _ = await startServerProcess({ dataDir: data });
  return data;
}

/** Adds files as pictures are stored. */
function addPictures(data: string, megabytes: number): void {
  for (let count = 0; count < megabytes; count += 1) {
    const bytes = randomBytes(megabyte);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    mkdirSync(join(data, 'media', sha256.slice(0, 2)), { recursive: true });
    writeFileSync(join(data, 'media', sha256.slice(0, 2), sha256), bytes);
  }
}

/** Seconds to copy a folder and to hash the copy: no restore can do less. */
function copyAndCheckSeconds(from: string, to: string): number {
  const begun = performance.now();
  cpSync(from, to, { recursive: true });
  for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    const path = join(to, name);
    if (statSync(path).isFile()) createHash('sha256').update(readFileSync(path)).digest();
  }
  spawnSync('sync');
  return (performance.now() - begun) / 1000;
}

/** Adds versions of guides until the database has a size. */
function growDatabase(data: string, bytes: number): void {
  const path = join(data, databaseName);
  const database = new BetterSqlite3(path);
  database.pragma('synchronous = OFF');
  database.pragma('journal_mode = MEMORY');
  const { next } = database
    .prepare('SELECT max(guide_revisionid) + 1 AS next FROM guide_revisions')
    .get() as { next: number };
  const versions = database.prepare('SELECT * FROM guide_revisions').all() as {
    guideid: number;
    userid: number;
    date: number;
    body: string;
  }[];
  const insert = database.prepare(
    'INSERT INTO guide_revisions (guideid, guide_revisionid, revisionid, userid, date, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  let id = next;
  const perRound = database.transaction(() => {
    for (let round = 0; round < 100; round += 1)
      for (const { guideid, userid, date, body } of versions) {
        insert.run(guideid, id, id, userid, date, body);
        id += 1;
      }
  });
  while (statSync(path).size < bytes) perRound();
  database.pragma('journal_mode = WAL');
  database.close();
}

try {
  say('Making the data …');
  const data = await demoFolder();
  addPictures(data, Number(values.megabytes));
  const backups = join(work, 'backups');
  const backup = benchbook('backup', backups, '--data', data);
  const again = benchbook('backup', backups, '--data', data);
  const restore = benchbook('restore', backups, '--data', join(work, 'restored'));
  const verify = benchbook('verify', backups, '--data', data);
  const floor = copyAndCheckSeconds(data, join(work, 'copied'));
  for (const name of ['backups', 'restored', 'copied']) rmSync(join(work, name), { recursive: true });
  const small = await startSeconds(data);
  say('Growing the database …');
  growDatabase(data, Number(values.database) * 1024 ** 3);
  const large = await startSeconds(data);
  const row = (what: string, seconds: number, by: number): string =>
    `| ${what} | ${seconds.toFixed(1)} s | ${(seconds / by).toFixed(2)}× |`;
  say('');
  say(`| ${values.megabytes} MB of pictures | | copy and check |`);
  say('| --- | --- | --- |');
  say(row('copy and check of the files', floor, floor));
  say(row('first backup', backup, floor));
  say(row('next backup, nothing new', again, floor));
  say(row('restore', restore, floor));
  say(row('verify', verify, floor));
  say('');
  say(`| start until /readyz | | demo |`);
  say('| --- | --- | --- |');
  say(row('demo', small, small));
  say(row(`database of ${values.database} GB`, large, small));
} finally {
  rmSync(work, { recursive: true, force: true });
}
