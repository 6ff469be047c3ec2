import { expect, test } from 'vitest';

import { memoryMediaStore } from '#desktop/engine/features/media/store.ts';
import { buildTree, subtreeOf } from '#desktop/engine/features/records/category-tree.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { must } from '#shared/must.ts';
import { openBench } from '#test/desktop/engine/bench/bench-of-test.ts';
import type { Bench } from '#test/desktop/engine/bench/bench.ts';
import { now, settled } from '#test/desktop/engine/bench/live-values.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { guideOf } from '#test/support/guide-edits.ts';

const plain = {
  introduction_raw: '',
  parts: [],
  tools: [],
  prerequisites: [],
  subject: '',
  summary: '',
} as const;

function guide(
  guideid: number,
  title: string,
  change: Partial<GuideFacts> = {},
  lines: string[][] = [],
): GuideFacts {
  return guideOf(lines, { ...plain, parts: [], tools: [], prerequisites: [], guideid, title, ...change });
}

function category(title: string, parent: string | null): WikiFacts {
  return {
    wikiid: title.length,
    revisionid: 1,
    namespace: 'CATEGORY',
    title,
    display_title: title,
    langid: 'en',
    parent,
    description: '',
    contents_raw: '',
    image: null,
    flags: [],
    table_of_contents: false,
    source_revisionid: null,
    userid: 1,
    created_date: 1,
    modified_date: 1,
  };
}

async function library(
  guides: GuideFacts[],
  options: Parameters<typeof Bench.open>[1] = {},
): Promise<{ server: StandInServer; bench: Bench }> {
  const server = StandInServer.still();
  for (const facts of guides) server.put('guides', String(facts.guideid), facts);
  const bench = await openBench(server, options);
  await now(bench.views.library({ category: null }));
  for (let turn = 0; turn < 5; turn += 1) await settled();
  return { server, bench };
}

async function titles(bench: Bench, search: string): Promise<string[]> {
  const page = await now(bench.views.library({ category: null, search }));
  return page.guides.map(({ title }) => title);
}

const shelf = [
  guide(1, 'Kühlschrank Türdichtung ersetzen', { category: 'Haushalt' }, [
    ['Die Dichtung mit dem Föhn erwärmen.'],
  ]),
  guide(2, 'Remplacer le câble d’alimentation', { category: 'Atelier' }, [['Débranchez la machine.']]),
  guide(3, 'Bench grinder drive belt', { category: 'Atelier', summary: 'Swap a worn belt.' }, [
    ['Loosen the motor bolts.'],
  ]),
  guide(4, 'Drill press spindle', {
    category: 'Atelier',
    tools: [{ text: 'Drift key', notes: null, type: 'tool', quantity: 1, url: '', thumbnail: null }],
  }),
];

test.each([
  ['grind', 'Bench grinder drive belt'],
  ['kuhlschrank', 'Kühlschrank Türdichtung ersetzen'],
  ['KÜHL', 'Kühlschrank Türdichtung ersetzen'],
  ['cable', 'Remplacer le câble d’alimentation'],
  ['fohn', 'Kühlschrank Türdichtung ersetzen'],
  ['drift key', 'Drill press spindle'],
])('FIND-1 search finds by prefix and without diacritics: %s', async (search, first) => {
  const { bench } = await library(shelf);
  expect((await titles(bench, search))[0]).toBe(first);
});

test.each([
  ['grnder belt', 'Bench grinder drive belt'],
  ['girnder', 'Bench grinder drive belt'],
  ['beltt', 'Bench grinder drive belt'],
  ['spidnle', 'Drill press spindle'],
  ['spidn', 'Drill press spindle'],
  ['kuehlschrank', 'Kühlschrank Türdichtung ersetzen'],
  ['dirft kye', 'Drill press spindle'],
  ['grinder zebra', 'Bench grinder drive belt'],
])('FIND-2 search finds similar words if none is spelt like it: %s', async (search, first) => {
  const { bench } = await library(shelf);
  expect((await titles(bench, search))[0]).toBe(first);
});

test('FIND-2 what is spelt like the search hides what is only similar', async () => {
  const { bench } = await library([guide(1, 'Form liner'), guide(2, 'From liner to mould')]);
  expect(await titles(bench, 'from')).toEqual(['From liner to mould']);
  expect(await titles(bench, 'form')).toEqual(['Form liner']);
});

test('FIND-3 the names of a category and of those above it find its guides, also when they change', async () => {
  const { server, bench } = await library(shelf);
  server.put('wikis', '1', category('Workshop', null));
  server.put('wikis', '2', { ...category('Atelier', 'Workshop'), display_title: 'Rototiller bay' });
  await bench.pull();
  for (let turn = 0; turn < 5; turn += 1) await settled();
  const all = ['Bench grinder drive belt', 'Drill press spindle', 'Remplacer le câble d’alimentation'];
  for (const search of ['atelier', 'rototiller', 'rototilelr', 'workshop'])
    expect({ search, found: (await titles(bench, search)).toSorted() }).toEqual({ search, found: all });
  expect(await titles(bench, 'workshop belt')).toEqual(['Bench grinder drive belt']);
  const [card] = (await now(bench.views.library({ category: null, search: 'rototiller' }))).guides;
  expect(card?.snippet?.text).toBe('Rototiller bay');
  server.put('wikis', '2', { ...category('Atelier', null), display_title: 'Grinding room' });
  await bench.pull();
  for (let turn = 0; turn < 5; turn += 1) await settled();
  expect(await titles(bench, 'rototiller')).toEqual([]);
  expect(await titles(bench, 'workshop')).toEqual([]);
  expect((await titles(bench, 'grinding room')).toSorted()).toEqual(all);
});

