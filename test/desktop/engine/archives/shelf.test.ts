import { strToU8, unzipSync, zipSync } from 'fflate';
import { memoryStorage } from '#test/support/memory-storage.ts';
import { expect, test } from 'vitest';

import { memoryArchiveFiles } from '#desktop/engine/journal/archive-files.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { openEngine } from '#desktop/engine/open.ts';
import { archivedGuideId } from '#desktop/engine/features/archives/ids.ts';
import { must } from '#shared/must.ts';
import { ArchiveRefused } from '#shared/formats/omanual/archive.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import { pictureBytes } from '#test/shared/formats/omanual/archives.ts';
import { fixture, guideDocument, packageWith } from '#test/shared/formats/omanual/opened.ts';

import { newDisk, platformOn } from '../support/device.ts';
import { testEnvironment } from '../support/environment.ts';
import { type ArchiveDevice, archiveOf, noNetwork, startArchiveDevice, workshop } from './world.ts';

const all = { category: null };

async function opened(
  device: ArchiveDevice,
  bytes: Uint8Array<ArrayBuffer>,
  name = 'shop.omanual',
): Promise<string> {
  const archiveid = await device.actions.openArchive(bytesSource(bytes), name);
  await device.shows(
    (list) => list.find((one) => one.archiveid === archiveid)?.state === 'ready',
    'archives',
  );
  return archiveid;
}

test('ARCHIVE-1 an archive is opened, browsed, read and searched without a person and without a network', async () => {
  await using device = await startArchiveDevice(newDisk());
  const bytes = await archiveOf(workshop);
  const archiveid = await opened(device, bytes);
  expect(await device.shows(() => true, 'archives')).toMatchObject([
    {
      title: 'Workshop',
      filename: 'shop.omanual',
      bytes: bytes.length,
      guides: 2,
      producer: 'benchbook',
      version: '1.0',
      origin: 'opened',
      from: 'http://bench.test',
      problem: null,
    },
  ]);
  const page = await device.shows(() => true, 'archive', { archiveid, ...all });
  expect(page?.categories).toMatchObject([
    { title: 'Workshop', guides: 2, children: [{ title: 'Bench Grinder', guides: 1 }] },
  ]);
  expect(page?.guides.map(({ title }) => title)).toEqual(['Change the drive belt', 'Lock out the machine']);
  const below = await device.shows(() => true, 'archive', { archiveid, category: 'Bench Grinder' });
  expect(below?.guides.map(({ title }) => title)).toEqual(['Change the drive belt']);
  const found = await device.shows((value) => value?.guides.length === 1, 'archive', {
    archiveid,
    ...all,
    search: 'tensioner',
  });
  expect(found?.guides[0]?.snippet).toEqual({ text: 'Loosen the tensioner.', marks: [[11, 20]] });
});

test('ARCHIVE-1 a guide of an archive is played like one of the library, with its pictures from the file', async () => {
  await using device = await startArchiveDevice(newDisk());
  const archiveid = await opened(device, await archiveOf(workshop));
  const page = await device.shows(() => true, 'archive', { archiveid, ...all });
  const [belt, lockout] = page?.guides ?? [];
  const guide = await device.shows((value) => value !== null, 'guide', belt?.guideid ?? '');
  expect(guide).toMatchObject({
    title: 'Change the drive belt',
    author: 'Ana Ruiz',
    canEdit: false,
    archive: { archiveid, title: 'Workshop', same: null, signatures: '', isUnapproved: false, outside: [] },
    prerequisites: [{ guideid: lockout?.guideid, title: 'Lock out the machine', steps: 1 }],
  });
  expect(guide?.introductionHtml).toContain(`href="/archives/${archiveid}/guides/`);
  expect(guide?.introductionHtml).toContain(`src="/archives/${archiveid}/files/1/Cover"`);
  const shown = guide?.steps[0]?.pictures[0]?.guid ?? '';
  const url = await device.shows((value) => value !== null, 'picture', shown, 'large');
  expect(url).toMatch(/^blob:/);
  expect(await device.shows(() => true, 'picture', `${shown}-gone`, 'large')).toBeNull();
});

test('ARCHIVE-1 ARCHIVE-4 an archive survives a restart, and a lost index is rebuilt from the file', async () => {
  const disk = newDisk();
  const bytes = await archiveOf(workshop);
  let archiveid: string;
  {
    await using device = await startArchiveDevice(disk);
    archiveid = await opened(device, bytes);
  }
  {
    await using device = await startArchiveDevice(disk);
    expect(await device.shows((list) => list.length > 0, 'archives')).toMatchObject([
      { archiveid, state: 'ready', guides: 2 },
    ]);
  }
  disk.storage = memoryStorage();
  await using device = await startArchiveDevice(disk);
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  const page = await device.shows((value) => value?.guides.length === 2, 'archive', { archiveid, ...all });
  expect(page?.archive).toMatchObject({ archiveid, bytes: bytes.length });
});

