import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';

import { PrivateNetwork } from '#desktop/engine/sync/connection-errors.ts';

import { newDisk } from '../support/device.ts';
import { archiveOf, bigArchive, startArchiveDevice, workshop } from './world.ts';
import { offering, signedIn } from './offering.ts';

test('ARCHIVE-10 an interrupted download continues where it stopped, and the whole file is verified and read', async () => {
  const server = offering(await archiveOf(workshop));
  server.archive.cutAt = 1000;
  const { device, disk } = await signedIn(server);
  await using _ = device;
  expect(await device.shows(() => true, 'serverArchives')).toMatchObject([
    { name: 'shop', guides: 2, archiveid: null },
  ]);
  const archiveid = await device.actions.downloadArchive('shop');
  await device.shows((list) => list[0]?.state === 'broken-off', 'archives');
  server.archive.cutAt = null;
  const [archive] = await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(archive).toMatchObject({ archiveid, origin: 'server', guides: 2, isOutdated: false, problem: null });
  expect(server.archive.asked.at(0)).toMatchObject({ range: null });
  expect(server.archive.asked.at(-1)).toMatchObject({
    range: 'bytes=1000-',
    ifRange: `"${server.archive.hash}"`,
  });
  expect([...disk.archives.values()]).toEqual([server.archive.offered]);
  expect(await device.shows(() => true, 'serverArchives')).toMatchObject([{ archiveid }]);
});

const hotel = '<html><body><h1>Welcome to the hotel</h1>Sign in to go on</body></html>';
const html = { 'content-type': 'text/html' };

test.each([
  ['a page instead of the file', () => new Response(hotel, { headers: html })],
  ['a page of unknown length', () => new Response(new Blob([hotel]).stream(), { headers: html })],
  ['nothing', () => new Response('')],
  ['a page with 403', () => new Response(hotel, { status: 403, headers: html })],
  ['a page with 404', () => new Response(hotel, { status: 404, headers: html })],
  ['a page with 511', () => new Response(hotel, { status: 511, headers: html })],
  ['416', () => new Response(null, { status: 416 })],
  [
    'a part of another file',
    () => new Response(hotel, { status: 206, headers: { 'content-range': 'bytes 0-78/79' } }),
  ],
] as const)(
  'ARCHIVE-10 the received part stays when a portal answers with %s, and the download continues',
  async (_, portal) => {
    const server = offering(await archiveOf(workshop));
    server.archive.cutAt = 1000;
    const { device, disk } = await signedIn(server);
    await using _device = device;
    await device.actions.downloadArchive('shop');
    await device.shows((list) => list[0]?.state === 'broken-off', 'archives');
    server.fault = (path) => (path.endsWith('.omanual') ? { respond: portal } : undefined);
    server.archive.asked.length = 0;
    const [met] = await device.shows(
      (list) => list[0]?.problem?.includes('in its place') === true,
      'archives',
    );
    expect(met).toMatchObject({ state: 'broken-off', progress: { total: server.archive.offered.length } });
    expect([...disk.archives.values()]).toEqual([server.archive.offered.slice(0, 1000)]);
    server.fault = () => undefined;
    server.archive.cutAt = null;
    await device.shows((list) => list[0]?.state === 'ready', 'archives');
    expect(server.archive.asked.at(-1)?.range).toBe('bytes=1000-');
    expect([...disk.archives.values()]).toEqual([server.archive.offered]);
  },
);

test('ARCHIVE-10 a file that ends too early continues where it ended', async () => {
  const server = offering(await archiveOf(workshop));
  const { device, disk } = await signedIn(server);
  await using _ = device;
  const headers = { etag: `"${server.archive.hash}"`, date: 'Sun, 01 Feb 2026 00:00:00 GMT' };
  const respond = (): Response => new Response(server.archive.offered.slice(0, 900), { headers });
  server.fault = (path) => (path.endsWith('.omanual') ? { respond } : undefined);
  await device.actions.downloadArchive('shop');
  await device.shows((list) => list[0]?.state === 'broken-off', 'archives');
  server.fault = () => undefined;
  server.archive.asked.length = 0;
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(server.archive.asked.map(({ range }) => range)).toEqual(['bytes=900-']);
  expect([...disk.archives.values()]).toEqual([server.archive.offered]);
});

test('ARCHIVE-10 a download continues by the last modification date if the server sends no tag', async () => {
  const server = offering(await archiveOf(workshop));
  server.archive.version = 'last-modified';
  server.archive.cutAt = 1000;
  const { device, disk } = await signedIn(server);
  await using _ = device;
  await device.actions.downloadArchive('shop');
  await device.shows((list) => list[0]?.state === 'broken-off', 'archives');
  server.archive.cutAt = null;
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(server.archive.asked.at(-1)).toMatchObject({
    range: 'bytes=1000-',
    ifRange: 'Thu, 01 Jan 2026 00:00:00 GMT',
  });
  expect([...disk.archives.values()]).toEqual([server.archive.offered]);
});

