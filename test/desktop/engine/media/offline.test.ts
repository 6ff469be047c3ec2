import { BehaviorSubject, Subject, filter, firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import type { OfflineChoice } from '#desktop/engine/api/offline-records.ts';
import { chosenGuides } from '#desktop/engine/features/media/chosen-guides.ts';
import { Pace } from '#desktop/engine/features/media/pace.ts';
import { OfflineSettings, usualChoice } from '#desktop/engine/features/media/offline-setting.ts';
import { memoryMediaStore } from '#desktop/engine/features/media/store.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { openBench } from '#test/desktop/engine/bench/bench-of-test.ts';
import type { Bench, BenchOptions } from '#test/desktop/engine/bench/bench.ts';
import { lock } from '#test/desktop/engine/bench/core-stand-ins.ts';
import { now, settled } from '#test/desktop/engine/bench/live-values.ts';
import { guideOf } from '#test/support/guide-edits.ts';
import { memoryStorage } from '#test/support/memory-storage.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

const nothing: OfflineChoice = { ...usualChoice, favorites: false };
const saws: OfflineChoice = { ...nothing, categories: ['Saws'] };

function guide(guideid: number, change: Partial<GuideFacts> = {}): GuideFacts {
  const image = { id: guideid, guid: `guid${guideid}`, width: 1600, height: 1200 };
  return guideOf([], {
    parts: [],
    tools: [],
    prerequisites: [],
    guideid,
    title: `Guide ${guideid}`,
    image,
    ...change,
  });
}

const document = {
  documentid: 7,
  guid: 'manual',
  text: 'Manual',
  extension: 'pdf',
  icon: '',
  url: '/Document/manual/manual.pdf',
  download_url: '/Document/manual/manual.pdf',
};

/** Three guides of saws, of which the third needs the fourth, and one of drills. */
const shelf = [
  guide(1, { category: 'Saws', documents: [document] }),
  guide(2, { category: 'Saws' }),
  guide(3, { category: 'Saws', prerequisites: [4] }),
  guide(4, { category: 'Safety' }),
  guide(5, { category: 'Drills' }),
];

interface World {
  bench: Bench;
  media: ReturnType<typeof memoryMediaStore>;
  online: BehaviorSubject<boolean>;
  /** Method and path of requests. */
  asked: string[];
  keys: () => Promise<string[]>;
}

async function world(options: Omit<BenchOptions, 'media'> & { media?: World['media'] } = {}): Promise<World> {
  const server = StandInServer.still();
  for (const facts of shelf) server.put('guides', String(facts.guideid), facts);
  const media = options.media ?? memoryMediaStore();
  const online = new BehaviorSubject(true);
  const asked: string[] = [];
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    asked.push(`${init.method ?? 'GET'} ${path}`);
    if (init.method === 'HEAD') return new Response(null, { headers: { 'Content-Length': '2000000' } });
    return new Response(`bytes of ${path}`, { status: online.value ? 200 : 503 });
  };
  const bench = await openBench(server, { ...options, media, online, request });
  const keys = async (): Promise<string[]> => {
    for (let turn = 0; turn < 6; turn += 1) await settled();
    return (await media.list()).map(({ key }) => key.replace(/^.*:|\..*$/g, '')).toSorted();
  };
  await keys();
  return { bench, media, online, asked, keys };
}

test('CARRY-1 a choice names the guides of categories and those below them, of tags, of teams, and favourites', async () => {
  const sources = {
    rows: [
      { id: '1', category: 'Saws', userid: 7 },
      { id: '2', category: 'Band saws', userid: 7 },
      { id: '3', category: 'Drills', userid: 8 },
      { id: '4', category: 'Drills', userid: 9 },
      { id: '5', category: '', userid: 7 },
    ],
    edges: [
      { title: 'Saws', displayTitle: 'Saws', parent: null },
      { title: 'Band saws', displayTitle: 'Band saws', parent: 'Saws' },
    ],
    favorites: new Set(['5']),
    tags: new Map([['3', ['weekly']]]),
    teams: [{ teamid: 1, members: [8] }],
    teamsOf: async (id: string) => (id === '4' ? [1] : []),
  };
  const chosen = (choice: Partial<OfflineChoice>) => chosenGuides({ ...nothing, ...choice }, sources);
  expect(await chosen({})).toEqual([]);
  expect(await chosen({ favorites: true })).toEqual(['5']);
  expect(await chosen({ categories: ['Saws'] })).toEqual(['1', '2']);
  expect(await chosen({ tags: ['weekly'] })).toEqual(['3']);
  expect(await chosen({ teams: [1] })).toEqual(['3', '4']);
  expect(await chosen({ everything: true })).toEqual(['5', '1', '2', '3', '4']);
});

