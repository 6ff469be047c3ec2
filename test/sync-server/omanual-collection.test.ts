import { createHash } from 'node:crypto';

import { sql } from 'kysely';
import { expect, test } from 'vitest';

import type { CollectedArchive, MadeArchive } from '#shared/model/archive-record.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { readLimits } from '#shared/formats/omanual/limits.ts';
import { listAudit } from '#server/features/audit/list.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import { prune } from '#server/features/prune.ts';
import { documentsOf, downloaded, exported } from '#test/support/archive-calls.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { validArchive } from '#test/support/valid-archive.ts';
import { benchGrinderWorld } from '#test/support/world.ts';

async function listed(server: TestServer): Promise<CollectedArchive[]> {
  return (await (await fetch(`${server.url}/api/2.0/omanual`)).json()) as CollectedArchive[];
}

/** The collection when all of it is made. */
async function settled(server: TestServer): Promise<CollectedArchive[]> {
  await listed(server);
  await server.collection.look();
  await server.jobs.idle();
  return listed(server);
}

function siteOf(archives: CollectedArchive[]): CollectedArchive & { url: string; hash: string } {
  const found = must(
    archives.find((one) => one.name === 'site'),
    'the archive of the site',
  );
  return { ...found, url: must(found.url, 'an address'), hash: must(found.hash, 'a hash') };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function hide(person: TestPerson, guideid: number): Promise<void> {
  const { revisionid } = (await person.call('GET', `/guides/${guideid}`)).body as Guide;
  const hidden = await person.call('DELETE', `/guides/${guideid}/public?revisionid=${revisionid}`);
  expect(hidden.status).toBe(200);
}

test('OMANUAL-COLLECTION-1 The collection of the site and of each category with public guides is made at the first request', async () => {
  await using server = await startServer();
  const world = await benchGrinderWorld(server);
  await server.category('Empty');
  await server.jobs.idle();
  expect(await server.services.storage.reader.selectFrom('jobs').selectAll().execute()).toStrictEqual([]);
  const first = await listed(server);
  expect(first.map(({ name, state, hash }) => [name.replace(/-\d+$/, ''), state, hash])).toStrictEqual([
    ['site', 'building', null],
    ['Workshop', 'building', null],
    ['Bench-Grinder', 'building', null],
  ]);
  const archives = await settled(server);
  for (const archive of archives) {
    const bytes = await downloaded(must(archive.url, 'an address'));
    expect([archive.state, archive.size, archive.hash, archive.guides]).toStrictEqual([
      'ready',
      bytes.length,
      sha256(bytes),
      1,
    ]);
    const documents = await documentsOf(bytes);
    await validArchive(bytes);
    expect(documents.map(({ xml }) => xml).join('')).toContain(world.belt.title);
    expect(Buffer.from(bytes).includes('Secret lockout')).toBe(false);
  }
});

test('OMANUAL-COLLECTION-2 A version is sent in parts, and not again to a client that has it', async () => {
  await using server = await startServer();
  await benchGrinderWorld(server);
  const { hash } = siteOf(await settled(server));
  const url = `${server.url}/api/2.0/omanual/site.omanual`;
  const whole = await downloaded(url);
  await validArchive(whole);
  const { headers: shown } = await fetch(url, { method: 'HEAD' });
  expect(shown.get('content-disposition')).toMatch(/''(?!site).+\.omanual$/);
  const ask = async (headers: Record<string, string>) => {
    const response = await fetch(url, { headers });
    return { status: response.status, headers: response.headers, bytes: await response.arrayBuffer() };
  };
  const part = await ask({ Range: 'bytes=10-29', 'If-Range': `"${hash}"` });
  expect([part.status, part.headers.get('content-range'), part.headers.get('etag')]).toStrictEqual([
    206,
    `bytes 10-29/${whole.length}`,
    `"${hash}"`,
  ]);
  expect(new Uint8Array(part.bytes)).toStrictEqual(whole.slice(10, 30));
  const other = await ask({ Range: 'bytes=10-29', 'If-Range': '"another"' });
  expect([other.status, other.bytes.byteLength]).toStrictEqual([200, whole.length]);
  const beyond = await ask({ Range: `bytes=${whole.length}-` });
  expect([beyond.status, beyond.headers.get('content-range')]).toStrictEqual([
    416,
    `bytes */${whole.length}`,
  ]);
  expect((await ask({ 'If-None-Match': `"${hash}"` })).status).toBe(304);
  expect((await fetch(`${server.url}/api/2.0/omanual/other.omanual`)).status).toBe(404);
});

test('OMANUAL-COLLECTION-3 A change makes a new version; the old one stays under its hash, also after a restart', async () => {
  await using folder = await temporaryFolder('collection');
  let old: { url: string; hash: string };
  {
    await using server = await startServer({ dataDir: folder.path });
    const world = await benchGrinderWorld(server);
    old = siteOf(await settled(server));
    expect(siteOf(await settled(server)).hash).toBe(old.hash);
    const { guideid, revisionid } = world.belt;
    await world.ana.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { title: 'New belt' });
    const next = siteOf(await settled(server));
    expect(next.hash).not.toBe(old.hash);
    expect(sha256(await downloaded(old.url))).toBe(old.hash);
    const renewed = await downloaded(`${server.url}/api/2.0/omanual/site.omanual`);
    expect(sha256(renewed)).toBe(next.hash);
    await validArchive(renewed);
  }
  await using again = await startServer({ dataDir: folder.path });
  const [site] = await listed(again);
  expect([site?.state, site?.name]).toStrictEqual(['ready', 'site']);
  const { pathname, search } = new URL(old.url);
  expect(sha256(await downloaded(again.url + pathname + search))).toBe(old.hash);
});

