import { expect, test } from 'vitest';

import type { GuideApproval, GuideApprovalRequest } from '#shared/model/approval.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import { plainCategory } from '#test/shared/formats/omanual/plain-guides.ts';

import { newDisk, serverAddress } from '../support/device.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { startArchiveDevice, workshop } from './world.ts';

/** Ada's device after syncing the workshop. */
async function synced(isPublic = true, disk = newDisk()) {
  const server = new StandInServer();
  for (const facts of workshop) server.put('guides', String(facts.guideid), { ...facts, public: isPublic });
  server.put('wikis', '1', { ...plainCategory('Workshop', null), wikiid: 1 });
  server.put('wikis', '2', { ...plainCategory('Bench Grinder', 'Workshop'), wikiid: 2 });
  server.put('viewer', 'site', {
    kind: 'site',
    name: 'bench',
    title: 'The workshop',
    langid: 'en',
    guideTypes: [],
  });
  const device = await startArchiveDevice(disk, server.fetch);
  await device.actions.signIn(serverAddress, 'ada@bench.test', 'secret');
  await device.shows(({ total }) => total === workshop.length, 'library', { category: null });
  await device.shows((tree) => tree[0]?.children.length === 1, 'categoryTree');
  // The title of the site, which an archive tells, comes with the last records.
  await device.shows(({ phase, lastSyncedAt }) => phase === 'idle' && lastSyncedAt !== null, 'syncState');
  return { device, disk, server };
}

test('APPROVAL-12 ARCHIVE-12 an export names the signers of the version, and none for one with waiting changes', async () => {
  const { device, server } = await synced();
  await using _ = device;
  const [signed] = workshop;
  server.put('guides', '7', {
    ...must(signed, 'the guide'),
    userid: 1,
    approval: approved(must(signed, 'it')),
  });
  await device.shows((now) => now?.state === 'approved', 'guideApproval', '7');
  const exportedGuide = async () => {
    const { archiveid } = await device.actions.exportArchive({ guideids: ['7'] });
    const page = await device.shows((now) => now?.guides.length === 1, 'archive', {
      archiveid,
      category: null,
    });
    const shown = await device.shows((now) => now !== null, 'guide', page?.guides[0]?.guideid ?? '');
    return shown?.archive;
  };
  expect(await exportedGuide()).toMatchObject({
    signatures: 'Quinn: approved, 2026-05-04 08:00:00 UTC (Press safety, publication).',
    isUnapproved: false,
  });
  await device.actions.openDraft('7');
  await device.actions.editDraft('7', { op: 'setText', field: 'summary', value: 'Another way' });
  await device.actions.saveDraft('7');
  expect(await exportedGuide()).toMatchObject({ signatures: '', isUnapproved: true });
});

/** Signed as the process requires. */
function approved({ revisionid, guide_revisionid }: GuideFacts): GuideApproval {
  const date = Date.UTC(2026, 4, 4, 8) / 1000;
  const stage = { approval_stageid: 1, name: 'Check', orderby: 1, meaning: 'approved' as const };
  const request: GuideApprovalRequest = {
    approval_requestid: 9,
    process: 'Press safety',
    purpose: 'publish',
    status: 'approved',
    revisionid,
    guide_revisionid,
    published_guide_revisionid: null,
    revision_hash: 'abc',
    userid: 2,
    init_date: date,
    end_date: date,
    reason: null,
    stages: [{ ...stage, required_approvals: 1, userids: [2], teamids: [] }],
    signatures: [
      {
        approval_stageid: 1,
        userid: 2,
        name: 'Quinn',
        meaning: 'approved',
        comment: '',
        method: 'password',
        date,
      },
    ],
  };
  return { approval_processid: 1, requests: [request] };
}

test('ARCHIVE-12 a category is exported offline and opens again with its guides', async () => {
  const { device, disk, server } = await synced();
  await using _ = device;
  server.setUp(false);
  const { archiveid, guides, linked } = await device.actions.exportArchive({ category: 'Workshop' });
  expect({ guides, linked }).toEqual({ guides: 2, linked: 1 });
  const [archive] = await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(archive).toMatchObject({ archiveid, origin: 'made', filename: 'Workshop.omanual', guides: 2 });
  expect(archive).toMatchObject({ producer: 'benchbook', from: serverAddress, private: false });
  const page = await device.shows((now) => now?.guides.length === 2, 'archive', {
    archiveid,
    category: null,
  });
  expect(page?.guides.map(({ title, same }) => [title, same])).toEqual([
    ['Change the drive belt', '8'],
    ['Lock out the machine', '7'],
  ]);
  expect(page?.categories).toMatchObject([{ title: 'Workshop', children: [{ title: 'Bench Grinder' }] }]);
  await device.actions.saveArchive(archiveid, 'Where to');
  expect([...disk.given.keys()]).toEqual(['Workshop.omanual']);
});

test('ARCHIVE-12 an archive of several guides has the name of the site', async () => {
  const { device } = await synced();
  await using _ = device;
  await device.actions.exportArchive({ guideids: ['8', '7'] });
  const [archive] = await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(archive).toMatchObject({ filename: 'The-workshop.omanual', guides: 2 });
});