test('ARCHIVE-4 a record lost in the journal is restored from the index', async () => {
  const disk = newDisk();
  {
    await using device = await startArchiveDevice(disk);
    await opened(device, await archiveOf(workshop));
  }
  disk.journal.clear();
  {
    await using device = await startArchiveDevice(disk);
    await device.shows((list) => list.length === 1, 'archives');
  }
  disk.storage = memoryStorage();
  await using device = await startArchiveDevice(disk);
  expect(await device.shows((list) => list[0]?.state === 'ready', 'archives')).toHaveLength(1);
});

test('ARCHIVE-4 an archive whose file is missing says so, and an unreferenced file is removed', async () => {
  const disk = newDisk();
  {
    await using device = await startArchiveDevice(disk);
    await opened(device, await archiveOf(workshop));
  }
  disk.archives.clear();
  disk.archives.set('archive-leftover', new Uint8Array([1]));
  await using device = await startArchiveDevice(disk);
  const [archive] = await device.shows((list) => list[0]?.state === 'unusable', 'archives');
  expect(archive?.problem).toContain('no longer on this device');
  expect(disk.archives.size).toBe(0);
});

test.each([
  ['reject-zipslip.omanual', 'name-outside'],
  ['reject-no-index-no-guide.omanual', 'no-omanual'],
])('ARCHIVE-3 %s is refused before anything of it is stored', async (name, code) => {
  const disk = newDisk();
  await using device = await startArchiveDevice(disk);
  const opening = device.actions.openArchive(bytesSource(fixture(`own/${name}`)), name);
  const refused = await opening.catch((error: Error) => error);
  expect(refused).toBeInstanceOf(ArchiveRefused);
  expect(refused).toMatchObject({ code });
  expect(await device.shows(() => true, 'archives')).toEqual([]);
  expect(disk.archives.size).toBe(0);
});

test('ARCHIVE-3 an archive with a dangerous guide is unusable, and none of its guides can be read', async () => {
  await using device = await startArchiveDevice(newDisk());
  const members = unzipSync(await archiveOf(workshop));
  const last = must(
    Object.keys(members).findLast((name) => name.endsWith('guide.xml')),
    'a guide',
  );
  members[last] = strToU8(`<!DOCTYPE guide [<!ENTITY a "b">]>${guideDocument()}`);
  const bytes = zipSync(members);
  const archiveid = await device.actions.openArchive(bytesSource(bytes), 'two.omanual');
  const [archive] = await device.shows((list) => list[0]?.state === 'unusable', 'archives');
  expect(archive).toMatchObject({ archiveid, guides: 0 });
  expect(archive?.problem?.startsWith(`${last}: `)).toBe(true);
  const page = await device.shows(() => true, 'archive', { archiveid, ...all });
  expect(page?.guides).toEqual([]);
});

test('ARCHIVE-3 a file that is not an archive is refused with a message', async () => {
  await using device = await startArchiveDevice(newDisk());
  const opening = device.actions.openArchive(bytesSource(packageWith({ 'a.txt': 'nothing' })), 'a.zip');
  await expect(opening).rejects.toThrow(ArchiveRefused);
});

test('ARCHIVE-5 the same bytes again are the same archive', async () => {
  const disk = newDisk();
  await using device = await startArchiveDevice(disk);
  const bytes = await archiveOf(workshop);
  const archiveid = await opened(device, bytes);
  expect(await device.actions.openArchive(bytesSource(bytes), 'copy.omanual')).toBe(archiveid);
  expect(disk.archives.size).toBe(1);
  expect(await device.shows(() => true, 'archives')).toHaveLength(1);
});

test('ARCHIVE-6 a removed archive leaves no file, record or guide, and its file can be exported before', async () => {
  const disk = newDisk();
  const bytes = await archiveOf(workshop);
  {
    await using device = await startArchiveDevice(disk);
    const archiveid = await opened(device, bytes);
    expect(await device.actions.saveArchive(archiveid, 'Where to')).toBe(true);
    expect([...disk.given]).toEqual([['shop.omanual', bytes]]);
    await device.actions.removeArchive(archiveid);
    expect(await device.shows((list) => list.length === 0, 'archives')).toEqual([]);
    expect(await device.shows(() => true, 'archive', { archiveid, ...all })).toBeNull();
    expect(disk.archives.size).toBe(0);
  }
  await using device = await startArchiveDevice(disk);
  expect(await device.shows(() => true, 'archives')).toEqual([]);
});