test('CARRY-2 CARRY-6 chosen guides come with their prerequisites, and what is no longer chosen is removed; lists stay whole', async () => {
  const { bench, keys } = await world();
  expect(await keys()).toEqual([]);
  await bench.actions.keepOffline(saws);
  expect(await keys()).toEqual(['guid1', 'guid2', 'guid3', 'guid4', 'manual']);
  expect(await now(bench.views.offline())).toMatchObject({ state: 'ready', have: 5, of: 5 });
  await bench.actions.keepOffline({ ...nothing, categories: ['Drills'] });
  expect(await keys()).toEqual(['guid5']);
  const page = await now(bench.views.library({ category: null }));
  expect(page.guides.map(({ title }) => title)).toEqual(shelf.map(({ title }) => title));
  expect(page.guides.map(({ readiness: { state } }) => state)).toEqual([
    'missing',
    'missing',
    'missing',
    'missing',
    'ready',
  ]);
});

test('CARRY-3 CARRY-6 guides of work, drafts, unsent changes and the guide that is read stay, and so does waiting work', async () => {
  const { bench, keys } = await world();
  await bench.actions.keepOffline({ ...nothing, everything: true });
  expect(await keys()).toHaveLength(6);
  await bench.actions.startWorkOrder('1', 'WO-1');
  await bench.actions.openDraft('2');
  await bench.actions.editDraft('2', { op: 'setText', field: 'title', value: 'Changed' });
  await now(bench.views.guide('5'));
  const before = await now(bench.views.activity());
  await bench.actions.keepOffline(nothing);
  expect(await keys()).toEqual(['guid1', 'guid2', 'guid5', 'manual']);
  expect(await now(bench.views.activity())).toEqual(before);
  expect(await now(bench.views.draft('2'))).not.toBeNull();
});

test('CARRY-4 the size of a choice is told before it is made, with the sizes that the server tells', async () => {
  const { bench, asked, online } = await world();
  online.next(false);
  expect(await now(bench.views.offlinePreview(saws))).toMatchObject({
    guides: 3,
    prerequisites: 1,
    pictures: { count: 4, isEstimate: true },
    documents: { count: 1, isEstimate: true },
    toRemove: { count: 0 },
  });
  expect(asked).toEqual([]);
  online.next(true);
  const preview = await now(bench.views.offlinePreview(saws));
  expect(asked).toEqual(['HEAD /Document/manual/manual.pdf']);
  // A picture of 800 by 600 pixels is estimated.
  expect(preview).toMatchObject({
    pictures: { bytes: 4 * 800 * 600 * 0.2, isEstimate: true },
    documents: { bytes: 2_000_000, isEstimate: false },
    toLoad: { count: 5, bytes: 4 * 96_000 + 2_000_000 },
  });
  await bench.actions.keepOffline({ ...nothing, everything: true });
  await settled();
  const next = await now(bench.views.offlinePreview({ ...nothing, categories: ['Drills'] }));
  expect(next).toMatchObject({ guides: 1, toLoad: { count: 0 }, toRemove: { count: 5 } });
});

test('CARRY-5 choice and pause survive a restart; opened guides are loaded even so', async () => {
  const disk = new Map<string, Uint8Array>();
  const first = await world({ disk });
  first.online.next(false);
  await first.bench.actions.keepOffline(saws);
  await first.bench.actions.pauseOffline(true);
  expect(await first.keys()).toEqual([]);
  await first.bench.close();
  const { bench, keys } = await world({ disk, media: first.media });
  expect(await now(bench.views.offline())).toMatchObject({ choice: saws, isPaused: true, state: 'paused' });
  expect(await keys()).toEqual([]);
  await now(bench.views.guide('2'));
  expect(await keys()).toEqual(['guid2']);
  await bench.actions.pauseOffline(false);
  expect(await keys()).toEqual(['guid1', 'guid2', 'guid3', 'guid4', 'manual']);
});

test('CARRY-7 a picture whose bytes are gone takes "Ready offline" away', async () => {
  const { bench, media, online, keys } = await world();
  const stateOf = async (place: number) =>
    (await now(bench.views.library({ category: null }))).guides[place]?.readiness.state;
  await bench.actions.keepOffline(saws);
  await keys();
  online.next(false);
  await settled();
  expect(await stateOf(1)).toBe('ready');
  await media.remove('picture:guid2.large');
  await now(bench.views.guide('2'));
  await settled();
  expect(await stateOf(1)).not.toBe('ready');
  // Without opening it: when the network comes or goes, all files are listed.
  await media.remove('picture:guid4.large');
  expect(await stateOf(2)).toBe('ready');
  await bench.actions.pauseOffline(true);
  online.next(true);
  await settled();
  expect(await stateOf(2)).not.toBe('ready');
});