test('ARCHIVE-12 the same choice gives the same bytes, and so the same archive', async () => {
  const { device } = await synced();
  await using _ = device;
  const first = await device.actions.exportArchive({ guideids: ['8', '7'] });
  const second = await device.actions.exportArchive({ guideids: ['7', '8'] });
  expect(second.archiveid).toBe(first.archiveid);
  expect(await device.shows((list) => list[0]?.state === 'ready', 'archives')).toHaveLength(1);
});

test('ARCHIVE-12 a guide is exported as one page, and nothing of it stays among the archives', async () => {
  const { device, disk } = await synced();
  await using _ = device;
  expect(await device.actions.exportPage({ guideids: ['8'] }, 'Where to', 'en')).toBe(true);
  const [[name, bytes] = []] = [...disk.given];
  expect(name).toBe('Change-the-drive-belt.html');
  const html = new TextDecoder().decode(bytes);
  expect(html).toMatch(/^<!doctype html>/i);
  expect(html).toContain('Loosen the tensioner.');
  expect(html).not.toMatch(/<(script|link|iframe)\b/);
  expect(html).toContain('Step 1 of 1');
  // PRINT-11
  await device.actions.exportPage({ guideids: ['8'] }, 'Wohin', 'de');
  expect(new TextDecoder().decode([...disk.given].at(-1)?.[1])).toContain('Schritt 1 von 1');
  expect(await device.shows(() => true, 'archives')).toEqual([]);
});

test('ARCHIVE-12 the guides of a tag are known offline', async () => {
  const { device, server } = await synced();
  await using _ = device;
  server.put('viewer', 'guideTags:7', { kind: 'guideTags', guideid: 7, tags: ['safety', 'belt'] });
  server.put('viewer', 'guideTags:8', { kind: 'guideTags', guideid: 8, tags: ['belt'] });
  device.actions.syncNow();
  await device.shows((list) => list.length === 2, 'taggedGuides');
  server.setUp(false);
  expect(await device.shows(() => true, 'taggedGuides')).toEqual([
    { tag: 'belt', guideids: ['7', '8'] },
    { tag: 'safety', guideids: ['7'] },
  ]);
});

test('ARCHIVE-12 an exported guide names its author, not the exporter', async () => {
  const { device, server } = await synced();
  await using _ = device;
  server.put('people', 'user:7', {
    kind: 'user',
    userid: 7,
    username: 'Ana Ruiz',
    unique_username: null,
    join_date: 1,
    image: null,
    reputation: 40,
    teams: [],
    privileges: ['User'],
    summary: null,
    about_raw: '',
    location: null,
    latitude: null,
    longitude: null,
    enabled: true,
    badge_counts: { bronze: 0, silver: 0, gold: 0, total: 0 },
  });
  device.actions.syncNow();
  await device.shows((guide) => guide?.author === 'Ana Ruiz', 'guide', '8');
  const authorIn = async (): Promise<string | undefined> => {
    const { archiveid } = await device.actions.exportArchive({ guideids: ['8'] });
    const page = await device.shows((now) => now?.guides.length === 1, 'archive', {
      archiveid,
      category: null,
    });
    return (await device.shows((now) => now !== null, 'guide', page?.guides[0]?.guideid ?? ''))?.author;
  };
  expect(await authorIn()).toBe('Ana Ruiz');
  const [, belt] = workshop;
  const { userid } = must(belt, 'the second guide');
  const imported = { given_userid: userid, userid: 31, name: 'Zoe of elsewhere' };
  server.put('guides', '8', { ...belt, title: 'Change it', archived_author: imported });
  device.actions.syncNow();
  await device.shows((guide) => guide?.title === 'Change it', 'guide', '8');
  expect(await authorIn()).toBe('Zoe of elsewhere');
  server.put('guides', '8', {
    ...belt,
    title: 'Given away',
    archived_author: { ...imported, given_userid: 2 },
  });
  device.actions.syncNow();
  await device.shows((guide) => guide?.title === 'Given away', 'guide', '8');
  expect(await authorIn()).toBe('Ana Ruiz');
});

test('ARCHIVE-12 an empty choice is not exported', async () => {
  const { device } = await synced();
  await using _ = device;
  await expect(device.actions.exportArchive({ category: 'None' })).rejects.toThrow('no guide');
});

test('ARCHIVE-7 exports of private guides are removed at sign-out', async () => {
  const disk = newDisk();
  const { device } = await synced(false, disk);
  await using _ = device;
  await device.actions.exportArchive({ category: 'Workshop' });
  const [archive] = await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(archive?.private).toBe(true);
  await device.actions.signOut();
  await device.shows((list) => list.length === 0, 'archives');
  await expect.poll(() => disk.archives.size).toBe(0);
});

test('ARCHIVE-8 exports of public guides stay, whoever signs in', async () => {
  const { device } = await synced();
  await using _ = device;
  await device.actions.exportArchive({ category: 'Workshop' });
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  await device.actions.signOut();
  await device.actions.signIn(serverAddress, 'bob@bench.test', 'secret');
  expect(await device.shows((list) => list.length > 0, 'archives')).toHaveLength(1);
});

test('ARCHIVE-8 an export of a private guide is removed when the person may no longer see it', async () => {
  const { device, server } = await synced(false);
  await using _ = device;
  await device.actions.exportArchive({ guideids: ['8'] });
  await device.shows((list) => list[0]?.state === 'ready', 'archives');
  server.remove('guides', '8');
  await device.shows((list) => list.length === 0, 'archives');
});
