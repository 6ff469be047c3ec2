import { readdirSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TrainingImport, TrainingModule } from '#shared/model/training.ts';
import { Outbound, TooLong } from '#server/platform/outbound.ts';
import { contextForJob } from '#server/core/job.ts';
import { enqueueJob } from '#server/jobs/store.ts';
import { beginImport as markRunning } from '#server/features/external-training-modules/imports.ts';
import { fetchLimits, importJobKind } from '#server/features/training/import-job.ts';
import { quickPasswords, startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openTestServices } from '#test/support/test-services.ts';
import { aicc, cmi5, scorm12, scorm2004, xapi, zipOf, type Files } from '#test/support/training-packages.ts';
import { beginImport, imported, opened, page, upload } from '#test/support/training-world.ts';

import { flaws, hostile, manifest, many, tooMuch } from './bad-packages.ts';

const modules = '/external_training_modules';
let server: TestServer;
let author: TestPerson;

beforeAll(async () => {
  server = await startServer({ site: { private_networks: ['127.0.0.1/32'] } });
  author = await server.person('Ana', ['User', 'Author']);
});
afterAll(async () => server[Symbol.asyncDispose]());

/** Files in the folder of packages for an import. */
function left(importid: number, dataDir = server.dataDir): string[] {
  return readdirSync(join(dataDir, 'training')).filter((name) => Number.parseInt(name, 10) === importid);
}

const read = async (importid: number): Promise<TrainingImport> =>
  (await author.call('GET', `${modules}/imports/${importid}`)).body;

const kinds: [standard: string, files: Files][] = [
  ['scorm_1.2', scorm12()],
  ['scorm_2004_3rd', scorm2004('3rd')],
  ['scorm_2004_4th', scorm2004('4th')],
  ['xapi', xapi()],
  ['cmi5', cmi5()],
  ['aicc', aicc()],
];

test.each(kinds)('TRAINING-1 a package of %s is recognised by its manifest', async (standard, files) => {
  const done = await imported(server, author, files);
  expect(done).toMatchObject({ status: 'complete', standard, title: 'Lockout', message: null });
  const row = await server.services.storage.reader
    .selectFrom('training_imports')
    .select('package')
    .where('importid', '=', done.importid)
    .executeTakeFirstOrThrow();
  expect(JSON.parse(row.package ?? '')).toMatchObject({ activities: [{ path: 'content/index.html' }] });
  expect(left(done.importid)).toEqual([String(done.importid)]);
  expect(readdirSync(join(server.dataDir, 'training', String(done.importid)))).toHaveLength(
    Object.keys(files).length,
  );
});

test.each(tooMuch)(
  'TRAINING-23 a package with too many or too long %s is refused',
  async (_, files, words) => {
    const done = await imported(server, author, files);
    expect(done.status).toBe('error');
    expect(done.message).toMatch(words);
  },
);

test('TRAINING-23 AICC files are parsed character by character, whatever they contain', async () => {
  const good = aicc();
  const done = await imported(server, author, {
    ...good,
    // Parsing took a step for each pair or triple of characters: hours.
    'lockout.au': `${good['lockout.au']}${' '.repeat(100_000)}"${'"a'.repeat(100_000)}\r\n`,
    'lockout.des': `${good['lockout.des']}${'"x'.repeat(200_000)}`,
    'lockout.cst': `${good['lockout.cst']}${many(20_000, (n) => `B${n},B${n + 1}\r\n`)}${'ROOT,A1\r\n'.repeat(20_000)}`,
  });
  expect(done).toMatchObject({ status: 'complete', title: 'Lockout' });
});

test('TRAINING-1 other capitals in a file name and an item that no menu shows are accepted', async () => {
  const files = manifest('', (text) =>
    text
      .replace('href="index.html">', 'href="INDEX.html">')
      .replace(
        '</organization>',
        '<item identifier="H" identifierref="RES" isvisible="false"/></organization>',
      ),
  );
  const { status, importid } = await imported(server, author, files);
  expect(status).toBe('complete');
  const path = `${modules}/imports/${importid}/preview`;
  const address = await opened(((await author.call('GET', path)).body as { url: string }).url);
  expect((await page(address, 'launch.json')).body).toMatchObject({ activities: [{ title: 'Unplug' }] });
  const { body } = await page<{ url: string }>(address, 'activities/0/launch', { method: 'POST' });
  expect((await fetch(body.url)).status).toBe(200);
});

