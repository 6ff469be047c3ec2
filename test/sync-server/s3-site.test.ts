/** A site with its files in S3: redirects, moving there and back, backups. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { blobPlace } from '#server/blob-place.ts';
import type { Blobs } from '#server/media/blobs.ts';
import { blobsElsewhere } from '#server/media/open.ts';
import { FileBlobs } from '#server/media/file-blobs.ts';
import { readConfig } from '#server/platform/config.ts';
import { recordedLocation } from '#server/media/recorded-location.ts';
import { Bucket } from '#server/media/s3/bucket.ts';
import type { S3Location } from '#server/platform/s3-location.ts';
import { damageBlob } from '#test/support/damage-blob.ts';
import { movieFile, pdfFile } from '#test/support/media-files.ts';
import { startS3, type S3Server } from '#test/support/s3-server.ts';
import { startServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { benchbook, folders, picture, workshop } from './backup-folders.ts';
import { mediaCalls } from './media-calls.ts';

let s3: S3Server;

beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3[Symbol.asyncDispose]());
beforeEach(() => {
  s3.fault = () => null;
});

const under = (prefix: string, more: Partial<S3Location> = {}): S3Location => ({
  ...s3.location,
  prefix: `${prefix}/`,
  ...more,
});

async function hashesOf(blobs: Blobs): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { sha256 } of blobs.list()) hashes.push(sha256);
  return hashes.toSorted();
}

test('START-1 a place of files is read from options and environment, or refused in a sentence', () => {
  const read = (args: string[], env: NodeJS.ProcessEnv = {}) =>
    readConfig(['--data', '/data', ...args], env)?.blobs;
  expect([read([]), read(['--blobs', 'files'])]).toEqual([undefined, null]);
  expect(read(['--blobs', 's3://files/a/b', '--s3-redirects'], { AWS_REGION: 'eu-central-1' })).toEqual({
    bucket: 'files',
    prefix: 'a/b/',
    region: 'eu-central-1',
    pathStyle: false,
    redirects: true,
  });
  const other = {
    BENCHBOOK_BLOBS: 's3://files',
    BENCHBOOK_S3_ENDPOINT: 'http://127.0.0.1:9000',
    BENCHBOOK_S3_PATH_STYLE: '1',
  };
  expect(read([], other)).toEqual({
    bucket: 'files',
    prefix: '',
    endpoint: 'http://127.0.0.1:9000',
    region: 'us-east-1',
    pathStyle: true,
    redirects: false,
  });
  const places = 'Files can be in s3://BUCKET/PREFIX, or in the data folder: --blobs files.';
  for (const wrong of ['https://files.example.org', 's3://files/../other', 's3://', 'S3'])
    expect(() => read(['--blobs', wrong])).toThrow(places);
  expect(() => read(['--blobs', 's3://files', '--s3-endpoint', 'example.org'])).toThrow(
    'The S3 endpoint must be an address such as https://s3.example.org.',
  );
});

test('BUCKET-10 a site with its files in the data folder does not load the client of S3', async () => {
  await using folder = await temporaryFolder('no-client');
  const program = fileURLToPath(new URL('loaded-packages.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, folder.path]);
  const loaded = stdout.split('\n');
  expect(loaded.some((path) => path.includes('better-sqlite3'))).toBe(true);
  expect(loaded.filter((path) => /@aws|@smithy/.test(path))).toEqual([]);
}, 120_000);

test('BUCKET-7 clients are sent to S3 for large files if the site wants it, with an address for a minute', async () => {
  await using server = await startServer({ blobs: under('redirects', { redirects: true }) });
  const [ana, ben] = [await server.person('Ana'), await server.person('Ben')];
  const { mediaOf } = mediaCalls(() => server);
  const movie = Uint8Array.from(Buffer.concat([movieFile('isom'), Buffer.alloc(400_000)]));
  const made = await mediaOf(ana).addVideo({ query: { file: 'belt.mp4' }, body: movie });
  const { url } = must(made.encodings[0], 'an encoding');
  const get = (headers: Record<string, string>, method = 'GET') =>
    fetch(url, { method, headers, redirect: 'manual' });
  const asAna = { Authorization: `api ${ana.token}` };

  const sent = await get(asAna);
  expect(sent.status).toBe(307);
  expect(sent.headers.get('cache-control')).toBe('private, no-store');
  expect(['etag', 'content-disposition', 'accept-ranges'].filter((name) => sent.headers.has(name))).toEqual(
    [],
  );
  const address = new URL(must(sent.headers.get('location'), 'the address'));
  expect(address.origin).toBe(s3.location.endpoint);
  expect(address.searchParams.get('X-Amz-Expires')).toBe('60');
  // The server of S3 checks the signature.
  const direct = await fetch(address);
  expect([direct.status, direct.headers.get('content-type')]).toEqual([200, 'video/mp4']);
  expect(direct.headers.get('cache-control')).toMatch(/^private/);
  expect(Buffer.from(await direct.arrayBuffer()).equals(movie)).toBe(true);
  const part = await fetch(address, { headers: { Range: 'bytes=4-7' } });
  expect([part.status, await part.text()]).toEqual([206, 'ftyp']);
  const other = new URL(address);
  other.pathname = other.pathname.replace(/.$/, '0');
  expect((await fetch(other)).status).toBe(403);

  expect((await get({})).status).toBe(404);
  expect((await get({ Authorization: `api ${ben.token}` })).status).toBe(404);
  const head = await get(asAna, 'HEAD');
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(movie.length)]);
  const etag = must(head.headers.get('etag'), 'its tag');
  expect((await get({ ...asAna, 'If-None-Match': etag })).status).toBe(304);
  expect((await get({ ...asAna, Range: 'bytes=900000-' })).status).toBe(416);

  const small = await mediaOf(ana).addDocument({ query: { file: 'a.pdf' }, body: pdfFile() });
  const read = await fetch(`${server.url}/Document/${small.guid}`, { headers: asAna, redirect: 'manual' });
  expect(read.status).toBe(200);
});

test('BUCKET-7 without the option the server sends every file itself', async () => {
  await using server = await startServer({ blobs: under('no-redirects') });
  const ana = await server.person('Ana');
  const { mediaOf } = mediaCalls(() => server);
  const movie = Uint8Array.from(Buffer.concat([movieFile('isom'), Buffer.alloc(400_000)]));
  const made = await mediaOf(ana).addVideo({ query: { file: 'belt.mp4' }, body: movie });
  const { url } = must(made.encodings[0], 'an encoding');
  const headers = { Authorization: `api ${ana.token}` };
  const sent = await fetch(url, { headers, redirect: 'manual' });
  expect(sent.status).toBe(200);
  expect(Buffer.from(await sent.arrayBuffer()).equals(movie)).toBe(true);

  s3.fault = ({ method }) => (method === 'GET' ? { corrupts: true } : null);
  const broken = await fetch(url, { headers });
  await expect(broken.arrayBuffer()).rejects.toThrow();
  s3.fault = ({ method }) => (method === 'GET' ? { status: 503, code: 'SlowDown' } : null);
  const busy = await fetch(url, { headers });
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '30']);
  expect(await busy.json()).toMatchObject({ code: 'storage-unavailable' });
  s3.fault = () => null;
});

test('BUCKET-8 a start with files in another place copies them there, and later starts name that place', async () => {
  await using folder = await temporaryFolder('place');
  const said: string[] = [];
  const start = (blobs: S3Location | null | undefined) =>
    blobPlace(
      { blobs, data: folder.path },
      { log: pino({ level: 'silent' }), say: (line) => said.push(line) },
    );
  const local = await FileBlobs.open(join(folder.path, 'media'));
  for (const size of [0, 10, 20_000_000]) await local.put(randomBytes(size));
  const broken = await local.put(randomBytes(1000));
  await damageBlob({ dataDir: folder.path, services: { blobs: local } }, broken.sha256);
  const sound = (await hashesOf(local)).filter((sha256) => sha256 !== broken.sha256);

  expect(await start(undefined)).toBeNull();
  expect(await start(under('place'))).toEqual(under('place'));
  expect(said).toEqual([
    `Copying files to s3://${s3.location.bucket}/place …`,
    '3 files are copied; those of before stay where they are.',
    `1 damaged files are not copied: ${broken.sha256}`,
  ]);
  const remote = must(await blobsElsewhere(folder.path, Date.now), 'the files in S3');
  expect(await hashesOf(remote)).toEqual(sound);
  for (const sha256 of sound) expect((await remote.read(sha256)).equals(await local.read(sha256))).toBe(true);

  await expect(start(undefined)).rejects.toThrow(
    `The files of this site are in s3://${s3.location.bucket}/place`,
  );
  said.length = 0;
  expect(await start(under('place', { redirects: true }))).toMatchObject({ redirects: true });
  expect([said, recordedLocation(folder.path)?.redirects]).toEqual([[], true]);

  const later = await remote.put(randomBytes(30));
  expect(await start(null)).toBeNull();
  expect(await local.has(later.sha256)).toBe(true);
  expect(recordedLocation(folder.path)).toBeNull();
});

test('BUCKET-9 a start with a wrong bucket or key is refused, one while S3 does not answer is not', async () => {
  await using folder = await temporaryFolder('place');
  const start = (blobs: S3Location) =>
    blobPlace({ blobs, data: folder.path }, { log: pino({ level: 'silent' }), say: () => undefined });
  await expect(start(under('x', { bucket: 'no-such-bucket' }))).rejects.toThrow(
    /^The files cannot be in s3:\/\/no-such-bucket\/x: S3 answers NoSuchBucket/,
  );
  s3.fault = () => ({ status: 403, code: 'InvalidAccessKeyId' });
  await expect(start(under('x'))).rejects.toThrow('S3 answers InvalidAccessKeyId');
  expect(recordedLocation(folder.path)).toBeNull();
  s3.fault = () => ({ status: 503, code: 'SlowDown' });
  await using server = await startServer({ dataDir: folder.path, blobs: await start(under('x')) });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  s3.fault = () => null;
});

test('BACKUP-21 a backup has the files in S3, and a restore puts them into the data folder', async () => {
  using at = folders();
  const location = under('backup');
  {
    await using shop = await workshop(at, { blobs: location });
    await picture(shop.ana, 201);
    expect(await benchbook('doctor', '--data', at.data)).toMatchObject({
      out: expect.stringContaining(`are in s3://${location.bucket}/backup`),
    });
    expect(await benchbook('backup', at.backup, '--data', at.data)).toMatchObject({ code: 0, err: '' });
    const again = await benchbook('backup', at.backup, '--data', at.data);
    expect(again.out).toContain('of which');
  }
  const remote = must(await blobsElsewhere(at.data, Date.now), 'the files in S3');
  const hashes = await hashesOf(remote);
  expect(hashes.length).toBeGreaterThan(0);
  expect(await benchbook('verify', at.backup, '--data', at.data)).toMatchObject({ code: 0, err: '' });
  const restored = join(at.root, 'restored');
  expect(await benchbook('restore', at.backup, '--data', restored)).toMatchObject({ code: 0 });
  const local = await FileBlobs.open(join(restored, 'media'));
  expect(await hashesOf(local)).toEqual(hashes);
  for (const sha256 of hashes) await local.read(sha256);
  expect(recordedLocation(restored)).toBeNull();

  // A file that is damaged in S3 is reported, and the rest is backed up.
  const [damaged = ''] = hashes;
  await new Bucket(location).put(`${damaged.slice(0, 2)}/${damaged}`, Buffer.from('damaged'));
  rmSync(at.backup, { recursive: true });
  const partial = await benchbook('backup', at.backup, '--data', at.data, '--begin');
  expect(partial.out).toContain(`media/${damaged.slice(0, 2)}/${damaged} is missing or damaged`);
  s3.fault = ({ method }) => (method === 'GET' ? { status: 503, code: 'SlowDown' } : null);
  expect(await benchbook('backup', at.backup, '--data', at.data)).toMatchObject({ code: 1 });
  s3.fault = () => null;
});
