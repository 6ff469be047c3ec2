import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';

import { expect, test } from 'vitest';

import type { ArchiveImport } from '#shared/model/archive-record.ts';
import { keepUploadSeconds } from '#server/features/omanual/import/prune-uploads.ts';
import { prune } from '#server/features/prune.ts';
import { exported, imported, importOf, sentPart } from '#test/support/archive-calls.ts';
import { allGuides } from '#test/support/stored-guides.ts';
import { written } from '#test/support/written.ts';
import { startServer } from '#test/support/server.ts';

test('OMANUAL-IMPORT-11 The file of an import is removed seven days after its end, an incomplete one seven days after its start', async () => {
  let late = 0;
  await using server = await startServer({ now: () => Date.now() + late });
  const ana = await server.person('Ana', ['User', 'Author', 'Moderator', 'Admin']);
  await server.category('Workshop', undefined, 'All machines.');
  await ana.client.guides.create({ body: { category: 'Workshop', type: 'repair', title: 'Belt' } });
  const bytes = await exported(server, ana, { category: 'Workshop' });
  const dry = await imported(server, ana, bytes, { dry_run: true });
  const created = await ana.call('POST', '/omanual/imports', { size: bytes.length });
  const { importid: stalled } = created.body as ArchiveImport;
  const half = bytes.subarray(0, 100);
  await sentPart(server, ana, stalled, 0, half);
  const { archives } = server.services;
  const areThere = (): boolean[] =>
    [dry.importid, stalled].map((importid) => existsSync(archives.uploadPath(importid)));

  late = (keepUploadSeconds - 60) * 1000;
  await prune(server.services);
  expect(areThere()).toEqual([true, true]);

  late = (keepUploadSeconds + 60) * 1000;
  await prune(server.services);
  expect(areThere()).toEqual([false, false]);
  const run = await ana.call('POST', `/omanual/imports/${dry.importid}/run`, {});
  expect(run).toMatchObject({ status: 422, body: { errors: [{ field: 'importid' }] } });
  expect(await importOf(ana, stalled)).toMatchObject({ state: 'uploading', received: 0 });
  await sentPart(server, ana, stalled, 0, half);
  await sentPart(server, ana, stalled, 100, bytes.subarray(100));
  await server.jobs.idle();
  expect(await importOf(ana, stalled)).toMatchObject({ state: 'done' });
});

test('OMANUAL-IMPORT-11 An import whose file was lost in a restore reports that, can be undone, and is not run again', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana', ['User', 'Author', 'Moderator', 'Admin']);
  await server.category('Workshop', undefined, 'All machines.');
  await ana.client.guides.create({ body: { category: 'Workshop', type: 'repair', title: 'Belt' } });
  const bytes = await exported(server, ana, { category: 'Workshop' });
  const { importid, file } = await imported(server, ana, bytes, { existing: 'new' });
  expect([file, (await allGuides(server)).length]).toStrictEqual(['here', 2]);
  await rm(server.services.archives.uploadPath(importid));
  expect(await importOf(ana, importid)).toMatchObject({ state: 'done', file: 'gone' });
  const again = await ana.call('POST', `/omanual/imports/${importid}/run`, {});
  expect(again).toMatchObject({ status: 422, body: { errors: [{ field: 'importid' }] } });
  await ana.call('POST', `/omanual/imports/${importid}/undo`, {});
  await server.jobs.idle();
  expect(await importOf(ana, importid)).toMatchObject({ file: 'gone', undo: { state: 'done', undone: 1 } });
  expect(await allGuides(server)).toHaveLength(1);
});

test('OMANUAL-IMPORT-11 An upload whose bytes were lost in a restore starts again; an import waiting for them fails with a clear message', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana', ['User', 'Author', 'Moderator', 'Admin']);
  await server.category('Workshop', undefined, 'All machines.');
  await ana.client.guides.create({ body: { category: 'Workshop', type: 'repair', title: 'Belt' } });
  const bytes = await exported(server, ana, { category: 'Workshop' });
  const created = await ana.call('POST', '/omanual/imports', { size: bytes.length });
  const { importid } = created.body as ArchiveImport;
  await sentPart(server, ana, importid, 0, bytes.subarray(0, 100));
  await rm(server.services.archives.uploadPath(importid));
  expect(await importOf(ana, importid)).toMatchObject({ received: 0, file: 'awaited' });
  const gap = await sentPart(server, ana, importid, 100, bytes.subarray(100));
  expect(gap).toMatchObject({ status: 422, body: { errors: [{ field: 'offset' }] } });
  await sentPart(server, ana, importid, 0, bytes);
  await server.jobs.idle();
  await rm(server.services.archives.uploadPath(importid));
  // As after a start from a backup: the job waits, its file is missing.
  await written(server.services, (tx) =>
    tx
      .updateTable('jobs')
      .set({ state: 'waiting', result: null })
      .where('subject', '=', `import:${importid}`)
      .execute(),
  );
  await server.jobs.idle();
  const { state, error } = await importOf(ana, importid);
  expect([state, error?.errors]).toMatchObject([
    'failed',
    [{ message: expect.stringContaining('send it again') as string }],
  ]);
});