test('a search result shows where the words occur', async () => {
  const { bench } = await library(shelf);
  const [card] = (await now(bench.views.library({ category: null, search: 'motor' }))).guides;
  const { text, marks } = must(card?.snippet, 'a snippet');
  expect(text).toBe('Loosen the motor bolts.');
  expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['motor']);
});

test('search follows added, removed and waiting records', async () => {
  const { server, bench } = await library(shelf);
  server.put('guides', '5', guide(5, 'Lathe chuck jaws'));
  server.put('guides', '3', guide(3, 'Sander belt'));
  server.remove('guides', '4');
  await bench.pull();
  expect(await titles(bench, 'chuck')).toEqual(['Lathe chuck jaws']);
  for (let turn = 0; turn < 5; turn += 1) await settled();
  expect(await titles(bench, 'grinder')).toEqual([]);
  expect(await titles(bench, 'spindle')).toEqual([]);
  await bench.actions.openDraft('5');
  await bench.actions.editDraft('5', { op: 'setText', field: 'title', value: 'Lathe collets' });
  await bench.actions.saveDraft('5');
  expect(await titles(bench, 'collets')).toEqual(['Lathe collets']);
});

test('guides are listed by title, of a category with its descendants, of favourites and of drafts', async () => {
  const { server, bench } = await library(shelf);
  server.put('wikis', '1', category('Workshop', null));
  server.put('wikis', '2', category('Atelier', 'Workshop'));
  await bench.pull();
  const page = await now(bench.views.library({ category: 'Workshop' }));
  expect(page.guides.map(({ guideid }) => guideid)).toEqual(['3', '4', '2']);
  expect(page.total).toBe(3);
  expect((await now(bench.views.library({ category: null, search: 'belt' }))).total).toBe(1);
  await bench.actions.favorite('2', true);
  expect((await now(bench.views.library({ category: null, only: ['favorites'] }))).total).toBe(1);
  expect(
    (await now(bench.views.library({ category: null, only: ['favorites'] }))).guides.map(
      ({ guideid }) => guideid,
    ),
  ).toEqual(['2']);
  await bench.actions.openDraft('3');
  expect((await now(bench.views.library({ category: null, only: ['drafts'] }))).guides).toEqual([]);
  await bench.actions.editDraft('3', { op: 'setText', field: 'title', value: 'Belt' });
  expect((await now(bench.views.library({ category: null, only: ['drafts'] }))).guides).toMatchObject([
    { guideid: '3', pending: true },
  ]);
  expect(await now(bench.views.categoryTree())).toEqual([
    { title: 'Haushalt', displayTitle: 'Haushalt', guides: 1, children: [] },
    {
      title: 'Workshop',
      displayTitle: 'Workshop',
      guides: 3,
      children: [{ title: 'Atelier', displayTitle: 'Atelier', guides: 3, children: [] }],
    },
  ]);
});

test('categories in a circle are all shown once', () => {
  const edges = [
    { title: 'A', displayTitle: 'A', parent: 'B' },
    { title: 'B', displayTitle: 'B', parent: 'A' },
  ];
  expect(subtreeOf('A', edges)).toEqual(new Set(['A', 'B']));
  expect(buildTree(edges, new Map([['B', 2]]))).toEqual([
    {
      title: 'A',
      displayTitle: 'A',
      guides: 2,
      children: [{ title: 'B', displayTitle: 'B', guides: 2, children: [] }],
    },
  ]);
});

test('VIEW-5 until the app itself is stored, it counts as one more file that a guide waits for', async () => {
  const { promise: appKept, resolve: keepApp } = Promise.withResolvers<void>();
  const { bench } = await library([guide(1, 'Words only'), guide(2, 'Lost', { prerequisites: [99] })], {
    appKept,
  });
  const states = async (): Promise<unknown[]> =>
    (await now(bench.views.library({ category: null }))).guides.map(({ readiness }) => readiness);
  const missing = { state: 'missing', bytes: null };
  expect(await states()).toEqual([missing, { state: 'downloading', done: 0, total: 1 }]);
  keepApp();
  await settled();
  expect(await states()).toEqual([missing, { state: 'ready' }]);
});

test('a guide is ready offline only when its pictures and those of every guide it requires are stored', async () => {
  const picture = (id: number) => ({ id, guid: `guid${id}`, width: 1600, height: 1200 });
  const first = guide(1, 'First', { image: picture(1), prerequisites: [2] });
  const second = guide(2, 'Second', { image: picture(2), prerequisites: [1] });
  const media = memoryMediaStore();
  let isUp = false;
  const request = (path: string): Promise<Response> =>
    Promise.resolve(isUp ? new Response(`bytes of ${path}`) : new Response(null, { status: 503 }));
  const { bench } = await library(
    [first, second, guide(3, 'Words only'), guide(4, 'Lost', { prerequisites: [99] })],
    { media, request },
  );
  const states = async (): Promise<string[]> =>
    (await now(bench.views.library({ category: null }))).guides.map(
      ({ guideid, readiness }) => `${guideid} ${readiness.state}`,
    );
  expect(await states()).toEqual(['1 missing', '4 missing', '2 missing', '3 ready']);
  isUp = true;
  await bench.actions.downloadGuides(['1']);
  for (let turn = 0; turn < 5; turn += 1) await settled();
  expect(await states()).toEqual(['1 ready', '4 missing', '2 ready', '3 ready']);
  expect((await media.list()).map(({ key }) => key).toSorted()).toEqual([
    'picture:guid1.large',
    'picture:guid2.large',
  ]);
  expect(await now(bench.views.picture('guid1', 'medium'))).toMatch(/^blob:/);
  const page = await now(bench.views.library({ category: null, only: ['ready-offline'] }));
  expect(page.readyOffline).toBe(3);
});
