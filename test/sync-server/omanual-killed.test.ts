import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';

import type { ArchiveImport } from '#shared/model/archive-record.ts';
import { must } from '#shared/must.ts';
import { contextForJob } from '#server/core/job.ts';
import { cancelJob } from '#server/jobs/store.ts';
import { findImport } from '#server/features/omanual/import/import-rows.ts';
import { databaseOf, onPostgres } from '#test/support/postgres-databases.ts';
import { importOf } from '#test/support/archive-calls.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { soon } from '#test/support/soon.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { jsonOf } from '#test/support/answer.ts';
import { openTestServices } from '#test/support/test-services.ts';

import { archiveBytes, contentOf, guidesToWrite } from '../shared/formats/omanual/archives.ts';
import { plainCategory, plainGuide } from '../shared/formats/omanual/plain-guides.ts';

const script = fileURLToPath(new URL('import-until-killed.ts', import.meta.url));
const count = 8;
const all = Array.from({ length: count }, (_, index) => `Belt ${index + 1}`);

/** Guides of one category, each with its own picture. */
async function archiveOfMany(): Promise<Uint8Array<ArrayBuffer>> {
  const guides = all.map((title, index) => {
    const image = { id: index + 1, guid: `Picture${index + 1}`, width: 800, height: 600 };
    return plainGuide(index + 1, { title, category: 'Workshop', image });
  });
  const categories = [plainCategory('Workshop', null)];
  const { bytes } = await archiveBytes(contentOf(guidesToWrite(guides), { categories }));
  return bytes;
}

/** Creates an import and stops the server before any of it is done. */
async function begin(dataDir: string, bytes: Uint8Array): Promise<{ token: string; importid: number }> {
  await using server = await startServer({ dataDir });
  const ben = await server.person('Ben', ['User', 'Author', 'Moderator', 'Admin']);
  await server.jobs.stop();
  const created = await ben.call('POST', '/omanual/imports', { size: bytes.length });
  const { importid } = created.body as ArchiveImport;
  expect((await send(server, ben.token, importid, bytes)).state).toBe('waiting');
  return { token: ben.token, importid };
}

/** Uploads the file of an import. */
async function send(
  server: TestServer,
  token: string,
  importid: number,
  bytes: Uint8Array,
): Promise<ArchiveImport> {
  const sent = await fetch(`${server.url}/api/2.0/omanual/imports/${importid}/file`, {
    method: 'PUT',
    headers: { Authorization: `api ${token}` },
    body: new Uint8Array(bytes),
  });
  return (await sent.json()) as ArchiveImport;
}

async function runUntilKilled(dataDir: string, guides: number): Promise<void> {
  const child = spawn(process.execPath, [script, dataDir, String(guides)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      ...(onPostgres() ? { BENCHBOOK_DATABASE: await databaseOf(dataDir) } : {}),
    },
  });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect([code, signal, errors.join('')]).toStrictEqual([null, 'SIGKILL', '']);
}

async function titles(server: TestServer): Promise<string[]> {
  const rows = await server.services.storage.reader
    .selectFrom('guides')
    .select('title')
    .where('deleted', '=', 0)
    .orderBy('guideid')
    .execute();
  return rows.map((row) => row.title);
}

test('OMANUAL-IMPORT-9 A killed import continues at the next start and creates nothing twice', async () => {
  await using folder = await temporaryFolder('killed');
  const { token, importid } = await begin(folder.path, await archiveOfMany());
  await runUntilKilled(folder.path, 3);
  await using server = await startServer({ dataDir: folder.path });
  await server.jobs.idle();
  const ben = {
    token,
    call: callerOf(server, token),
  };
  expect(await importOf(ben, importid)).toMatchObject({
    state: 'done',
    report: { created: count + 1, media: count },
  });
  expect(await titles(server)).toStrictEqual(all);
});

test('OMANUAL-IMPORT-9 A killed and cancelled import is rolled back at the next start', async () => {
  await using folder = await temporaryFolder('cancelled');
  const { token, importid } = await begin(folder.path, await archiveOfMany());
  await runUntilKilled(folder.path, 3);
  const services = await openTestServices({ dataDir: folder.path });
  await contextForJob(services, null, async (ctx) => {
    const { jobid } = must(await findImport(ctx.db, importid), 'the import');
    await cancelJob(ctx, must(jobid, 'its job'));
  });
  await services.storage[Symbol.asyncDispose]();
  await using server = await startServer({ dataDir: folder.path });
  await server.jobs.idle();
  const call = callerOf(server, token);
  expect((await importOf({ token, call }, importid)).state).toBe('cancelled');
  expect(await titles(server)).toStrictEqual([]);
});

const serving = fileURLToPath(new URL('serve-until-killed.ts', import.meta.url));
const killAt = new URL('kill-at.ts', import.meta.url).href;

