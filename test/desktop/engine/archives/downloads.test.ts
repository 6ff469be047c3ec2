import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';

import { newDisk, serverAddress } from '../support/device.ts';
import { FakeServer } from '../support/fake-server.ts';
import { archiveOf, bigArchive, startArchiveDevice, workshop } from './world.ts';

/** A server that offers one archive, cuts its answers, and keeps what it was asked for. */
class ArchiveServer {
  readonly asked: { path: string; range: string | null; ifRange: string | null }[] = [];
  readonly sync = new FakeServer();
  /** Bytes after which an answer breaks off; null: it is whole. */
  cutAt: number | null = null;
  /** The whole comes at once, or else in pieces of so many bytes. */
  pieces = Number.POSITIVE_INFINITY;
  /** After the cut nothing comes any more, and nothing tells so. */
  isStuck = false;
  /** By what a version of the file is told. */
  version: 'etag' | 'last-modified' = 'etag';
  /** What is served in place of the bytes that are offered. */
  served: Uint8Array<ArrayBuffer>;
  /** What something else answers in the place of the server; null: the server answers. */
  portal: (() => Response) | null = null;
  offered: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.offered = bytes;
    this.served = bytes;
  }

  get hash(): string {
    return createHash('sha256').update(this.offered).digest('hex');
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(new Request(input).url);
    if (url.pathname.endsWith('/user/token'))
      return Response.json({ userid: 1, username: 'Ada', privileges: [], authToken: 'token' });
    if (url.pathname === '/api/2.0/omanual') return Response.json([this.#offer()]);
    if (url.pathname.endsWith('.omanual') && this.portal !== null) {
      this.asked.push({ path: url.pathname, range: new Headers(init?.headers).get('range'), ifRange: null });
      return this.portal();
    }
    if (url.pathname.endsWith('.omanual')) return this.#file(url, new Headers(init?.headers));
    return this.sync.fetch(input, init);
  };

  #offer(): object {
    const { hash, offered } = this;
    const url = `${serverAddress}/api/2.0/omanual/shop.omanual?hash=${hash}`;
    return {
      name: 'shop',
      title: 'Workshop',
      category: 'Workshop',
      state: 'ready',
      progress: null,
      error: null,
      size: offered.length,
      date: 1_767_230_000,
      guides: 2,
      hash,
      url,
    };
  }

  #file(url: URL, headers: Headers): Response {
    const [range, ifRange] = [headers.get('range'), headers.get('if-range')];
    this.asked.push({ path: url.pathname + url.search, range, ifRange });
    const validators = {
      etag: `"${createHash('sha256').update(this.served).digest('hex')}"`,
      'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
    };
    const validator = validators[this.version];
    const from = range === null || ifRange !== validator ? 0 : Number(/bytes=(\d+)-/.exec(range)?.[1]);
    const rest = this.served.subarray(from);
    const cut = this.cutAt;
    const part = rest.subarray(0, cut ?? rest.length);
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (at < part.length) controller.enqueue(part.slice(at, (at += Math.min(this.pieces, part.length))));
        else if (cut === null) controller.close();
        else if (this.isStuck) return new Promise(() => undefined);
        else controller.error(new TypeError('cut'));
        return undefined;
      },
    });
    const size = this.served.length;
    return new Response(body, {
      status: from === 0 ? 200 : 206,
      headers: {
        [this.version]: validator,
        date: 'Sun, 01 Feb 2026 00:00:00 GMT',
        'content-length': String(rest.length),
        ...(from > 0 && { 'content-range': `bytes ${from}-${size - 1}/${size}` }),
      },
    });
  }
}

async function signedIn(server: ArchiveServer, disk = newDisk()) {
  for (const { guideid, ...facts } of workshop)
    server.sync.put('guides', String(guideid), { guideid, ...facts });
  const device = await startArchiveDevice(disk, server.fetch);
  await device.actions.signIn(serverAddress, 'ada@bench.test', 'secret');
  await device.shows((offered) => offered !== null, 'serverArchives');
  return { device, disk };
}

