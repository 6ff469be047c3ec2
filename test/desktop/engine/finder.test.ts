import { BehaviorSubject, firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import type { Session } from '#desktop/engine/api/sync-records.ts';
import { RecentGuides } from '#desktop/engine/features/recent-guides.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { openBench } from '#test/desktop/engine/bench/bench-of-test.ts';
import type { Bench } from '#test/desktop/engine/bench/bench.ts';
import { now, settled } from '#test/desktop/engine/bench/live-values.ts';
import { guideOf } from '#test/support/guide-edits.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

import { open } from './journal/world.ts';

function guide(guideid: number, title: string, change: Partial<GuideFacts> = {}): GuideFacts {
  return guideOf([], { guideid, title, parts: [], tools: [], prerequisites: [], summary: '', ...change });
}

function page(wikiid: number, title: string, change: Partial<WikiFacts> = {}): WikiFacts {
  return {
    wikiid,
    revisionid: 1,
    namespace: 'INFO',
    title,
    display_title: '',
    langid: 'en',
    parent: null,
    description: '',
    contents_raw: '',
    image: null,
    flags: [],
    table_of_contents: false,
    source_revisionid: null,
    userid: 1,
    created_date: 1,
    modified_date: 1,
    ...change,
  };
}

async function workshop(): Promise<Bench> {
  const server = StandInServer.still();
  server.put('guides', '1', guide(1, 'Drive belt', { category: 'CEB Press', difficulty: 'Easy' }));
  server.put('guides', '2', guide(2, 'Hopper', { category: 'Shop', difficulty: 'Easy', type: 'repair' }));
  server.put('guides', '3', guide(3, 'Frame', { category: 'Shop', difficulty: 'Moderate', type: 'how-to' }));
  server.put('wikis', '1', page(1, 'Shop', { namespace: 'CATEGORY' }));
  server.put(
    'wikis',
    '2',
    page(2, 'CEB Press', { namespace: 'CATEGORY', display_title: 'Brick press', parent: 'Shop' }),
  );
  server.put('wikis', '3', page(3, 'Empty', { namespace: 'CATEGORY', display_title: 'Brick oven' }));
  server.put('wikis', '4', page(4, 'Welding rules', { contents_raw: 'Wear a **visor** at all times.' }));
  server.put('wikis', '5', page(5, 'Torque', { namespace: 'WIKI', contents_raw: 'Visor template' }));
  const bench = await openBench(server);
  await now(bench.views.library({ category: null }));
  for (let turn = 0; turn < 5; turn += 1) await settled();
  return bench;
}

test('FIND-4 a search finds pages by title and text, with swapped letters, but no templates', async () => {
  const bench = await workshop();
  const pages = async (words: string): Promise<string[]> =>
    (await now(bench.views.find(words))).pages.map(({ displayTitle }) => displayTitle);
  expect(await pages('welding')).toEqual(['Welding rules']);
  expect(await pages('wleding')).toEqual(['Welding rules']);
  expect(await pages('visor')).toEqual(['Welding rules']);
  expect(await pages(' ')).toEqual([]);
});

test('FIND-4 a search finds categories that have guides, by either of their names', async () => {
  const bench = await workshop();
  const categories = async (words: string) => (await now(bench.views.find(words))).categories;
  const press = { title: 'CEB Press', displayTitle: 'Brick press', guides: 1, path: ['Shop'] };
  expect(await categories('brick')).toEqual([press]);
  expect(await categories('ceb')).toEqual([press]);
});

test('FIND-4 a search finds work orders by their number, a part of it, a serial number and the guide', async () => {
  const bench = await workshop();
  await bench.actions.startWorkOrder('1', 'WO-2041', { serials: ['BG-77'] });
  await bench.actions.startWorkOrder('2', 'WO-3041', {});
  const orders = async (words: string): Promise<string[]> =>
    (await now(bench.views.find(words))).orders.map(({ workorderid }) => workorderid);
  expect(await orders('wo-2041')).toEqual(['WO-2041']);
  expect(await orders('3041')).toEqual(['WO-3041']);
  expect(await orders('bg-77')).toEqual(['WO-2041']);
  expect(await orders('hopper')).toEqual(['WO-3041']);
  expect((await orders('041')).toSorted()).toEqual(['WO-2041', 'WO-3041']);
});

test('FIND-5 the guides that a person opened last are listed, the latest first, also after a restart', async () => {
  const bench = await workshop();
  const titles = async (one: Bench): Promise<string[]> =>
    (await now(one.views.recentGuides())).map(({ title }) => title);
  expect(await titles(bench)).toEqual([]);
  for (const id of ['1', '3', '2', '1']) await now(bench.views.guide(id));
  expect(await titles(bench)).toEqual(['Drive belt', 'Hopper', 'Frame']);
  const again = await bench.crash();
  expect(await titles(again)).toEqual(['Drive belt', 'Hopper', 'Frame']);
});

test('FIND-5 each person of a station has their own opened guides, and nobody sees those of another', async () => {
  const journal = await open(memoryStore());
  const session = new BehaviorSubject(sessionOf(1));
  const recent = new RecentGuides(journal, session);
  const seen = async (): Promise<readonly string[]> => {
    await settled();
    return firstValueFrom(recent.guides);
  };
  recent.opened('7');
  expect(await seen()).toEqual(['7']);
  session.next(sessionOf(null));
  expect(await seen()).toEqual([]);
  session.next(sessionOf(2));
  await settled();
  recent.opened('8');
  expect(await seen()).toEqual(['8']);
  session.next(sessionOf(1));
  expect(await seen()).toEqual(['7']);
  for (let id = 10; id < 30; id += 1) recent.opened(String(id));
  expect((await seen()).length).toBe(12);
  recent.close();
});

/** A session of the station's home with this person; null: nobody. */
function sessionOf(userid: number | null): Session {
  const user = userid === null ? null : { userid, username: 'Ada', privileges: [] };
  const none = { servers: [], homes: [], loss: null, elsewhere: [], damage: null };
  return { ...none, server: 'http://bench.test', home: 'station', user, status: 'signed-in' };
}

test('FIND-6 filters combine, and the choices are those of the category', async () => {
  const bench = await workshop();
  await bench.actions.favorite('2', true);
  const found = async (query: object) => {
    const { guides } = await now(bench.views.library({ category: null, ...query }));
    return guides.map(({ title }) => title);
  };
  expect(await found({ difficulty: 'Easy' })).toEqual(['Drive belt', 'Hopper']);
  expect(await found({ difficulty: 'Easy', only: ['favorites'] })).toEqual(['Hopper']);
  expect(await found({ difficulty: 'Moderate', only: ['favorites'] })).toEqual([]);
  expect(await found({ type: 'how-to', only: ['ready-offline'] })).toEqual(['Frame']);
  expect(await found({ difficulty: 'Easy', search: 'hopper' })).toEqual(['Hopper']);
  const { choices } = await now(bench.views.library({ category: 'CEB Press', difficulty: 'Difficult' }));
  expect(choices.difficulties).toEqual(['Easy']);
});

test('FIND-7 the names of categories that differ from their titles are known', async () => {
  const bench = await workshop();
  expect(await now(bench.views.categoryNames())).toEqual({ 'CEB Press': 'Brick press', Empty: 'Brick oven' });
});

test('SUPPLIES-1 the tools of all guides are listed once, those of the most guides first', async () => {
  const tool = (text: string, type = ''): GuideFacts['tools'][number] => ({
    text,
    type,
    url: '',
    notes: null,
    quantity: 1,
    thumbnail: null,
  });
  const server = StandInServer.still();
  server.put('guides', '1', guide(1, 'Belt', { tools: [tool('Allen key', '5 mm'), tool('Hammer')] }));
  server.put('guides', '2', guide(2, 'Frame', { tools: [tool('hammer '), tool(' ')] }));
  server.put(
    'guides',
    '3',
    guide(3, 'Hopper', { parts: [tool('Bolt')], tools: [tool('Allen key', '6 mm')] }),
  );
  const bench = await openBench(server);
  const names = async (field: 'parts' | 'tools'): Promise<string[]> =>
    (await now(bench.views.namedSupplies(field))).map(({ text, type }) => `${text} ${type}`.trim());
  await expect.poll(() => names('tools')).toEqual(['Hammer', 'Allen key 5 mm', 'Allen key 6 mm']);
  expect(await names('parts')).toEqual(['Bolt']);
});