/** A server process, which is killed at a moment (`kill-at.ts`). */
function startToKill(dataDir: string, log: string, moment: number): ChildProcess {
  const child = spawn(process.execPath, ['--import', killAt, serving, dataDir], {
    env: { ...process.env, KILL_LOG: log, KILL_AT: String(moment) },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Number of moments until the import has ended, in a copy of the folder. */
async function momentsOf(dataDir: string, folder: string, importid: number): Promise<number> {
  const copy = join(folder, 'whole');
  cpSync(dataDir, copy, { recursive: true });
  const log = join(folder, 'whole.log');
  const child = startToKill(copy, log, 0);
  const ended = once(child, 'exit');
  const database = new Database(join(copy, 'benchbook.sqlite'), { readonly: true });
  const job = database
    .prepare('SELECT state FROM jobs JOIN archive_imports USING (jobid) WHERE importid = ?')
    .pluck();
  await soon(() => job.get(importid)).toBe('done');
  database.close();
  const { size } = statSync(log);
  child.kill('SIGKILL');
  await ended;
  return size;
}

/** Every record and file of the import is there once, and nothing else. */
async function expectOnce(server: TestServer, importid: number): Promise<void> {
  const { reader } = server.services.storage;
  expect(await titles(server)).toStrictEqual(all);
  const images = await reader.selectFrom('images').select(['imageid', 'sha256', 'size']).execute();
  expect(images).toHaveLength(count);
  for (const { sha256, size } of images)
    expect((await server.services.blobs.read(must(sha256, 'its hash'))).length).toBe(size);
  const wikis = await reader
    .selectFrom('wikis')
    .select('title')
    .where('namespace', '=', 'CATEGORY')
    .execute();
  expect(wikis.filter(({ title }) => title === 'Workshop')).toHaveLength(1);
  const effects = await reader
    .selectFrom('import_effects')
    .select(['kind', 'id', 'member'])
    .where('importid', '=', importid)
    .execute();
  expect(effects).toHaveLength(2 * count + 1);
  expect(new Set(effects.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(2 * count + 1);
  const pictured = new Set(effects.filter(({ kind }) => kind === 'image').map(({ id }) => id));
  expect(new Set(images.map(({ imageid }) => imageid))).toEqual(pictured);
}

test(
  'OMANUAL-IMPORT-9 An import that is killed at any moment is finished at the next start; importing the file again, and undoing it, leave each record once or never',
  { timeout: isLongRun ? 3_600_000 : 300_000 },
  async () => {
    await using folder = await temporaryFolder('moments');
    const dataDir = join(folder.path, 'data');
    const bytes = await archiveOfMany();
    const { token, importid } = await begin(dataDir, bytes);
    const most = await momentsOf(dataDir, folder.path, importid);
    expect(most).toBeGreaterThan(count);
    const points = isLongRun ? most : 3;
    for (let point = 1; point <= points; point += 1) {
      const moment = isLongRun ? point : Math.ceil((most * (2 * point + 2)) / (2 * points + 3));
      const copy = join(folder.path, `killed-${moment}`);
      cpSync(dataDir, copy, { recursive: true });
      const log = join(folder.path, `${moment}.log`);
      const [code, signal] = (await once(startToKill(copy, log, moment), 'exit')) as [number | null, string];
      expect([code, signal, readFileSync(log).length]).toStrictEqual([null, 'SIGKILL', moment]);

      await using server = await startServer({ dataDir: copy });
      await server.jobs.idle();
      const call = callerOf(server, token);
      const report = { created: count + 1, media: count };
      expect(await importOf({ token, call }, importid)).toMatchObject({ state: 'done', report });
      await expectOnce(server, importid);

      const again = (await call('POST', '/omanual/imports', { size: bytes.length })).body as ArchiveImport;
      await send(server, token, again.importid, bytes);
      await server.jobs.idle();
      expect(await importOf({ token, call }, again.importid)).toMatchObject({
        state: 'done',
        report: { created: 0 },
      });
      await expectOnce(server, importid);

      const files = await server.services.storage.reader.selectFrom('images').select('sha256').execute();
      await call('POST', `/omanual/imports/${importid}/undo`, {});
      await server.jobs.idle();
      expect((await importOf({ token, call }, importid)).undo).toMatchObject({ state: 'done', kept: [] });
      expect(await titles(server)).toStrictEqual([]);
      expect(await server.services.storage.reader.selectFrom('images').selectAll().execute()).toEqual([]);
      for (const { sha256 } of files)
        expect(await server.services.blobs.has(must(sha256, 'its hash'))).toBe(false);
    }
  },
);

function callerOf(server: TestServer, token: string) {
  return async (method: string, path: string, body?: object) => {
    const response = await fetch(`${server.url}/api/2.0${path}`, {
      method,
      headers: {
        Authorization: `api ${token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await jsonOf(response) };
  };
}
