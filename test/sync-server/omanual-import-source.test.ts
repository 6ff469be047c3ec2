import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { findImport } from '#server/features/omanual/import/import-rows.ts';
import { findDocument } from '#server/storage/feed.ts';
import { downloaded, imported, importOf, sentPart } from '#test/support/archive-calls.ts';
import { startServer } from '#test/support/server.ts';
import { allGuides } from '#test/support/stored-guides.ts';
import { validArchive } from '#test/support/valid-archive.ts';

import { admin, fixture, richGuide } from './omanual-import-calls.ts';

test('OMANUAL-IMPORT-6 A refused archive names the member and the reason, and nothing is stored', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana', admin);
  const bytes = fixture('omanual/own/reject-zipslip.omanual');
  const failed = await imported(server, ana, bytes);
  expect(failed.state).toBe('failed');
  expect(failed.error?.errors?.[0]?.field).toContain('..');
  expect(await allGuides(server)).toStrictEqual([]);
  const noArchive = await imported(server, ana, Buffer.from('Just words'));
  expect(noArchive).toMatchObject({ state: 'failed', error: { errors: [{ field: 'file' }] } });
});

test('OMANUAL-IMPORT-7 Bytes may arrive in any parts and repeatedly; gaps and excess bytes are refused', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana', admin);
  const bytes = fixture('omanual/own/minimal-1.0.omanual');
  const created = await ana.call('POST', '/omanual/imports', { size: bytes.length, filename: 'a.omanual' });
  const { importid } = created.body as { importid: number };
  expect((await sentPart(server, ana, importid, 10, bytes.subarray(10))).status).toBe(422);
  expect((await sentPart(server, ana, importid, 0, Buffer.concat([bytes, bytes]))).status).toBe(422);
  const first = await sentPart(server, ana, importid, 0, bytes.subarray(0, 20));
  expect(first.body).toMatchObject({ state: 'uploading', received: 20 });
  await sentPart(server, ana, importid, 5, bytes.subarray(5, 30));
  await sentPart(server, ana, importid, 30, bytes.subarray(30));
  await server.jobs.idle();
  expect(await importOf(ana, importid)).toMatchObject({ state: 'done', report: { version: '1.0' } });
  expect(await allGuides(server)).toHaveLength(1);
});

test.each([
  ['at once', (size: number) => [[0, size]]],
  [
    'in order',
    (size: number) => [
      [0, 100],
      [100, 500],
      [500, size],
    ],
  ],
  [
    'with a part sent again',
    (size: number) => [
      [0, 100],
      [100, 500],
      [100, 500],
      [500, size],
    ],
  ],
  [
    'with its beginning sent again',
    (size: number) => [
      [0, 100],
      [100, 500],
      [0, 300],
      [300, size],
    ],
  ],
  [
    'with parts that overlap',
    (size: number) => [
      [0, 100],
      [50, 500],
      [450, size],
    ],
  ],
])('OMANUAL-IMPORT-7 The hash of a file that is sent %s is that of its bytes', async (_, partsOf) => {
  await using server = await startServer();
  const ana = await server.person('Ana', admin);
  const bytes = fixture('omanual/own/minimal-1.0.omanual');
  const created = await ana.call('POST', '/omanual/imports', { size: bytes.length, dry_run: true });
  const { importid } = created.body as { importid: number };
  for (const [from = 0, to] of partsOf(bytes.length)) {
    const { status, body } = await sentPart(server, ana, importid, from, bytes.subarray(from, to));
    expect([status, body]).toEqual([200, expect.anything()]);
  }
  await server.jobs.idle();
  const row = await findImport(server.services.storage.reader, importid);
  expect(row?.sha256).toBe(hash('sha256', bytes));
  expect(await readFile(server.services.archives.uploadPath(importid))).toEqual(Buffer.from(bytes));
  expect((await importOf(ana, importid)).state).toBe('done');
});

test('OMANUAL-IMPORT-8 An archive is fetched from an address that the site may call, and from no other', async () => {
  await using source = await startServer();
  const ana = await source.person('Ana', admin);
  const rich = await richGuide(source, ana);
  await ana.call('PUT', `/guides/${rich.guideid}/public?revisionid=${rich.revisionid}`);
  await source.anonymous.guides.list({});
  await fetch(`${source.url}/api/2.0/omanual`);
  await source.jobs.idle();
  const [site] = (await (await fetch(`${source.url}/api/2.0/omanual`)).json()) as { url: string }[];
  await validArchive(await downloaded(must(site, 'the archive of the site').url));
  await using closed = await startServer();
  const ben = await closed.person('Ben', admin);
  expect((await ben.call('POST', '/omanual/imports', { url: site?.url })).status).toBe(422);
  await using open = await startServer({ site: { private_networks: ['127.0.0.0/8'] } });
  const eva = await open.person('Eva', admin);
  const begun = await eva.call('POST', '/omanual/imports', { url: site?.url });
  expect(begun.status).toBe(201);
  await open.jobs.idle();
  const { importid } = begun.body as { importid: number };
  expect(await importOf(eva, importid)).toMatchObject({ state: 'done', report: { producer: 'benchbook' } });
  const facts = await findDocument(open.services.storage.reader, 'guides', rich.guideid);
  expect(facts?.title).toBe('Belt');
});

test('OMANUAL-IMPORT-8 An address with a malformed escape is refused or fetched like any other', async () => {
  await using server = await startServer({ site: { private_networks: ['127.0.0.0/8'] } });
  const eva = await server.person('Eva', admin);
  const begun = await eva.call('POST', '/omanual/imports', { url: `${server.url}/%E0%A4%A.omanual` });
  expect(begun).toMatchObject({ status: 201, body: { filename: '%E0%A4%A.omanual' } });
  await server.jobs.idle();
  const { importid } = begun.body as { importid: number };
  expect(await importOf(eva, importid)).toMatchObject({
    state: 'failed',
    error: { errors: [{ field: 'url' }] },
  });
});
