import { existsSync } from 'node:fs';

import { expect, test } from 'vitest';

import type { ArchiveImport } from '#shared/model/archive-record.ts';
import { keepUploadSeconds } from '#server/jobs/archive-import/prune-uploads.ts';
import { prune } from '#server/jobs/prune.ts';
import { exported, imported, importOf, sentPart } from '#test/support/archive-calls.ts';
import { startServer } from '#test/support/server.ts';

test('P11 The file of an import goes seven days after its end, one that never came whole seven days after it began', async () => {
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
