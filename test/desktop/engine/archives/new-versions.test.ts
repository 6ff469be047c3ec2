import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { newDisk } from '../support/device.ts';
import { archiveOf, bigArchive, startArchiveDevice, workshop } from './world.ts';
import { offering, signedIn } from './offering.ts';

test('ARCHIVE-11 a new version is announced, downloaded beside the old one, and replaces it under the same id', async () => {
  const server = offering(await archiveOf(workshop));
  const disk = newDisk();
  let archiveid: string;
  {
    const { device } = await signedIn(server, disk);
    await using _ = device;
    archiveid = await device.actions.downloadArchive('shop');
    await device.shows((list) => list[0]?.state === 'ready', 'archives');
  }
  server.archive.offered = await archiveOf(workshop.slice(0, 1));
  server.archive.served = server.archive.offered;
  await using device = await startArchiveDevice(disk, server.fetch);
  await device.shows((list) => list[0]?.isOutdated === true, 'archives');
  expect(await device.actions.downloadArchive('shop')).toBe(archiveid);
  const list = await device.shows((now) => now[0]?.state === 'ready' && now[0].guides === 1, 'archives');
  expect(list).toMatchObject([{ archiveid, isOutdated: false }]);
  expect([...disk.archives.values()]).toEqual([server.archive.offered]);
});

test('ARCHIVE-17 ARCHIVE-11 a picture of the new version is shown under its name in the old one, and none of a removed archive', async () => {
  const server = offering(await archiveOf(workshop));
  const { device } = await signedIn(server);
  await using _ = device;
  const archiveid = await device.actions.downloadArchive('shop');
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  const page = await device.shows((now) => now?.guides.length === 2, 'archive', {
    archiveid,
    category: null,
  });
  const shown = page?.guides.find(({ imageGuid }) => imageGuid !== null)?.imageGuid ?? '';
  const bytesOf = async (): Promise<number> => {
    const url = await device.shows(() => true, 'picture', shown, 'large');
    return url === null ? 0 : (await (await fetch(url)).arrayBuffer()).byteLength;
  };
  const before = await bytesOf();
  expect(before).toBeGreaterThan(0);
  server.archive.offered = await bigArchive(5000);
  server.archive.served = server.archive.offered;
  device.actions.syncNow();
  await device.shows((list) => list[0]?.isOutdated === true, 'archives');
  await device.actions.downloadArchive('shop');
  let isNew = false;
  const looking = (async () => {
    for (; !isNew; await setImmediate()) await bytesOf();
  })();
  await device
    .shows((now) => now[0]?.state === 'ready' && !now[0].isOutdated, 'archives')
    .finally(() => (isNew = true));
  await looking;
  await expect.poll(bytesOf).toBe(5000);
  await device.actions.removeArchive(archiveid);
  await expect.poll(bytesOf).toBe(0);
});

test('ARCHIVE-8 an archive of the server is removed when the person may no longer see one of its guides', async () => {
  const server = offering(await archiveOf(workshop));
  const { device, disk } = await signedIn(server);
  await using _ = device;
  await device.actions.downloadArchive('shop');
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  server.remove('guides', '8');
  await device.shows((list) => list.length === 0, 'archives');
  await expect.poll(() => disk.archives.size).toBe(0);
  const { left } = await device.shows((news) => news.left.length === 1, 'archiveNews');
  expect(left).toMatchObject([{ title: 'Workshop', name: 'shop' }]);
});

test('ARCHIVE-8 the removal of an archive is reported until the person has seen it, also across a restart', async () => {
  const server = offering(await archiveOf(workshop));
  const disk = newDisk();
  {
    const { device } = await signedIn(server, disk);
    await using _ = device;
    await device.actions.downloadArchive('shop');
    await device.shows((list) => list[0]?.state === 'ready', 'archives');
    server.remove('guides', '8');
    await device.shows((news) => news.left.length === 1, 'archiveNews');
  }
  await using device = await startArchiveDevice(disk, server.fetch);
  const { left } = await device.shows((news) => news.left.length === 1, 'archiveNews');
  await device.actions.dismissArchiveNews(left[0]?.archiveid ?? '');
  await device.shows((news) => news.left.length === 0, 'archiveNews');
});

test('ARCHIVE-8 a partial download of a version no longer offered leaves no bytes, and starts anew', async () => {
  const server = offering(await archiveOf(workshop));
  server.archive.cutAt = 500;
  const { device, disk } = await signedIn(server);
  await using _ = device;
  const archiveid = await device.actions.downloadArchive('shop');
  await device.shows((list) => list[0]?.state === 'broken-off', 'archives');
  await device.actions.pauseDownload(archiveid);
  expect([...disk.archives.values()].map(({ length }) => length)).not.toEqual([]);
  server.archive.offered = await archiveOf(workshop.slice(0, 1));
  server.archive.served = server.archive.offered;
  await expect.poll(() => disk.archives.size).toBe(0);
  server.archive.cutAt = null;
  await device.actions.resumeDownload(archiveid);
  const [archive] = await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(archive).toMatchObject({ guides: 1, isOutdated: false });
  expect([...disk.archives.values()]).toEqual([server.archive.offered]);
});

test('ARCHIVE-15 a newer version is announced while the app stays open, until it is here', async () => {
  const server = offering(await archiveOf(workshop));
  const { device } = await signedIn(server);
  await using _ = device;
  await device.actions.downloadArchive('shop');
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  await device.shows((news) => news.outdated === 0, 'archiveNews');
  server.archive.offered = await archiveOf(workshop.slice(0, 1));
  server.archive.served = server.archive.offered;
  await device.shows((news) => news.outdated === 1, 'archiveNews');
  await device.actions.downloadArchive('shop');
  await device.shows((news) => news.outdated === 0, 'archiveNews');
});

test('ARCHIVE-9 a guide in an archive of this server is the same as the one in the library', async () => {
  const server = offering(await archiveOf(workshop));
  const { device } = await signedIn(server);
  await using _ = device;
  const archiveid = await device.actions.downloadArchive('shop');
  const query = { archiveid, category: null };
  const page = await device.shows(
    (now) => now?.guides.every(({ same }) => same != null) === true && now.guides.length === 2,
    'archive',
    query,
  );
  expect(page?.guides.map(({ same }) => same)).toEqual(['8', '7']);
});
