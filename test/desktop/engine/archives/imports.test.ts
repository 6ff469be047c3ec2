import { expect, test } from 'vitest';

import { bytesSource } from '#shared/formats/omanual/source.ts';
import { startServer } from '#test/support/server.ts';

import { newDisk } from '../support/device.ts';
import { startWholeDevice } from '../support/whole-device.ts';
import { archiveOf, workshop } from './world.ts';

const rules = { existing: 'skip', visibility: 'public', author: 'importer' } as const;

test('ARCHIVE-13 an import requested offline starts with the network, and the guides arrive', async () => {
  await using server = await startServer();
  await server.person('Ada');
  let url: string | null = server.url;
  await using device = await startWholeDevice(() => url, newDisk());
  await device.signIn('Ada');
  await device.inSync();
  url = null;
  const bytes = await archiveOf(workshop, 'https://elsewhere.test');
  const archiveid = await device.actions.openArchive(bytesSource(bytes), 'shop.omanual');
  await device.actions.importArchive(archiveid, rules);
  const [waiting] = await device.shows((list) => list.length > 0, 'activity');
  expect(waiting).toMatchObject({ kind: 'file', subject: 'shop.omanual', detail: 'shop.omanual' });
  expect((await device.look('syncState')).pending).toBe(1);

  url = server.url;
  device.actions.syncNow();
  const done = await device.shows((list) => list?.[0]?.state === 'done', 'archiveImports');
  expect(done?.[0]).toMatchObject({ isTrial: false, result: { created: 4, skipped: 0 }, problem: null });
  const { guides } = await device.shows(({ total }) => total === 2, 'library', { category: null });
  expect(guides.map(({ title }) => title)).toEqual(['Change the drive belt', 'Lock out the machine']);
  expect((await device.look('syncState')).pending).toBe(0);
});

test('ARCHIVE-13 an import is tried, done, and undone', async () => {
  await using server = await startServer();
  await server.person('Ada');
  await using device = await startWholeDevice(() => server.url, newDisk());
  await device.signIn('Ada');
  await device.inSync();
  const bytes = await archiveOf(workshop, 'https://elsewhere.test');
  const archiveid = await device.actions.openArchive(bytesSource(bytes), 'shop.omanual');
  await device.shows((list) => list !== null, 'archiveImports');
  await device.actions.tryImport(archiveid, rules);
  const [trial] = (await device.shows((list) => list?.[0]?.state === 'done', 'archiveImports')) ?? [];
  expect(trial).toMatchObject({ isTrial: true, result: { created: 4 } });
  expect(trial?.items).toContainEqual({ kind: 'guide', title: 'Change the drive belt', action: 'created' });
  expect((await device.look('library', { category: null })).total).toBe(0);
  await device.actions.runImport(trial?.importid ?? 0, rules);
  const [real] =
    (await device.shows((list) => list?.[0]?.state === 'done' && !list[0].isTrial, 'archiveImports')) ?? [];
  await device.shows(({ total }) => total === 2, 'library', { category: null });
  await device.actions.undoImport(real?.importid ?? 0);
  await device.shows((list) => list?.[0]?.state === 'undone', 'archiveImports');
  await device.shows(({ total }) => total === 0, 'library', { category: null });
});

test('ARCHIVE-13 an import can be tried before there is a network: the trial waits and changes nothing', async () => {
  await using server = await startServer();
  await server.person('Ada');
  let url: string | null = server.url;
  const disk = newDisk();
  await using device = await startWholeDevice(() => url, disk);
  await device.signIn('Ada');
  await device.inSync();
  url = null;
  const bytes = await archiveOf(workshop, 'https://elsewhere.test');
  const archiveid = await device.actions.openArchive(bytesSource(bytes), 'shop.omanual');
  await device.actions.tryImport(archiveid, rules);
  expect((await device.look('syncState')).pending).toBe(1);
  expect(await device.look('activity')).toMatchObject([
    {
      state: 'queued',
      subject: 'shop.omanual',
      call: { path: '/omanual/imports', body: { dry_run: true } },
    },
  ]);
  url = server.url;
  device.actions.syncNow();
  const [trial] = (await device.shows((list) => list?.[0]?.state === 'done', 'archiveImports')) ?? [];
  expect(trial).toMatchObject({ isTrial: true, rules, result: { created: 4 } });
  expect((await device.look('library', { category: null })).total).toBe(0);
});

test("ARCHIVE-13 a person without the right to import gets the server's message, and nothing is lost", async () => {
  await using server = await startServer();
  await server.person('Ben', ['User']);
  await using device = await startWholeDevice(() => server.url, newDisk());
  await device.signIn('Ben');
  const bytes = await archiveOf(workshop);
  const archiveid = await device.actions.openArchive(bytesSource(bytes), 'shop.omanual');
  await device.actions.importArchive(archiveid, rules);
  const [parked] = await device.shows((list) => list[0]?.state === 'parked', 'activity');
  expect(parked?.refusal?.status).toBe(403);
});