test('OMANUAL-COLLECTION-4 A version with a guide that is no longer public is removed immediately and made again without it', async () => {
  await using server = await startServer();
  const world = await benchGrinderWorld(server);
  const lamp = await world.ana.call('POST', '/guides', {
    category: 'Workshop',
    type: 'repair',
    title: 'Lamp',
    public: true,
    introduction: `Like [guide|${world.belt.guideid}].`,
  });
  expect(lamp.status).toBe(201);
  const before = siteOf(await settled(server));
  expect(before.guides).toBe(2);
  await hide(world.ana, world.belt.guideid);
  expect((await fetch(before.url)).status).toBe(404);
  expect((await fetch(`${server.url}/api/2.0/omanual/site.omanual`)).status).toBe(404);
  expect((await listed(server)).find((one) => one.name === 'site')).toMatchObject({ state: 'building' });
  const after = siteOf(await settled(server));
  expect(after.guides).toBe(1);
  const bytes = await downloaded(after.url);
  await validArchive(bytes);
  expect(Buffer.from(bytes).includes(world.belt.title)).toBe(false);
  expect((await fetch(before.url)).status).toBe(404);
});

test('OMANUAL-COLLECTION-5 On a private site, the collection needs a sign-in', async () => {
  await using server = await startServer({ site: { private: true } });
  const world = await benchGrinderWorld(server);
  expect((await fetch(`${server.url}/api/2.0/omanual`)).status).toBe(401);
  expect((await fetch(`${server.url}/api/2.0/omanual/site.omanual`)).status).toBe(401);
  expect((await world.maria.call('GET', '/omanual')).status).toBe(200);
  await server.jobs.idle();
  const bytes = await downloaded(`${server.url}/api/2.0/omanual/site.omanual`, world.maria.token);
  await validArchive(bytes);
  expect(Buffer.from(bytes).includes('Secret lockout')).toBe(false);
});