test('CARRY-8 the time that is left follows from the last minute, and is not told after a break', () => {
  let at = 0;
  const pace = new Pace(() => at);
  expect(pace.remaining(1000)).toBeNull();
  for (; at <= 10_000; at += 1000) pace.note(1000);
  at = 10_000;
  expect(pace.remaining(11_000)).toBe(10_000);
  at = 40_000;
  expect(pace.remaining(11_000)).toBeNull();
});

const everything: OfflineChoice = { ...nothing, everything: true };

test('CARRY-6 CARRY-15 while records are missing nothing is removed and the person is told why, and then it is removed', async () => {
  const complete = new BehaviorSubject(true);
  const { bench, keys } = await world({ complete, archives: memoryStorage() });
  await bench.actions.keepOffline(everything);
  expect(await keys()).toHaveLength(6);
  complete.next(false);
  await bench.actions.keepOffline(nothing);
  expect(await keys()).toHaveLength(6);
  expect(await now(bench.views.offline())).toMatchObject({ state: 'incomplete' });
  expect(await now(bench.views.storageUse())).toMatchObject({ unneeded: 'incomplete' });
  expect(await now(bench.views.offlinePreview(nothing))).toMatchObject({ isComplete: false, toRemove: null });
  await expect(bench.actions.removeUnneeded()).rejects.toThrow('The server has not sent all guides yet');
  expect(await keys()).toHaveLength(6);
  complete.next(true);
  expect(await keys()).toEqual([]);
  expect(await now(bench.views.storageUse())).toMatchObject({ unneeded: { count: 0 } });
});

test('CARRY-12 CARRY-15 files that another account on this device needs stay, and are counted', async () => {
  const { bench, keys } = await world({ others: ['{"image":{"guid":"guid1"}}', '{"guid":"manual"}'] });
  await bench.actions.keepOffline(everything);
  expect(await keys()).toHaveLength(6);
  await bench.actions.keepOffline(nothing);
  expect(await keys()).toEqual(['guid1', 'manual']);
  expect(await bench.actions.removeUnneeded()).toBe(2);
});

/** Two tabs of one device. The first one leads. `isDeaf`: they do not hear each other. */
async function twoTabs(isDeaf = false): Promise<[World, World]> {
  const words = [new Subject<string>(), new Subject<string>()] as const;
  const tabsOf = (own: 0 | 1) => ({
    heard: words[own],
    tell: (word: string) => void (isDeaf || queueMicrotask(() => words[own === 0 ? 1 : 0].next(word))),
  });
  const shared = { lock: lock() };
  const first = await world({ ...shared, tabs: tabsOf(0) });
  const { journal } = first.bench.core;
  const second = await world({ ...shared, journal, media: first.media, tabs: tabsOf(1), leads: false });
  return [first, second];
}

test('CARRY-16 what is chosen in one tab is loaded by the tab that leads, and all show it', async () => {
  const [first, second] = await twoTabs();
  await second.bench.actions.keepOffline(saws);
  expect(await first.keys()).toEqual(['guid1', 'guid2', 'guid3', 'guid4', 'manual']);
  expect(await now(first.bench.views.offline())).toMatchObject({ choice: saws, state: 'ready' });
  await first.bench.actions.pauseOffline(true);
  expect(await now(second.bench.views.offline())).toMatchObject({ choice: saws, isPaused: true });
  // What one tab removes, the other does not show as being here.
  await second.bench.actions.keepOffline({ ...nothing, categories: ['Drills'] });
  await first.keys();
  expect(await now(first.bench.views.storage())).toMatchObject({ mediaBytes: 25 });
});

test('CARRY-16 tabs that did not hear of each other do not undo what the other chose', async () => {
  const [first, second] = await twoTabs(true);
  await second.bench.actions.keepOffline(saws);
  await first.bench.actions.pauseOffline(true);
  expect(await now(first.bench.views.offline())).toMatchObject({ choice: saws, isPaused: true });
  const pin = (bench: Bench, guideid: string) => bench.actions.downloadGuides([guideid]);
  await Promise.all([pin(first.bench, '1'), pin(second.bench, '5')]);
  await pin(first.bench, '2');
  expect(await now(first.bench.views.offline())).toMatchObject({ singles: 3 });
});

