import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { decided } from '#test/support/decided.ts';
import type { TestPerson } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startRestorableServer, type RestorableServer } from './support/restorable-server.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

interface Bench extends AsyncDisposable {
  server: RestorableServer;
  device: WholeDevice;
  /** Ben's public guide. */
  guideid: string;
  /** A category page. */
  wikiid: string;
  ben: Caller;
  isOnline: boolean;
}

type Caller = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

/** Sends requests of a person to the current server. */
function callerOf(server: RestorableServer, { token }: TestPerson): Caller {
  return async (method, path, body) => {
    const response = await fetch(`${server.url}/api/2.0${path}`, {
      method,
      headers: {
        Authorization: `api ${token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.status).toBeLessThan(300);
    const text = await response.text();
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
}

/** A server backed up with Ben's guide and a page, and Ada's device in sync with it. */
async function startBench(): Promise<Bench> {
  const server = await startRestorableServer();
  await server.now.category('Bench Grinder', undefined, 'Two wheels.');
  await server.now.person('Ada', ['User', 'Author', 'Moderator']);
  const ben = await server.now.person('Ben', ['User', 'Author', 'Moderator', 'Admin']);
  const guide = await makeGuide(ben);
  const caller = callerOf(server, ben);
  const page = await caller('GET', '/wikis/CATEGORY/Bench%20Grinder');
  const made: { device?: WholeDevice } = {};
  const bench: Bench = {
    server,
    get device() {
      return must(made.device, 'the device');
    },
    guideid: String(guide.guideid),
    wikiid: String(page['wikiid']),
    ben: caller,
    isOnline: true,
    async [Symbol.asyncDispose]() {
      await made.device?.[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
  made.device = await startWholeDevice(() => (bench.isOnline ? server.url : null), newDisk());
  await made.device.signIn('Ada');
  await made.device.inSync();
  await server.backUp();
  made.device.actions.syncNow();
  await made.device.inSync();
  return bench;
}

/** Ben makes the guide private. */
async function hide({ ben, guideid }: Bench): Promise<void> {
  const { revisionid } = await ben('GET', `/guides/${guideid}`);
  await ben('DELETE', `/guides/${guideid}/public?revisionid=${String(revisionid)}`);
}

/** Ben publishes the guide again. */
async function show({ ben, guideid }: Bench): Promise<void> {
  const { revisionid } = await ben('GET', `/guides/${guideid}`);
  await ben('PUT', `/guides/${guideid}/public?revisionid=${String(revisionid)}`, {});
}

async function writeIntroduction({ device, guideid }: Bench, text: string): Promise<void> {
  await device.actions.openDraft(guideid);
  await device.actions.editDraft(guideid, { op: 'setText', field: 'introduction_raw', value: text });
}

function textOf(spans: readonly { text: string }[]): string {
  return spans.map(({ text }) => text).join('');
}

test('LEAVING-6 quarantined text of a guide that a restored server shows again becomes a decision and is not sent before it', async () => {
  await using bench = await startBench();
  const { device, guideid, ben, server } = bench;
  await writeIntroduction(bench, 'Mine');
  await hide(bench);
  await device.shows((kept) => kept.length === 1, 'keptWords');
  await server.restore();
  const { revisionid } = await ben('GET', `/guides/${guideid}`);
  await ben('PATCH', `/guides/${guideid}?revisionid=${String(revisionid)}`, { introduction: 'Theirs' });
  device.actions.syncNow();

  const found = must(await device.shows((one) => one !== null, 'conflict', guideid), 'the conflict');
  expect(found.conflicts.map(({ mine, theirs }) => [textOf(mine), textOf(theirs)])).toEqual([
    ['Mine', 'Theirs'],
  ]);
  await device.shows((kept) => kept.length === 0, 'keptWords');
  expect((await ben('GET', `/guides/${guideid}`))['introduction_raw']).toBe('Theirs');
});

test('LEAVING-6 text that the server had before it was restored becomes a decision', async () => {
  await using bench = await startBench();
  const { device, guideid, ben, server } = bench;
  await writeIntroduction(bench, 'Taken and forgotten');
  await device.actions.saveDraft(guideid);
  await device.inSync();
  await hide(bench);
  await device.shows((guide) => guide === null, 'guide', guideid);
  await device.inSync();
  bench.isOnline = false;
  await server.restore();
  const { revisionid } = await ben('GET', `/guides/${guideid}`);
  await ben('PATCH', `/guides/${guideid}?revisionid=${String(revisionid)}`, { introduction: 'Theirs' });
  bench.isOnline = true;
  device.actions.syncNow();

  const found = must(await device.shows((one) => one !== null, 'conflict', guideid), 'the conflict');
  expect(found.conflicts.map(({ mine, theirs }) => [textOf(mine), textOf(theirs)])).toEqual([
    ['Taken and forgotten', 'Theirs'],
  ]);
  expect((await ben('GET', `/guides/${guideid}`))['introduction_raw']).toBe('Theirs');
});

test('LEAVING-6 text that the server has is kept while the guide is here again, in case of a later restore', async () => {
  await using bench = await startBench();
  const { device, guideid, ben, server } = bench;
  await writeIntroduction(bench, 'Taken and forgotten');
  await device.actions.saveDraft(guideid);
  await device.inSync();
  await hide(bench);
  await device.shows((guide) => guide === null, 'guide', guideid);
  await device.inSync();
  await show(bench);
  await device.shows((guide) => guide !== null, 'guide', guideid);
  await device.inSync();
  expect(await device.look('keptWords')).toEqual([]);
  bench.isOnline = false;
  await server.restore();
  const { revisionid } = await ben('GET', `/guides/${guideid}`);
  await ben('PATCH', `/guides/${guideid}?revisionid=${String(revisionid)}`, { introduction: 'Theirs' });
  bench.isOnline = true;
  device.actions.syncNow();

  const found = must(await device.shows((one) => one !== null, 'conflict', guideid), 'the conflict');
  expect(found.conflicts.map(({ mine, theirs }) => [textOf(mine), textOf(theirs)])).toEqual([
    ['Taken and forgotten', 'Theirs'],
  ]);
});

test('LEAVING-6 text that a restored server still has needs no decision', async () => {
  await using bench = await startBench();
  const { device, guideid, ben, server } = bench;
  await writeIntroduction(bench, 'Taken and remembered');
  await device.actions.saveDraft(guideid);
  await device.inSync();
  await server.backUp();
  await hide(bench);
  await device.shows((guide) => guide === null, 'guide', guideid);
  await device.inSync();
  bench.isOnline = false;
  await server.restore();
  bench.isOnline = true;
  device.actions.syncNow();

  await device.shows((guide) => guide !== null, 'guide', guideid);
  await device.inSync();
  expect(await device.look('keptWords')).toEqual([]);
  expect(await device.look('conflict', guideid)).toBeNull();
  expect((await device.look('syncState')).pending).toBe(0);
  expect((await ben('GET', `/guides/${guideid}`))['introduction_raw']).toBe('Taken and remembered');
});

test('LEAVING-6 quarantined text of a page that exists again becomes a decision', async () => {
  await using bench = await startBench();
  const { device, wikiid, ben, server } = bench;
  const { revisionid } = await ben('GET', '/wikis/CATEGORY/Bench%20Grinder');
  bench.isOnline = false;
  device.actions.syncNow();
  await device.shows(({ connection }) => connection === 'offline', 'syncState');
  await device.actions.savePage(wikiid, {
    displayTitle: 'Bench Grinder',
    description: 'Written by Ada',
    contents: 'Three wheels.',
    flags: ['WIKI_NEEDS_WORK'],
  });
  await ben('DELETE', `/wikis/CATEGORY/Bench%20Grinder?revisionid=${String(revisionid)}`);
  bench.isOnline = true;
  device.actions.syncNow();
  await device.shows((kept) => kept.length === 1 && kept[0]?.wikiid === wikiid, 'keptWords');
  await device.shows(({ pending }) => pending === 0, 'syncState');
  await server.restore();
  device.actions.syncNow();

  const id = `wiki:${wikiid}`;
  const found = must(await device.shows((one) => one !== null, 'conflict', id), 'the conflict');
  expect(
    found.conflicts
      .map(({ place, mine, theirs }) => [place.field, textOf(mine), textOf(theirs)])
      .toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
  ).toEqual([
    ['contents_raw', 'Three wheels.', 'Two wheels.'],
    ['description', 'Written by Ada', ''],
    ['flags', 'WIKI_NEEDS_WORK', ''],
  ]);
  expect((await device.look('syncState')).conflicts).toBe(3);
  await device.shows((kept) => kept.length === 0, 'keptWords');
  expect(await ben('GET', '/wikis/CATEGORY/Bench%20Grinder')).toMatchObject({ contents_raw: 'Two wheels.' });

  for (const one of found.conflicts)
    await device.actions.resolveConflicts(id, [
      decided(one, { take: one.place.field === 'description' ? 'mine' : 'theirs' }),
    ]);
  await device.inSync();
  expect(await ben('GET', '/wikis/CATEGORY/Bench%20Grinder')).toMatchObject({
    contents_raw: 'Two wheels.',
    description: 'Written by Ada',
  });
});

test('LEAVING-6 quarantined text of a guide forgotten in a restore is not used for the guide that now has its number', async () => {
  await using bench = await startBench();
  const { device, ben, server } = bench;
  const make = async (title: string): Promise<string> => {
    const body = { category: 'Bench Grinder', type: 'repair', title, public: true };
    return String((await ben('POST', '/guides', body))['guideid']);
  };
  const forgotten = { ...bench, guideid: await make('Lathe') };
  const { guideid } = forgotten;
  device.actions.syncNow();
  await device.shows((guide) => guide !== null, 'guide', guideid);
  await writeIntroduction(forgotten, 'Of the lathe');
  await hide(forgotten);
  await device.shows((kept) => kept.length === 1, 'keptWords');
  bench.isOnline = false;
  await server.restore();
  expect(await make('Press drill')).toBe(guideid);
  bench.isOnline = true;
  device.actions.syncNow();
  await device.shows((guide) => guide?.title === 'Press drill', 'guide', guideid);
  await device.inSync();
  // Later changes are checked too.
  await ben('POST', `/comments/guide/${guideid}`, { text: 'Mind the chuck' });
  device.actions.syncNow();
  await device.inSync();
  expect(await device.look('keptWords')).toMatchObject([{ guideid, isHere: false }]);
  expect(await device.look('conflict', guideid)).toBeNull();
});
