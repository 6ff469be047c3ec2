import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import sharp from 'sharp';
import { expect, test } from 'vitest';

import type { ArchiveImport } from '#shared/model/archive-record.ts';
import { must } from '#shared/must.ts';
import { ArchiveReading } from '#server/features/omanual/import/reading.ts';
import { begun, imported, importOf } from '#test/support/archive-calls.ts';
import { hostileArchives } from '#test/support/hostile-archives.ts';
import { allGuides } from '#test/support/stored-guides.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { guideDocument, packageWith, stepDocument } from '#test/shared/formats/omanual/opened.ts';

const author = ['User', 'Author'];

/** A package of a guide with one picture. */
async function withPicture(): Promise<Uint8Array<ArrayBuffer>> {
  const create = { width: 40, height: 30, channels: 3, background: '#c84' } as const;
  return packageWith({
    'lamp-1/guide.xml': guideDocument(
      stepDocument('', '<media type="image"><image>media/a.jpg</image></media>'),
    ),
    'lamp-1/media/a.jpg': await sharp({ create }).jpeg().toBuffer(),
  });
}

/** The process id of the worker that reads archives. */
function workerOf({ services }: TestServer): number {
  services.archiveReading.prepare();
  return must(services.archiveReading.pid, 'a worker');
}

/** Names of the stored files. */
function blobsOf({ services }: TestServer): string[] {
  const { folder } = services.blobs;
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /[0-9a-f]{64}/.test(name));
}

const stateOf = async (person: Parameters<typeof importOf>[0], importid: number) =>
  (await importOf(person, importid)).state;

/** The worker is held with SIGSTOP while an import reaches it, and Windows has no such signal. */
const testOnUnix = test.skipIf(process.platform === 'win32');

testOnUnix(
  'OMANUAL-IMPORT-16 while the worker does not answer, nothing of an archive is read and all other requests are answered',
  async () => {
    await using server = await startServer();
    const ana = await server.person('Ana', author);
    const worker = workerOf(server);
    process.kill(worker, 'SIGSTOP');
    const { importid } = await begun(server, ana, await withPicture());
    await expect.poll(() => stateOf(ana, importid)).toBe('running');
    for (let n = 0; n < 20; n += 1) expect((await fetch(`${server.url}/api/2.0/info`)).status).toBe(200);
    expect(await importOf(ana, importid)).toMatchObject({ state: 'running', report: null });
    expect([await allGuides(server), blobsOf(server)]).toEqual([[], []]);
    process.kill(worker, 'SIGCONT');
    await server.jobs.idle();
    expect(await importOf(ana, importid)).toMatchObject({ state: 'done', report: { created: 1, media: 1 } });
    expect([(await allGuides(server)).length, blobsOf(server).length]).toEqual([1, 1]);
  },
);

testOnUnix(
  'OMANUAL-IMPORT-17 a picture is stored by the worker: if that ends, the import fails and leaves nothing behind',
  async () => {
    await using server = await startServer();
    const ana = await server.person('Ana', author);
    const worker = workerOf(server);
    process.kill(worker, 'SIGSTOP');
    const { importid } = await begun(server, ana, await withPicture());
    await expect.poll(() => stateOf(ana, importid)).toBe('running');
    process.kill(worker, 'SIGKILL');
    await server.jobs.idle();
    expect((await importOf(ana, importid)).state).toBe('failed');
    expect([await allGuides(server), blobsOf(server)]).toEqual([[], []]);
    const again = (await ana.call('POST', `/omanual/imports/${importid}/run`, {})).body as ArchiveImport;
    await server.jobs.idle();
    expect(await importOf(ana, again.importid)).toMatchObject({ state: 'done', report: { media: 1 } });
  },
);

test('OMANUAL-IMPORT-17 a picture that must be encoded again is encoded by the server, and no temporary file is left', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana', author);
  const create = { width: 40, height: 30, channels: 3, background: '#c84' } as const;
  const picture = (n: number): string =>
    `<step number="${n}"><lines/><media type="image"><image>media/${n}.jpg</image></media></step>`;
  const turned = await sharp({ create }).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const described = await sharp({ create })
    .withExif({ IFD0: { Copyright: 'Ana' } })
    .jpeg()
    .toBuffer();
  const bytes = packageWith({
    'lamp-1/guide.xml': guideDocument(`<steps>${[1, 2, 3].map(picture).join('')}</steps>`),
    'lamp-1/media/1.jpg': turned,
    'lamp-1/media/2.jpg': described,
    'lamp-1/media/3.jpg': described.subarray(0, -200),
  });
  const { state, report } = await imported(server, ana, bytes);
  expect([state, report?.media]).toEqual(['done', 2]);
  expect(report?.findings.map(({ code, member }) => [code, member])).toContainEqual([
    'media-unreadable',
    'lamp-1/media/3.jpg',
  ]);
  const sizes = await server.services.storage.reader
    .selectFrom('images')
    .select(['width', 'height', 'sha256'])
    .orderBy('imageid')
    .execute();
  expect(sizes.map(({ width, height }) => [width, height])).toEqual([
    [30, 40],
    [40, 30],
  ]);
  for (const { sha256 } of sizes) {
    const stored = await server.services.blobs.read(must(sha256, 'its file'));
    expect((await sharp(stored).metadata()).exif).toBeUndefined();
  }
  expect(readdirSync(join(server.services.blobs.folder, 'incoming'))).toEqual([]);
});

const readable = ['59,000 paragraphs', '16,000 lines in a step', 'a JPEG that expands to 79 MB'];

test.each(hostileArchives.filter(({ name }) => readable.includes(name)))(
  'OMANUAL-IMPORT-16 $name: it is read within the budget',
  async ({ filename, bytes }) => {
    await using server = await startServer();
    const ana = await server.person('Ana', author);
    const { state, error } = await imported(server, ana, await bytes(), { filename });
    expect([state, error]).toEqual(['done', null]);
  },
);

test('OMANUAL-IMPORT-16 a text beyond the limits is refused with its place', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana', author);
  const { filename, bytes } = must(hostileArchives[0], 'a hostile file');
  const { state, error } = await imported(server, ana, await bytes(), { filename });
  expect([state, error?.errors?.[0]?.message]).toEqual([
    'failed',
    expect.stringMatching(/text that is too long \(line 2/),
  ]);
});

test('OMANUAL-IMPORT-16 an archive beyond the budget is refused with a sentence, and the next one is read', async () => {
  await using server = await startServer({ archiveReading: new ArchiveReading({ ms: 400 }) });
  const ana = await server.person('Ana', author);
  // The worker loads its code.
  await imported(server, ana, Buffer.from(guideDocument()), { filename: 'first.xml', dry_run: true });
  const paragraphs = must(hostileArchives[1], 'a hostile file');
  const { state, error } = await imported(server, ana, await paragraphs.bytes(), { filename: 'hostile.xml' });
  expect([state, JSON.stringify(error)]).toEqual([
    'failed',
    expect.stringContaining('takes more time or memory to read'),
  ]);
  const next = await imported(server, ana, Buffer.from(guideDocument()), { filename: 'next.xml' });
  expect([next.state, next.error]).toEqual(['done', null]);
});