test('ARCHIVE-4 a device that cannot open its files says so, and retries on request', async () => {
  const disk = newDisk();
  {
    await using device = await startArchiveDevice(disk);
    await opened(device, await archiveOf(workshop));
  }
  let isBroken = true;
  const openArchiveFiles = async () => {
    if (isBroken) throw new Error('The disk is away');
    return memoryArchiveFiles(disk.archives);
  };
  const engine = await openEngine({ ...platformOn(disk, testEnvironment(noNetwork)), openArchiveFiles });
  const look = (): Promise<number> =>
    new Promise((resolve, reject) => {
      engine.views.archives().subscribe((list) => resolve(list.length), reject);
    });
  await expect(look()).rejects.toThrow('The disk is away');
  isBroken = false;
  expect(await look()).toBe(1);
  await engine.close();
});

test('ARCHIVE-4 an archive stored by a newer version of the app stays as it is, with its file', async () => {
  const disk = newDisk();
  let archiveid = '';
  {
    await using device = await startArchiveDevice(disk);
    archiveid = await opened(device, await archiveOf(workshop));
  }
  const change = async (make: (record: object) => object): Promise<object> => {
    const journal = await openJournal(memoryStore({}, disk.journal), testEnvironment(fetch));
    const id = `archive/${archiveid}`;
    const record = must((await journal.entries()).meta.get(id), 'the record') as object;
    await journal.append([{ op: 'put', collection: 'meta', id, value: make(record) }]);
    await journal.close();
    return record;
  };
  const before = await change((record) => ({ ...record, origin: { kind: 'satellite' } }));
  disk.storage = memoryStorage();
  {
    await using device = await startArchiveDevice(disk);
    await opened(device, await archiveOf(workshop.slice(0, 1)), 'other.omanual');
  }
  await change((record) => ({ ...record, ...before, addedLater: true }));
  await using again = await startArchiveDevice(disk);
  const list = await again.shows((items) => items.every(({ state }) => state === 'ready'), 'archives');
  expect(list.find((one) => one.archiveid === archiveid)).toMatchObject({
    filename: 'shop.omanual',
    problem: null,
  });
});

test('ARCHIVE-18 what an archive only links to is loaded after a person allowed it, and the list says so', async () => {
  const disk = newDisk();
  const picture = 'https://tracker.example/belt.png';
  const steps = `<steps><step number="1"><lines><line bullet="black" level="0">Look</line></lines><media type="image"><image orderby="1">${picture}</image></media></step><step number="2"><lines><line bullet="black" level="0">Watch</line></lines><media type="embed"><embed type="video" version="1.0" url="https://www.youtube.com/watch?v=abcdefghijk"/></media></step></steps>`;
  const bytes = packageWith({ 'belt-1/guide.xml': guideDocument(steps) });
  const shown = async (device: ArchiveDevice, archiveid: string, mayLoad: boolean) => {
    const guide = await device.shows(
      (one) => one !== null && (one.archive?.outside.length === 0) === mayLoad,
      'guide',
      archivedGuideId(archiveid, 0),
    );
    const [first, second] = must(guide, 'the guide').steps;
    const guid = must(first?.pictures[0], 'the picture').guid;
    const url = await device.shows((value) => value !== undefined, 'picture', guid, 'large');
    return { outside: guide?.archive?.outside, url, frame: second?.embedHtml?.includes('iframe') ?? false };
  };
  const asked = { outside: ['tracker.example', 'www.youtube.com'], url: null, frame: false };
  const loaded = { outside: [], url: picture, frame: true };
  let archiveid = '';
  {
    await using device = await startArchiveDevice(disk);
    archiveid = await opened(device, bytes);
    expect(await device.shows(() => true, 'archives')).toMatchObject([{ state: 'ready', linked: true }]);
    expect(await shown(device, archiveid, false)).toEqual(asked);
    await device.actions.allowArchiveLinks(archiveid);
    expect(await shown(device, archiveid, true)).toEqual(loaded);
  }
  await using later = await startArchiveDevice(disk);
  expect(await shown(later, archiveid, true)).toEqual(loaded);
});

test('ARCHIVE-19 a picture of more than 50 megapixels is not shown, others are', async () => {
  await using device = await startArchiveDevice(newDisk());
  const [small, huge] = [pictureBytes('small'), pictureBytes('huge')];
  // Width and height in the header of a PNG.
  new DataView(huge.buffer).setUint32(16, 30_000);
  new DataView(huge.buffer).setUint32(20, 30_000);
  const images = ['small', 'huge'].map((name, at) => `<image orderby="${at + 1}">media/${name}.png</image>`);
  const step = `<steps><step number="1"><lines/><media type="image">${images.join('')}</media></step></steps>`;
  const archiveid = await opened(
    device,
    packageWith({ 'a/guide.xml': guideDocument(step), 'a/media/small.png': small, 'a/media/huge.png': huge }),
  );
  const guide = await device.shows((one) => one !== null, 'guide', archivedGuideId(archiveid, 0));
  const pictures = guide?.steps[0]?.pictures ?? [];
  const urls = await Promise.all(
    pictures.map(({ guid }) => device.shows((url) => url !== undefined, 'picture', guid, 'large')),
  );
  expect(urls).toEqual([expect.stringMatching(/^blob:/), null]);
});