test('ARCHIVE-10 an interrupted download continues where it stopped, and the whole file is verified and read', async () => {
  const server = new ArchiveServer(await archiveOf(workshop));
  server.cutAt = 1000;
  const { device, disk } = await signedIn(server);
  await using _ = device;
  expect(await device.shows(() => true, 'serverArchives')).toMatchObject([
    { name: 'shop', guides: 2, archiveid: null },
  ]);
  const archiveid = await device.actions.downloadArchive('shop');
  await device.shows((list) => list[0]?.state === 'broken-off', 'archives');
  server.cutAt = null;
  const [archive] = await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(archive).toMatchObject({ archiveid, origin: 'server', guides: 2, isOutdated: false, problem: null });
  expect(server.asked.at(0)).toMatchObject({ range: null });
  expect(server.asked.at(-1)).toMatchObject({ range: 'bytes=1000-', ifRange: `"${server.hash}"` });
  expect([...disk.archives.values()]).toEqual([server.offered]);
  expect(await device.shows(() => true, 'serverArchives')).toMatchObject([{ archiveid }]);
});

const hotel = '<html><body><h1>Welcome to the hotel</h1>Sign in to go on</body></html>';
const html = { 'content-type': 'text/html' };

test.each([
  ['a page in place of the file', () => new Response(hotel, { headers: html })],
  ['a page of unknown length', () => new Response(new Blob([hotel]).stream(), { headers: html })],
  ['nothing', () => new Response('')],
  ['a page that forbids', () => new Response(hotel, { status: 403, headers: html })],
  ['a page that finds nothing', () => new Response(hotel, { status: 404, headers: html })],
  ['a page that wants a sign-in', () => new Response(hotel, { status: 511, headers: html })],
  ['no such part', () => new Response(null, { status: 416 })],
  [
    'a part of something else',
    () => new Response(hotel, { status: 206, headers: { 'content-range': 'bytes 0-78/79' } }),
  ],
] as const)(
  'ARCHIVE-10 the received part stays when a portal answers with %s, and the download continues',
  async (_, portal) => {
    const server = new ArchiveServer(await archiveOf(workshop));
    server.cutAt = 1000;
    const { device, disk } = await signedIn(server);
    await using _device = device;
    await device.actions.downloadArchive('shop');
    await device.shows((list) => list[0]?.state === 'broken-off', 'archives');
    server.portal = portal;
    server.asked.length = 0;
    const [met] = await device.shows(
      (list) => list[0]?.problem?.includes('in its place') === true,
      'archives',
    );
    expect(met).toMatchObject({ state: 'broken-off', progress: { total: server.offered.length } });
    expect([...disk.archives.values()]).toEqual([server.offered.slice(0, 1000)]);
    server.portal = null;
    server.cutAt = null;
    await device.shows((list) => list[0]?.state === 'ready', 'archives');
    expect(server.asked.at(-1)?.range).toBe('bytes=1000-');
    expect([...disk.archives.values()]).toEqual([server.offered]);
  },
);

test('ARCHIVE-10 a file that ends too early continues where it ended', async () => {
  const server = new ArchiveServer(await archiveOf(workshop));
  const { device, disk } = await signedIn(server);
  await using _ = device;
  const headers = { etag: `"${server.hash}"`, date: 'Sun, 01 Feb 2026 00:00:00 GMT' };
  server.portal = () => new Response(server.offered.slice(0, 900), { headers });
  await device.actions.downloadArchive('shop');
  await device.shows((list) => list[0]?.state === 'broken-off', 'archives');
  server.portal = null;
  server.asked.length = 0;
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(server.asked.map(({ range }) => range)).toEqual(['bytes=900-']);
  expect([...disk.archives.values()]).toEqual([server.offered]);
});