test('CARRY-3 CARRY-15 the files of a guide that is open in another tab stay', async () => {
  const [first, second] = await twoTabs();
  await first.bench.actions.keepOffline(everything);
  expect(await first.keys()).toHaveLength(6);
  await now(second.bench.views.guide('5'));
  await first.bench.actions.keepOffline(nothing);
  expect(await first.keys()).toEqual(['guid5']);
  expect(await first.bench.actions.removeUnneeded()).toBe(1);
});

test('CARRY-17 a choice that cannot be read is said, loads the favourites, and removes nothing until the person chooses', async () => {
  const disk = new Map<string, Uint8Array>();
  const before = await world({ disk });
  await before.bench.actions.keepOffline(everything);
  await before.keys();
  const value = { everything: 'yes', isPaused: false };
  await before.bench.core.journal.append([{ op: 'put', collection: 'meta', id: 'offline/bench', value }]);
  await before.bench.close();
  const { bench, keys } = await world({ disk, media: before.media, archives: memoryStorage() });
  expect(await now(bench.views.offline())).toMatchObject({ choice: usualChoice, isUnread: true });
  expect(await now(bench.views.storageUse())).toMatchObject({ unneeded: 'unread' });
  await expect(bench.actions.removeUnneeded()).rejects.toThrow('could not be read');
  // Pausing is no choice.
  await bench.actions.pauseOffline(true);
  expect(await now(bench.views.offline())).toMatchObject({ isUnread: true, isPaused: true });
  expect(await keys()).toHaveLength(6);
  await bench.actions.keepOffline(saws);
  expect(await now(bench.views.offline())).toMatchObject({ choice: saws, isUnread: false });
  expect(await keys()).toEqual(['guid1', 'guid2', 'guid3', 'guid4', 'manual']);
});

test('CARRY-17 a journal that cannot be read does not keep the favourites from being loaded', async () => {
  const { bench } = await world();
  const { journal } = bench.core;
  const changes = journal.changes.bind(journal);
  journal.changes = () => Promise.reject(new Error('The disk failed'));
  const settings = new OfflineSettings(bench.core);
  expect(await firstValueFrom(settings.setting)).toMatchObject({ choice: usualChoice, isUnread: true });
  await expect(settings.change({ choice: saws })).rejects.toThrow('The disk failed');
  journal.changes = changes;
  // It is read again by itself.
  await firstValueFrom(settings.setting.pipe(filter(({ isUnread }) => !isUnread)));
  await settings.change({ choice: saws });
  expect(await firstValueFrom(settings.setting)).toEqual({ choice: saws, isPaused: false, isUnread: false });
  settings.close();
});

test('a store that cannot be listed at first is asked again, and the chosen files are loaded', async () => {
  const media = memoryMediaStore();
  const list = media.list.bind(media);
  let isBusy = true;
  media.list = () => (isBusy ? Promise.reject(new Error('The store is busy')) : list());
  const server = StandInServer.still();
  for (const facts of shelf) server.put('guides', String(facts.guideid), facts);
  const request = async () => new Response('bytes');
  const bench = await openBench(server, { media, request });
  await bench.actions.keepOffline(saws);
  await settled();
  isBusy = false;
  await expect.poll(async () => (await list()).length).toBe(5);
});

test('CARRY-14 a change of the media index, or of the texts of an order, does not make the device read all guides again', async () => {
  const { bench, keys } = await world();
  await bench.actions.keepOffline(everything);
  await keys();
  const read: string[] = [];
  const { mirror } = bench;
  const get = mirror.get.bind(mirror);
  mirror.get = (collection, id) => {
    if (collection === 'guides') read.push(id);
    return get(collection, id);
  };
  const file = { userid: 1, filename: 'a.pdf', size: 4, sha256: 'a'.repeat(64) };
  mirror.store([
    {
      c: 'media',
      id: 'document:7',
      seq: 90,
      doc: { kind: 'document', documentid: 7, guid: 'manual', ...file },
    },
  ]);
  await bench.actions.keepOffline(everything);
  await keys();
  expect(read).toEqual([]);
  const { prerequisites: _, ...earlier } = guide(2, {
    image: { id: 9, guid: 'earlier', width: 1600, height: 1200 },
  });
  mirror.store([{ c: 'workVersions', id: '1', seq: 91, doc: { entryid: 1, guide: earlier, forms: [] } }]);
  expect(await keys()).toContain('earlier');
  expect(read).toEqual(['2']);
});