test('OMANUAL-COLLECTION-6 An archive with private guides is made per person and available while that person sees them', async () => {
  await using server = await startServer();
  const world = await benchGrinderWorld(server);
  const guideids = [world.lockout.guideid, world.belt.guideid];
  const refused = await world.ben.call('POST', '/omanual/archives', { guideids });
  expect(refused.status).toBe(404);
  const bytes = await exported(server, world.ana, { guideids });
  expect((await documentsOf(bytes)).map(({ xml }) => xml).join('')).toContain('Secret lockout');
  const [made] = (await world.ana.call('GET', '/omanual/archives')).body as MadeArchive[];
  const path = `/omanual/archives/${must(made, 'the archive').archiveid}`;
  expect(made).toMatchObject({ state: 'done', guides: 2, hash: sha256(bytes), size: bytes.length });
  expect((await world.mira.call('GET', path)).status).toBe(404);
  await world.mira.call('PATCH', `/guides/${world.lockout.guideid}?revisionid=${world.lockout.revisionid}`, {
    author: world.mira.userid,
  });
  const url = `${server.url}/api/2.0${path}/file`;
  const lost = await fetch(url, { headers: { Authorization: `api ${world.ana.token}` } });
  expect(lost.status).toBe(404);
  expect((await world.ana.call('DELETE', path)).status).toBe(204);
  expect((await world.ana.call('GET', path)).status).toBe(404);
});

test('OMANUAL-COLLECTION-3 A version is made again when a linked guide or a used template changes', async () => {
  await using server = await startServer();
  const { ana, mira, belt } = await benchGrinderWorld(server);
  await server.category('Elsewhere');
  const fan = await ana.client.guides.create({
    body: { category: 'Elsewhere', type: 'repair', title: 'Change the fan', public: true },
  });
  await mira.call('POST', '/wikis', { namespace: 'WIKI', title: 'Torque', contents: 'Hand-tight' });
  const changed = await ana.call('PATCH', `/guides/${belt.guideid}?revisionid=${belt.revisionid}`, {
    introduction: `First [guide|${fan.guideid}]. {{Torque}}`,
  });
  expect(changed.status).toBe(200);
  const grinders = async () => {
    const found = (await settled(server)).find(({ title }) => title === 'Bench Grinder');
    const bytes = await downloaded(must(found?.url, 'its address'));
    const guide = (await documentsOf(bytes)).find(({ name }) => name.endsWith('guide.xml'));
    return { hash: found?.hash, xml: must(guide, 'the guide').xml };
  };
  const first = await grinders();
  expect(first.xml).toMatch(/Change the fan[^]*Hand-tight/);
  const { revisionid } = (await ana.call('GET', `/guides/${fan.guideid}`)).body as Guide;
  await ana.call('PATCH', `/guides/${fan.guideid}?revisionid=${revisionid}`, { title: 'Replace the fan' });
  const second = await grinders();
  expect(second.xml).toContain('Replace the fan');
  const page = (await mira.call('GET', '/wikis/WIKI/Torque')).body as { revisionid: number };
  await mira.call('PATCH', `/wikis/WIKI/Torque?revisionid=${page.revisionid}`, {
    contents: 'Until it clicks',
  });
  const third = await grinders();
  expect(third.xml).toContain('Until it clicks');
  expect(new Set([first.hash, second.hash, third.hash]).size).toBe(3);
  expect((await grinders()).hash).toBe(third.hash);
});

test('OMANUAL-COLLECTION-7 Small archives are made before large ones, and the first request says when to ask again', async () => {
  await using server = await startServer();
  const { ana } = await benchGrinderWorld(server);
  await ana.client.guides.create({
    body: { category: 'Workshop', type: 'repair', title: 'Lamp', public: true },
  });
  await server.jobs.stop();
  const waiting = await listed(server);
  expect(waiting.map(({ state, progress, error }) => ({ state, progress, error }))).toStrictEqual(
    [2, 2, 1].map((total) => ({
      state: 'building',
      progress: { done: 0, total, phase: 'Waiting' },
      error: null,
    })),
  );
  const inLine = await server.services.storage.reader
    .selectFrom('jobs')
    .select('subject')
    .orderBy('jobid')
    .execute();
  expect(inLine.map(({ subject }) => subject.replace(/-\d+$/, ''))).toStrictEqual([
    'Bench-Grinder',
    'Workshop',
    'site',
  ]);
  const url = `${server.url}/api/2.0/omanual/`;
  const early = await fetch(`${url}site.omanual`);
  expect([early.status, early.headers.get('retry-after')]).toStrictEqual([503, '10']);
  expect(((await early.json()) as { message: string }).message).toMatch(/is being made/);
  const wrong = await fetch(`${url}sight.omanual`);
  expect([wrong.status, wrong.headers.get('retry-after')]).toStrictEqual([404, null]);
});