test('ARCHIVE-10 a download continues by the last modification date if the server sends no tag', async () => {
  const server = new ArchiveServer(await archiveOf(workshop));
  server.version = 'last-modified';
  server.cutAt = 1000;
  const { device, disk } = await signedIn(server);
  await using _ = device;
  await device.actions.downloadArchive('shop');
  await device.shows((list) => list[0]?.state === 'broken-off', 'archives');
  server.cutAt = null;
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(server.asked.at(-1)).toMatchObject({
    range: 'bytes=1000-',
    ifRange: 'Thu, 01 Jan 2026 00:00:00 GMT',
  });
  expect([...disk.archives.values()]).toEqual([server.offered]);
});

test('ARCHIVE-10 after a power cut a download continues from the last safely stored byte', async () => {
  const megabyte = 1024 * 1024;
  const server = new ArchiveServer(await bigArchive(20 * megabyte));
  server.cutAt = 19 * megabyte;
  server.pieces = 300_000;
  server.isStuck = true;
  const disk = newDisk();
  {
    const { device } = await signedIn(server, disk);
    await using _ = device;
    await device.actions.downloadArchive('shop');
    await device.shows((list) => (list[0]?.progress?.done ?? 0) >= 18 * megabyte, 'archives');
    const [name, bytes] = must([...disk.archives][0], 'what is fetched');
    // As a disk may be found that lost what it was not asked to keep.
    disk.archives.set(name, new Uint8Array(20 * megabyte).fill(7));
    disk.archives.get(name)?.set(bytes.subarray(0, 16 * megabyte));
    disk.archives = new Map(disk.archives);
  }
  server.cutAt = null;
  server.asked.length = 0;
  await using device = await startArchiveDevice(disk, server.fetch);
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(server.asked.map(({ range }) => range)).toEqual([`bytes=${16 * megabyte}-`]);
  const [kept] = disk.archives.values();
  expect(Buffer.compare(must(kept, 'the archive'), server.offered)).toBe(0);
});

test('ARCHIVE-10 a paused download rests, also across a restart, until the person continues it', async () => {
  const server = new ArchiveServer(await archiveOf(workshop));
  server.cutAt = 500;
  const disk = newDisk();
  {
    const { device } = await signedIn(server, disk);
    await using _ = device;
    const archiveid = await device.actions.downloadArchive('shop');
    await device.shows((list) => list[0]?.state === 'broken-off', 'archives');
    await device.actions.pauseDownload(archiveid);
  }
  server.cutAt = null;
  server.asked.length = 0;
  await using device = await startArchiveDevice(disk, server.fetch);
  const [paused] = await device.shows((list) => list.length === 1, 'archives');
  expect(paused).toMatchObject({ state: 'paused', progress: { total: server.offered.length } });
  expect(server.asked).toEqual([]);
  await device.actions.resumeDownload(paused?.archiveid ?? '');
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(server.asked[0]?.range).toMatch(/^bytes=[1-9]/);
});

test('ARCHIVE-10 a file other than the offered one is not kept', async () => {
  const server = new ArchiveServer(await archiveOf(workshop));
  server.served = Uint8Array.from(server.offered, (byte, index) => (index === 700 ? byte ^ 1 : byte));
  const { device, disk } = await signedIn(server);
  await using _ = device;
  await device.actions.downloadArchive('shop');
  const [archive] = await device.shows((list) => list[0]?.state === 'broken-off', 'archives');
  expect(archive?.problem).toContain('not what was offered');
  expect(disk.archives.size).toBe(0);
});

