import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import type { ArchiveImport } from '#shared/model/archive-record.ts';
import { must } from '#shared/must.ts';
import { contextForJob } from '#server/core/job.ts';
import { cancelJob } from '#server/jobs/store.ts';
import { findImport } from '#server/features/omanual/import/import-rows.ts';
import { openServices } from '#server/features/open-services.ts';
import { importOf } from '#test/support/archive-calls.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { jsonOf } from '#test/support/answer.ts';

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
  const sent = await fetch(`${server.url}/api/2.0/omanual/imports/${importid}/file`, {
    method: 'PUT',
    headers: { Authorization: `api ${ben.token}` },
    body: new Uint8Array(bytes),
  });
  expect(((await sent.json()) as ArchiveImport).state).toBe('waiting');
  return { token: ben.token, importid };
}

async function runUntilKilled(dataDir: string, guides: number): Promise<void> {
  const child = spawn(process.execPath, [script, dataDir, String(guides)], {
    stdio: ['ignore', 'ignore', 'pipe'],
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
  const services = await openServices({ dataDir: folder.path });
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

function callerOf(server: TestServer, token: string) {
  return async (method: string, path: string) => {
    const response = await fetch(`${server.url}/api/2.0${path}`, {
      method,
      headers: { Authorization: `api ${token}` },
    });
    return { status: response.status, headers: response.headers, body: await jsonOf(response) };
  };
}