test('OMANUAL-COLLECTION-7 An archive with too many files fails and names an alternative, until the guides change', async () => {
  await using server = await startServer();
  const { belt, ana } = await benchGrinderWorld(server);
  const { storage } = server.services;
  await storage.write(ownOrigin(server.services, 'test'), (tx) =>
    sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${readLimits.members})
      INSERT INTO file_uses (collection, id, file) SELECT 'guides', ${String(belt.guideid)}, 'file ' || n FROM numbers`.execute(
      tx,
    ),
  );
  const [site, ...others] = await settled(server);
  expect(site).toMatchObject({ state: 'failed', progress: null, hash: null, url: null });
  expect(site?.error?.message).toBe(
    'The whole site has more than 150,000 files, more than one archive can hold. Take the archives of its categories.',
  );
  expect(others.map(({ state, error }) => [state, error?.message])).toContainEqual([
    'failed',
    '“Bench Grinder” has more than 150,000 files, more than one archive can hold. Take the archives of the categories below it, or have one made of some of its guides.',
  ]);
  const answer = await fetch(`${server.url}/api/2.0/omanual/site.omanual`);
  expect([answer.status, ((await answer.json()) as { message: string }).message]).toStrictEqual([
    404,
    site?.error?.message,
  ]);
  const jobs = () => storage.reader.selectFrom('jobs').select('jobid').execute();
  const before = (await jobs()).length;
  await settled(server);
  expect((await jobs()).length).toBe(before);

  await storage.write(ownOrigin(server.services, 'test'), (tx) =>
    tx.deleteFrom('file_uses').where('file', 'like', 'file %').execute(),
  );
  await ana.call('PATCH', `/guides/${belt.guideid}?revisionid=${belt.revisionid}`, { title: 'New belt' });
  expect((await settled(server)).map(({ state, error }) => [state, error])).toStrictEqual([
    ['ready', null],
    ['ready', null],
    ['ready', null],
  ]);
});

test('JOB-7 Jobs of the collection fill neither their table nor the audit log; the newest of each archive stays', async () => {
  let ahead = 0;
  await using server = await startServer({ now: () => Date.now() + ahead });
  const { ana, belt } = await benchGrinderWorld(server);
  const { reader } = server.services.storage;
  const jobs = async (): Promise<string[]> =>
    (await reader.selectFrom('jobs').select('subject').orderBy('subject').execute()).map((row) =>
      row.subject.replace(/-\d+$/, ''),
    );
  await settled(server);
  ahead += 10 * 60_000;
  const { revisionid } = (await ana.call('GET', `/guides/${belt.guideid}`)).body as Guide;
  await ana.call('PATCH', `/guides/${belt.guideid}?revisionid=${revisionid}`, { title: 'Another belt' });
  await server.collection.look();
  ahead += 10 * 60_000;
  const archives = await settled(server);
  const all = await jobs();
  const each = [...new Set(all)];
  expect(all.length).toBeGreaterThan(each.length);

  const log = await listAudit(reader, {}, { limit: 1000, offset: 0 });
  expect(log.filter(({ object }) => object === 'jobs')).toEqual([]);
  const told = log.filter(({ changes }) => JSON.stringify(changes).includes('"archives"'));
  expect(told.length).toBeGreaterThanOrEqual(archives.length);

  await prune(server.services);
  expect(await jobs()).toEqual(all);
  ahead += 8 * 24 * 3600_000;
  await prune(server.services);
  expect(await jobs()).toEqual(each);
  expect(await listed(server)).toEqual(archives);
});