test('ARCHIVE-10 after a power cut a download continues from the last safely stored byte', async () => {
  const megabyte = 1024 * 1024;
  const server = offering(await bigArchive(20 * megabyte));
  server.archive.cutAt = 19 * megabyte;
  server.archive.pieces = 300_000;
  server.archive.isStuck = true;
  const disk = newDisk();
  {
    const { device } = await signedIn(server, disk);
    await using _ = device;
    await device.actions.downloadArchive('shop');
    await device.shows((list) => (list[0]?.progress?.done ?? 0) >= 18 * megabyte, 'archives');
    const [name, bytes] = must([...disk.archives][0], 'what is fetched');
    // Like a disk that lost data which was not flushed.
    disk.archives.set(name, new Uint8Array(20 * megabyte).fill(7));
    disk.archives.get(name)?.set(bytes.subarray(0, 16 * megabyte));
    disk.archives = new Map(disk.archives);
  }
  server.archive.cutAt = null;
  server.archive.asked.length = 0;
  await using device = await startArchiveDevice(disk, server.fetch);
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(server.archive.asked.map(({ range }) => range)).toEqual([`bytes=${16 * megabyte}-`]);
  const [kept] = disk.archives.values();
  expect(Buffer.compare(must(kept, 'the archive'), server.archive.offered)).toBe(0);
});

test('ARCHIVE-10 a paused download rests, also across a restart, until the person continues it', async () => {
  const server = offering(await archiveOf(workshop));
  server.archive.cutAt = 500;
  const disk = newDisk();
  {
    const { device } = await signedIn(server, disk);
    await using _ = device;
    const archiveid = await device.actions.downloadArchive('shop');
    await device.shows((list) => list[0]?.state === 'broken-off', 'archives');
    await device.actions.pauseDownload(archiveid);
  }
  server.archive.cutAt = null;
  server.archive.asked.length = 0;
  await using device = await startArchiveDevice(disk, server.fetch);
  const [paused] = await device.shows((list) => list.length === 1, 'archives');
  expect(paused).toMatchObject({ state: 'paused', progress: { total: server.archive.offered.length } });
  expect(server.archive.asked).toEqual([]);
  await device.actions.resumeDownload(paused?.archiveid ?? '');
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(server.archive.asked[0]?.range).toMatch(/^bytes=[1-9]/);
});

test('ARCHIVE-10 a file other than the offered one is not kept', async () => {
  const server = offering(await archiveOf(workshop));
  server.archive.served = Uint8Array.from(server.archive.offered, (byte, index) =>
    index === 700 ? byte ^ 1 : byte,
  );
  const { device, disk } = await signedIn(server);
  await using _ = device;
  await device.actions.downloadArchive('shop');
  const [archive] = await device.shows((list) => list[0]?.state === 'broken-off', 'archives');
  expect(archive?.problem).toContain('not what was offered');
  expect(disk.archives.size).toBe(0);
});

test('ARCHIVE-10 a site that does not allow cross-origin requests is distinguished from a broken connection', async () => {
  const closed: typeof globalThis.fetch = async (_, init) => {
    if (init?.mode !== 'no-cors') throw new TypeError('Failed to fetch');
    const answer = new Response(null);
    Object.defineProperty(answer, 'type', { value: 'opaque' });
    return answer;
  };
  await using device = await startArchiveDevice(newDisk(), closed);
  await device.actions.fetchArchive('https://elsewhere.test/shop.omanual');
  const [archive] = await device.shows((list) => (list[0]?.problem ?? null) !== null, 'archives');
  expect(archive?.problem).toContain('Download it there');
});

test('ELECTRON-52 a download from a private network starts and resumes only if the person allows it', async () => {
  const bytes = await archiveOf(workshop);
  let answer = false;
  let isAllowed = false;
  let isMoved = false;
  await using device = await startArchiveDevice(newDisk(), undefined, {
    allowElsewhere: async () => (isAllowed = answer),
    fetchElsewhere: async () => {
      if (!isAllowed || isMoved) throw new PrivateNetwork();
      return new Response(bytes);
    },
  });
  const address = 'http://192.168.1.5/shop.omanual';
  await expect(device.actions.fetchArchive(address)).rejects.toThrow('private network');
  expect(await device.shows(() => true, 'archives')).toEqual([]);

  answer = true;
  const archiveid = await device.actions.fetchArchive(address);
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  await device.actions.removeArchive(archiveid);

  // An address that redirects into a private network later.
  isMoved = true;
  await device.actions.fetchArchive(address);
  const [archive] = await device.shows((list) => (list[0]?.problem ?? null) !== null, 'archives');
  expect(archive?.problem).toContain('private network');
});

test('ARCHIVE-10 an address is downloaded without a signed-in person, and an invalid archive is reported', async () => {
  const bytes = await archiveOf(workshop);
  const answers: Record<string, Uint8Array<ArrayBuffer>> = {
    '/a/shop.omanual': bytes,
    '/page.html': new TextEncoder().encode('<!doctype html><p>No'),
  };
  const fetch: typeof globalThis.fetch = async (input) => {
    const body = answers[new URL(new Request(input).url).pathname];
    return body === undefined ? new Response(null, { status: 404 }) : new Response(body);
  };
  await using device = await startArchiveDevice(newDisk(), fetch);
  await expect(device.actions.fetchArchive('file:///etc/passwd')).rejects.toThrow('http');
  await device.actions.fetchArchive('https://elsewhere.test/a/shop.omanual');
  const [archive] = await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(archive).toMatchObject({ origin: 'url', filename: 'shop.omanual', guides: 2 });
  await device.actions.fetchArchive('https://elsewhere.test/page.html');
  await device.shows(
    (list) => list.some(({ state, problem }) => state === 'unusable' && problem !== null),
    'archives',
  );
  await device.actions.fetchArchive('https://elsewhere.test/none.omanual');
  await device.shows((list) => list.some(({ state }) => state === 'broken-off'), 'archives');
});