test.each(flaws)(
  'TRAINING-2 a package with %s is refused with a message that names it',
  async (_, files, words) => {
    const done = await imported(server, author, files);
    expect(done).toMatchObject({ status: 'error', standard: null });
    expect(done.message).toMatch(words);
    expect(left(done.importid)).toEqual([]);
    const progress = await author.call('GET', `${modules}/imports/${done.importid}/progress`);
    expect(progress.status).toBe(404);
    expect((progress.body as { message: string }).message).toContain(done.message ?? 'no message');
  },
);

test('TRAINING-3 an import is created, started once, and finished; its progress is available meanwhile', async () => {
  const begun = await beginImport(author);
  const path = `${modules}/imports/${begun.importid}`;
  expect(begun).toMatchObject({ status: 'created', vendor_version_number: 1, end_date: null });
  expect(await author.call('GET', `${path}/progress`)).toMatchObject({
    status: 200,
    body: { status: 'created', progress: 0 },
  });
  expect((await author.call('GET', `${path}/preview`)).status).toBe(404);
  expect(await upload(server, author, begun.importid, zipOf(scorm12()))).toMatchObject({
    status: 202,
    body: { status: 'running' },
  });
  const again = await upload(server, author, begun.importid, zipOf(scorm12()));
  expect(again).toMatchObject({ status: 422, body: { errors: [{ field: 'importid' }] } });
  await server.jobs.idle();
  expect(await read(begun.importid)).toMatchObject({ status: 'complete' });
  expect((await author.call('POST', `${path}/cancel`)).status).toBe(422);
  expect((await author.call('GET', `${path}/progress`)).status).toBe(404);
});

test('TRAINING-4 a first version is a draft; a complete import of the module becomes current or draft', async () => {
  const first = await imported(server, author, scorm12());
  const { external_training_moduleid: id, importid } = first;
  const path = `${modules}/${id}`;
  const listed = async (method: string, place: string): Promise<number[]> => {
    const { body } = await author.call(method, `${modules}/${place}`, method === 'POST' ? {} : undefined);
    return (body as TrainingModule[]).map((one) => one.external_training_moduleid);
  };
  expect(await listed('POST', 'drafts')).toContain(id);
  expect(await listed('GET', 'current?limit=200')).not.toContain(id);
  const made = await author.call('PUT', `${path}/current`, { importid });
  expect(made).toMatchObject({ status: 200, body: { current_importid: importid, draft_importid: null } });
  expect(await listed('GET', 'current?limit=200')).toContain(id);
  const second = await imported(server, author, scorm2004('4th'), { external_training_moduleid: id });
  const draft = await author.call('PUT', `${path}/draft`, { importid: second.importid });
  expect(draft.body).toMatchObject({ current_importid: importid, draft_importid: second.importid });
  const failed = await imported(server, author, { 'a.txt': '' }, { external_training_moduleid: id });
  const other = await imported(server, author, xapi());
  for (const wrong of [failed.importid, other.importid, 999_999]) {
    const refused = await author.call('PUT', `${path}/current`, { importid: wrong });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'importid' }] } });
  }
  expect((await author.call('PUT', `${path}/current`, {})).status).toBe(422);
  expect((await author.call('PUT', `${modules}/999999/current`, { importid })).status).toBe(404);
});