test('ARCHIVE-11 a new version is announced, downloaded beside the old one, and replaces it under the same id', async () => {
  const server = new ArchiveServer(await archiveOf(workshop));
  const disk = newDisk();
  let archiveid: string;
  {
    const { device } = await signedIn(server, disk);
    await using _ = device;
    archiveid = await device.actions.downloadArchive('shop');
    await device.shows((list) => list[0]?.state === 'ready', 'archives');
  }
  server.offered = await archiveOf(workshop.slice(0, 1));
  server.served = server.offered;
  await using device = await startArchiveDevice(disk, server.fetch);
  await device.shows((list) => list[0]?.isOutdated === true, 'archives');
  expect(await device.actions.downloadArchive('shop')).toBe(archiveid);
  const list = await device.shows((now) => now[0]?.state === 'ready' && now[0].guides === 1, 'archives');
  expect(list).toMatchObject([{ archiveid, isOutdated: false }]);
  expect([...disk.archives.values()]).toEqual([server.offered]);
});

test('ARCHIVE-17 ARCHIVE-11 a picture of the new version is shown under its name in the old one, and none of a removed archive', async () => {
  const server = new ArchiveServer(await archiveOf(workshop));
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
  server.offered = await bigArchive(5000);
  server.served = server.offered;
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
  const server = new ArchiveServer(await archiveOf(workshop));
  const { device, disk } = await signedIn(server);
  await using _ = device;
  await device.actions.downloadArchive('shop');
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  server.sync.remove('guides', '8');
  await device.shows((list) => list.length === 0, 'archives');
  await expect.poll(() => disk.archives.size).toBe(0);
  const { left } = await device.shows((news) => news.left.length === 1, 'archiveNews');
  expect(left).toMatchObject([{ title: 'Workshop', name: 'shop' }]);
});

test('ARCHIVE-8 the removal of an archive is reported until the person has seen it, also across a restart', async () => {
  const server = new ArchiveServer(await archiveOf(workshop));
  const disk = newDisk();
  {
    const { device } = await signedIn(server, disk);
    await using _ = device;
    await device.actions.downloadArchive('shop');
    await device.shows((list) => list[0]?.state === 'ready', 'archives');
    server.sync.remove('guides', '8');
    await device.shows((news) => news.left.length === 1, 'archiveNews');
  }
  await using device = await startArchiveDevice(disk, server.fetch);
  const { left } = await device.shows((news) => news.left.length === 1, 'archiveNews');
  await device.actions.dismissArchiveNews(left[0]?.archiveid ?? '');
  await device.shows((news) => news.left.length === 0, 'archiveNews');
});

test('ARCHIVE-8 a partial download of a version no longer offered leaves no bytes, and starts anew', async () => {
  const server = new ArchiveServer(await archiveOf(workshop));
  server.cutAt = 500;
  const { device, disk } = await signedIn(server);
  await using _ = device;
  const archiveid = await device.actions.downloadArchive('shop');
  await device.shows((list) => list[0]?.state === 'broken-off', 'archives');
  await device.actions.pauseDownload(archiveid);
  expect([...disk.archives.values()].map(({ length }) => length)).not.toEqual([]);
  server.offered = await archiveOf(workshop.slice(0, 1));
  server.served = server.offered;
  await expect.poll(() => disk.archives.size).toBe(0);
  server.cutAt = null;
  await device.actions.resumeDownload(archiveid);
  const [archive] = await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(archive).toMatchObject({ guides: 1, isOutdated: false });
  expect([...disk.archives.values()]).toEqual([server.offered]);
});

test('ARCHIVE-15 a newer version is announced while the app stays open, until it is here', async () => {
  const server = new ArchiveServer(await archiveOf(workshop));
  const { device } = await signedIn(server);
  await using _ = device;
  await device.actions.downloadArchive('shop');
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  await device.shows((news) => news.outdated === 0, 'archiveNews');
  server.offered = await archiveOf(workshop.slice(0, 1));
  server.served = server.offered;
  await device.shows((news) => news.outdated === 1, 'archiveNews');
  await device.actions.downloadArchive('shop');
  await device.shows((news) => news.outdated === 0, 'archiveNews');
});

test('ARCHIVE-9 a guide in an archive of this server is the same as the one in the library', async () => {
  const server = new ArchiveServer(await archiveOf(workshop));
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