test('TRAINING-5 versions are numbered within their module and listed from the highest down', async () => {
  const { external_training_moduleid: id } = await imported(server, author, scorm12());
  await imported(server, author, { 'a.txt': '' }, { external_training_moduleid: id });
  await imported(server, author, scorm12({ title: 'Newer' }), { external_training_moduleid: id });
  const { body } = await author.call('GET', `${modules}/${id}/imports`);
  expect(body).toMatchObject([
    { vendor_version_number: 3, status: 'complete', title: 'Newer' },
    { vendor_version_number: 2, status: 'error' },
    { vendor_version_number: 1, status: 'complete', is_draft: true },
  ]);
  for (const wrong of [{}, { title: 'A', external_training_moduleid: id }, { title: ' ' }])
    expect((await author.call('POST', `${modules}/imports`, wrong)).status).toBe(422);
  expect(
    await author.call('POST', `${modules}/imports`, { external_training_moduleid: 999_999 }),
  ).toMatchObject({ status: 422, body: { errors: [{ field: 'external_training_moduleid' }] } });
});

test('TRAINING-6 a package is fetched from a callable address, including redirects', async () => {
  const answers: Record<string, [number, Record<string, string>, Uint8Array]> = {
    '/good.zip': [200, {}, zipOf(cmi5())],
    '/moved': [302, { Location: '/good.zip' }, new Uint8Array()],
    '/inside': [302, { Location: 'http://169.254.169.254/latest' }, new Uint8Array()],
    '/gone': [404, {}, new Uint8Array()],
    '/loop': [302, { Location: '/loop' }, new Uint8Array()],
    '/empty': [200, {}, new Uint8Array()],
  };
  const source = createServer((request, response) => {
    const [status, headers, body] = answers[request.url ?? ''] ?? [404, {}, new Uint8Array()];
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  const start = async (url: string): Promise<{ status: number; end: TrainingImport; body: never }> => {
    const { importid } = await beginImport(author);
    const { status, body } = await author.call('POST', `${modules}/imports/${importid}/start/byUrl`, { url });
    await server.jobs.idle();
    return { status, body, end: await read(importid) };
  };
  for (const path of ['/good.zip', '/moved'])
    expect(await start(base + path)).toMatchObject({ status: 202, end: { status: 'complete' } });
  for (const [path, words] of [
    ['/inside', /not a public address, or cannot be found/],
    ['/gone', /answered 404/],
    ['/loop', /answered 302/],
    ['/empty', /answered with nothing/],
  ] as const) {
    const { status, end } = await start(base + path);
    expect([status, end.status]).toEqual([202, 'error']);
    expect(end.message).toMatch(words);
    expect(left(end.importid)).toEqual([]);
  }
  for (const url of [
    'http://10.0.0.1/a.zip',
    'http://[::1]/',
    'ftp://example.org/',
    'x',
    `${base}@10.0.0.1/`,
  ]) {
    const { status, body, end } = await start(url);
    expect([url, status, end.status]).toEqual([url, 422, 'created']);
    expect(body).toMatchObject({ errors: [{ field: 'url' }] });
  }
  const taken: number[] = [];
  const call = new Outbound(() => ['127.0.0.1/32']).call(`${base}/good.zip`, {
    timeoutMs: 5000,
    mostBytes: 1000,
    sink: async (piece) => void taken.push(piece.length),
  });
  await expect(call).rejects.toBeInstanceOf(TooLong);
  expect(taken).toEqual([]);
  await new Promise<void>((resolve) => source.close(() => resolve()));
  expect(fetchLimits).toEqual({ bytes: 512 * 1024 ** 2, timeoutMs: 60_000, redirects: 3 });
});

test.each(hostile)('TRAINING-7 a package with %s is refused and leaves nothing', async (_, words, bytes) => {
  const done = await imported(server, author, bytes());
  expect(done.status).toBe('error');
  expect(done.message).toMatch(words);
  expect(left(done.importid)).toEqual([]);
});

test('TRAINING-7 files on disk are named by numbers, and belong only to complete imports', async () => {
  await imported(server, author, { ...scorm12(), 'A.txt': '1', 'a.txt': '2', 'CON.txt': '3' });
  for (const name of readdirSync(join(server.dataDir, 'training'))) {
    expect(name).toMatch(/^\d+$/);
    for (const file of readdirSync(join(server.dataDir, 'training', name))) expect(file).toMatch(/^\d+$/);
  }
});

test('TRAINING-8 a killed import continues at the next start, and half-received files are removed', async () => {
  await using folder = await temporaryFolder('training-killed');
  const dataDir = folder.path;
  const before = await startServer({ dataDir });
  const ana = await before.person('Ana', ['User', 'Author']);
  const [killed, torn] = [await beginImport(ana), await beginImport(ana)];
  await before[Symbol.asyncDispose]();
  const services = await openTestServices({ dataDir, passwords: quickPasswords() });
  for (const [{ importid }, bytes] of [
    [killed, zipOf(scorm12())],
    [torn, zipOf(scorm12()).slice(0, 500)],
  ] as const) {
    const name = `${importid}-0011`;
    await services.training.files.keepPackage(name, (file) => file.writeFile(bytes));
    await contextForJob(services, ana.userid, async (ctx) => {
      const input = { importid, url: null, name };
      const jobid = await enqueueJob(ctx, { kind: importJobKind, userid: ana.userid, input });
      await markRunning(ctx, importid, jobid);
      await ctx.db.updateTable('jobs').set({ state: 'running', starts: 1 }).execute();
    });
  }
  await services.storage[Symbol.asyncDispose]();
  // The process was killed during extraction; other imports were interrupted during reception.
  for (const name of [`${killed.importid}.part`, '77', '78.part'])
    await mkdir(join(dataDir, 'training', name), { recursive: true });
  await writeFile(join(dataDir, 'training', `${killed.importid}.part`, '0'), 'half');
  await writeFile(join(dataDir, 'training', '79-aa.zip.part'), 'half');
  // A node on PostgreSQL leaves files of the last day, which another node may be writing.
  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
  for (const name of ['77', '78.part', '79-aa.zip.part'])
    await utimes(join(dataDir, 'training', name), twoDaysAgo, twoDaysAgo);
  await using after = await startServer({ dataDir });
  await soon(async () => {
    const rows = await after.services.storage.reader
      .selectFrom('training_imports')
      .select('status')
      .orderBy('importid')
      .execute();
    return rows.map(({ status }) => status);
  }).toEqual(['complete', 'error']);
  await after.jobs.idle();
  expect(readdirSync(join(dataDir, 'training'))).toEqual([String(killed.importid)]);
});

test('TRAINING-9 a cancelled import ends immediately and leaves nothing', async () => {
  const begun = await beginImport(author);
  const running = await beginImport(author);
  const cancel = (importid: number) => author.call('POST', `${modules}/imports/${importid}/cancel`);
  expect(await cancel(begun.importid)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  expect((await upload(server, author, begun.importid, zipOf(scorm12()))).status).toBe(422);
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`pages/${at}.html`, 'x']));
  expect(await upload(server, author, running.importid, zipOf({ ...scorm12(), ...many }))).toMatchObject({
    status: 202,
  });
  expect(await cancel(running.importid)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  await server.jobs.idle();
  expect(await read(running.importid)).toMatchObject({ status: 'cancelled', standard: null });
  expect([...left(begun.importid), ...left(running.importid)]).toEqual([]);
  expect((await cancel(running.importid)).status).toBe(422);
});

test('TRAINING-9 a package may be sent as a form; of two concurrent ones, one is accepted', async () => {
  const { importid } = await beginImport(author);
  const form = new FormData();
  form.append('note', 'from a form');
  form.append('file', new Blob([zipOf(xapi())]), 'lockout.zip');
  const answers = await Promise.all([
    upload(server, author, importid, form),
    upload(server, author, importid, zipOf(xapi())),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 422]);
  await server.jobs.idle();
  expect(await read(importid)).toMatchObject({ status: 'complete', standard: 'xapi' });
  expect(left(importid)).toEqual([String(importid)]);
  const empty = await upload(server, author, (await beginImport(author)).importid, new FormData());
  expect(empty).toMatchObject({ status: 422, body: { errors: [{ field: 'body' }] } });
});
