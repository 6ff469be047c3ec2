import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { openBench } from '#test/desktop/engine/bench/bench-of-test.ts';
import type { Bench } from '#test/desktop/engine/bench/bench.ts';
import { now } from '#test/desktop/engine/bench/live-values.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';
import { decided } from '#test/support/decided.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { wikiOf } from '#test/support/stand-in-server/wiki-calls.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

const rules = { ...wikiOf(71, 'INFO', 'Workshop rules'), contents_raw: 'Wear goggles. Tie long hair back.' };

async function workshop(): Promise<{ server: StandInServer; bench: Bench }> {
  const server = StandInServer.still();
  server.put('guides', '7', plainGuide);
  server.put('wikis', '71', rules);
  server.put('people', 'user:2', {
    kind: 'user',
    userid: 2,
    username: 'Ben',
    unique_username: null,
    join_date: 1,
    image: null,
    reputation: 40,
    teams: [3],
    privileges: ['User'],
    summary: null,
    about_raw: "'''Turner'''",
    location: null,
    latitude: null,
    longitude: null,
    enabled: true,
    badge_counts: { bronze: 1, silver: 0, gold: 0, total: 1 },
  });
  server.put('people', 'team:3', {
    kind: 'team',
    teamid: 3,
    name: 'Line B',
    description: '',
    owner: 2,
    image: null,
    location: null,
    latitude: null,
    longitude: null,
    members: [2],
    new_member_since: 0,
  });
  const bench = await openBench(server);
  return { server, bench };
}

async function page(bench: Bench, wikiid = '71') {
  return must(await now(bench.views.page(wikiid)), 'the page');
}

function words(contents: string) {
  return { displayTitle: 'Workshop rules', description: '', contents };
}

/** Another person saves another text meanwhile. */
function editElsewhere(server: StandInServer, contents_raw: string): void {
  const facts = server.wiki(71);
  server.put('wikis', '71', { ...facts, contents_raw, revisionid: facts.revisionid + 1, userid: 2 });
}

test('pages are listed by namespace, and a page renders templates and names of guides from this device', async () => {
  const { server, bench } = await workshop();
  server.put('wikis', '72', { ...wikiOf(72, 'WIKI', 'Note'), contents_raw: "'''Mind the belt.'''" });
  server.put('wikis', '73', {
    ...wikiOf(73, 'ITEM', 'Belt'),
    display_title: 'Drive belt',
    contents_raw: '{{Note}} See [guide|7].',
  });
  await bench.pull();
  expect((await now(bench.views.pages('ITEM'))).map(({ displayTitle }) => displayTitle)).toEqual([
    'Drive belt',
  ]);
  expect((await now(bench.views.pages('INFO'))).map(({ wikiid }) => wikiid)).toEqual(['71']);
  const { html } = await page(bench, '73');
  expect(html).toContain('<strong>Mind the belt.</strong>');
  expect(html).toContain(`href="/guides/7"`);
});

test('a category page names its ancestors and descendants', async () => {
  const { server, bench } = await workshop();
  server.put('wikis', '81', wikiOf(81, 'CATEGORY', 'Machines'));
  server.put('wikis', '82', { ...wikiOf(82, 'CATEGORY', 'Lathe'), parent: 'Machines' });
  await bench.pull();
  expect(await page(bench, '81')).toMatchObject({
    parent: null,
    children: [{ wikiid: '82', displayTitle: 'Lathe' }],
  });
  expect(await page(bench, '82')).toMatchObject({ parent: { wikiid: '81' }, children: [] });
});

test('OUTBOX-15 a page created and edited before it is sent is one call and keeps its address', async () => {
  const { server, bench } = await workshop();
  const id = await bench.actions.createPage('ITEM', ' Drive belt ', {
    displayTitle: '',
    description: '',
    contents: 'A-24',
  });
  await bench.actions.savePage(id, { displayTitle: '', description: 'Spare', contents: 'A-24, 610 mm' });
  expect(bench.outbox.present().map(({ kind, body }) => [kind, body])).toEqual([
    [
      'wiki-create',
      { namespace: 'ITEM', title: 'Drive belt', contents: 'A-24, 610 mm', description: 'Spare' },
    ],
  ]);
  expect(await page(bench, id)).toMatchObject({ title: 'Drive belt', pending: true, editState: 'queued' });
  await bench.actions.comment('wiki', id, 'Which shelf?');
  await bench.sync();
  expect(bench.outbox.present()).toEqual([]);
  const there = await page(bench, id);
  expect(there).toMatchObject({
    title: 'Drive belt',
    pending: false,
    text: { contents: 'A-24, 610 mm' },
    comments: [{ text: 'Which shelf?', pending: false }],
  });
  expect(server.wiki(Number(there.wikiid)).description).toBe('Spare');
  await expect(
    bench.actions.createPage('ITEM', 'drive BELT', { displayTitle: '', description: '', contents: '' }),
  ).rejects.toThrow('already');
});

test('OUTBOX-15 unsent saves join, and one made during sending follows', async () => {
  const { server, bench } = await workshop();
  await bench.actions.savePage('71', words('Wear goggles.'));
  await bench.actions.savePage('71', words('Wear goggles and gloves.'));
  const [save] = bench.outbox.present();
  expect(bench.outbox.present()).toHaveLength(1);
  const answer = await bench.send(must(save, 'the save'));
  await bench.actions.savePage('71', words('Wear goggles, gloves and boots.'));
  expect(bench.outbox.present().map(({ query }) => query['revisionid'])).toEqual(['710', 'previous']);
  expect((await page(bench)).text.contents).toBe('Wear goggles, gloves and boots.');
  await bench.deliver(must(save, 'the save'), answer);
  await bench.sync();
  expect(server.wiki(71).contents_raw).toBe('Wear goggles, gloves and boots.');
  expect(bench.outbox.present()).toEqual([]);
});

test('OUTBOX-15 edits of different text of a page merge automatically, later saves included', async () => {
  const { server, bench } = await workshop();
  await bench.actions.savePage('71', words('Wear safety goggles. Tie long hair back.'));
  editElsewhere(server, 'Wear goggles. Tie all hair back.');
  const save = must(bench.outbox.present()[0], 'the save');
  const answer = await bench.send(save);
  await bench.actions.savePage('71', words('Wear safety goggles. Tie long hair back. No rings.'));
  await bench.deliver(save, answer);
  await bench.sync();
  expect(server.wiki(71).contents_raw).toBe('Wear safety goggles. Tie all hair back. No rings.');
  expect(bench.outbox.present()).toEqual([]);
});

test('OUTBOX-15 conflicting text waits for a decision with both texts, and is saved on top of theirs', async () => {
  const { server, bench } = await workshop();
  await bench.actions.savePage('71', words('Wear goggles. Wear a cap.'));
  editElsewhere(server, 'Wear goggles. Wear a hood.');
  await bench.sync();
  const [item] = await now(bench.views.activity());
  expect(item).toMatchObject({ id: 'conflict:wiki:71', state: 'needs-decision', kind: 'page', wikiid: '71' });
  const found = must(await now(bench.views.conflict('wiki:71')), 'the conflict');
  const conflict = must(found.conflicts[0], 'a conflict');
  expect(found).toMatchObject({ title: 'Workshop rules', theirName: 'Ben' });
  expect(conflict.place).toEqual({ field: 'contents_raw' });
  const text = (spans: { text: string }[]): string => spans.map((span) => span.text).join('');
  expect([text(conflict.mine), text(conflict.theirs)]).toEqual([
    'Wear goggles. Wear a cap.',
    'Wear goggles. Wear a hood.',
  ]);
  expect(await page(bench)).toMatchObject({ editState: 'conflict', canEdit: false });
  await expect(bench.actions.savePage('71', words('Other'))).rejects.toThrow('Decide');
  const again = await bench.crash();
  endsWithTest(again);
  expect(await now(again.views.conflict('wiki:71'))).toEqual(found);
  await bench.actions.resolveConflicts('wiki:71', [decided(conflict, { take: 'mine' })]);
  await bench.sync();
  expect(server.wiki(71).contents_raw).toBe('Wear goggles. Wear a cap.');
  expect(await now(bench.views.conflict('wiki:71'))).toBeNull();
  expect(bench.outbox.present()).toEqual([]);
});

/** A page of which two people changed the same words, and the device of one of them. */
async function contestedPage(): Promise<{ server: StandInServer; bench: Bench }> {
  const { server, bench } = await workshop();
  await bench.actions.savePage('71', words('Wear a cap.'));
  editElsewhere(server, 'Wear a hood.');
  await bench.sync();
  return { server, bench };
}

async function decide(bench: Bench, take: 'mine' | 'theirs'): Promise<void> {
  const { conflicts } = must(await now(bench.views.conflict('wiki:71')), 'the conflict');
  await bench.actions.resolveConflicts(
    'wiki:71',
    conflicts.map((one) => decided(one, { take })),
  );
}

test.each(['mine', 'theirs'] as const)(
  'DECIDE-6 a decision about a page for %s is taken back and made otherwise',
  async (take) => {
    const { server, bench } = await contestedPage();
    const before = await now(bench.views.conflict('wiki:71'));
    await decide(bench, take);
    expect(await now(bench.views.canReopen('wiki:71'))).toBe(true);
    await bench.actions.reopenConflicts('wiki:71');
    expect(await now(bench.views.conflict('wiki:71'))).toEqual(before);
    await decide(bench, take === 'mine' ? 'theirs' : 'mine');
    await bench.sync();
    expect(server.wiki(71).contents_raw).toBe(take === 'mine' ? 'Wear a hood.' : 'Wear a cap.');
  },
);

test('DECIDE-8 a decision about a text of a page that is another by now decides nothing', async () => {
  const { server, bench } = await contestedPage();
  const { conflicts: seen } = must(await now(bench.views.conflict('wiki:71')), 'the conflict');
  await decide(bench, 'mine');
  editElsewhere(server, 'Wear a helmet.');
  await bench.sync();
  expect((await now(bench.views.conflict('wiki:71')))?.conflicts).toHaveLength(1);
  await expect(
    bench.actions.resolveConflicts(
      'wiki:71',
      seen.map((one) => decided(one, { take: 'mine' })),
    ),
  ).rejects.toThrow('Someone changed this page meanwhile. Check your choices again.');
  expect(server.wiki(71).contents_raw).toBe('Wear a helmet.');
});

test('DECIDE-7 decisions about a page are not taken back once a later edit was saved', async () => {
  for (const take of ['mine', 'theirs'] as const) {
    const { server, bench } = await contestedPage();
    await decide(bench, take);
    await bench.actions.savePage('71', words('Wear a helmet.'));
    expect(bench.outbox.present()).toHaveLength(1);
    expect(await now(bench.views.canReopen('wiki:71'))).toBe(false);
    await expect(bench.actions.reopenConflicts('wiki:71')).rejects.toThrow('edited after these decisions');
    await bench.sync();
    expect(server.wiki(71).contents_raw).toBe('Wear a helmet.');
  }
});

test('OUTBOX-15 a refused save keeps its text for the editor and is sent again when saved', async () => {
  const { server, bench } = await workshop();
  await bench.actions.savePage('71', words('Mine'));
  server.remove('wikis', '71');
  const save = must(bench.outbox.present()[0], 'the save');
  await bench.deliver(save, await bench.send(save));
  server.put('wikis', '71', rules);
  expect(await page(bench)).toMatchObject({ editState: 'parked', text: { contents: 'Mine' } });
  expect((await page(bench)).html).toContain('Tie long hair back');
  await bench.actions.savePage('71', words('Mine'));
  await bench.sync();
  expect(server.wiki(71).contents_raw).toBe('Mine');
});

test('OUTBOX-15 a page deleted before it is sent leaves nothing; deleting another removes its unsent save', async () => {
  const { server, bench } = await workshop();
  const id = await bench.actions.createPage('ITEM', 'Belt', {
    displayTitle: '',
    description: '',
    contents: '',
  });
  await bench.actions.deletePage(id);
  expect(bench.outbox.present()).toEqual([]);
  expect(await now(bench.views.page(id))).toBeNull();
  await bench.actions.savePage('71', words('Mine'));
  await bench.actions.deletePage('71');
  expect(bench.outbox.present().map(({ kind, query }) => [kind, query])).toEqual([
    ['wiki-delete', { revisionid: '710' }],
  ]);
  expect(await now(bench.views.pages('INFO'))).toEqual([]);
  await bench.sync();
  expect(server.rowsAfter(0).find((row) => row.id === '71')?.removed).toBe(true);
});

test('OUTBOX-15 a page changed meanwhile is deleted only when the person asks again', async () => {
  const { server, bench } = await workshop();
  await bench.actions.deletePage('71');
  editElsewhere(server, 'New words');
  await bench.sync();
  expect((await page(bench)).text.contents).toBe('New words');
  const [item] = await now(bench.views.activity());
  expect(item).toMatchObject({ state: 'needs-decision', kind: 'page' });
  await bench.actions.retryCall(must(item, 'an item').id);
  await bench.sync();
  expect(await now(bench.views.page('71'))).toBeNull();
});

test('an own edit stays visible until it is patrolled; the page says that edits of others wait', async () => {
  const { server, bench } = await workshop();
  const waiting = { ...rules, revisionid: 800, contents_raw: 'Proposed' };
  server.put('wikis', '71', { ...rules, unpatrolled: { ...waiting, userid: 1 } });
  await bench.pull();
  expect(await page(bench)).toMatchObject({ patrol: 'own', html: '<p>Proposed</p>' });
  server.put('wikis', '71', { ...rules, unpatrolled: { ...waiting, userid: 2 } });
  await bench.pull();
  expect(await page(bench)).toMatchObject({ patrol: 'others', text: { contents: 'Proposed' } });
  expect((await page(bench)).html).toContain('goggles');
  await bench.actions.savePage('71', words('Proposed and more'));
  expect(bench.outbox.present()[0]?.query).toEqual({ revisionid: '800' });
});

test('OUTBOX-16 tags show immediately, and the last of several switches of one tag counts', async () => {
  const { bench } = await workshop();
  await bench.actions.tagGuide('7', ' belt ', true);
  await bench.actions.tagGuide('7', 'motor', true);
  await bench.actions.tagPage('71', 'safety', true);
  const tags = async () => must(await now(bench.views.guide('7')), 'the guide').tags;
  expect(await tags()).toEqual(['belt', 'motor']);
  expect((await page(bench)).tags).toEqual(['safety']);
  await bench.sync();
  expect(await tags()).toEqual(['belt', 'motor']);
  await bench.actions.tagGuide('7', 'belt', false);
  await bench.actions.tagGuide('7', 'belt', true);
  await bench.actions.tagGuide('7', 'motor', false);
  expect(bench.outbox.present().map(({ method, body }) => [method, body])).toEqual([
    ['PUT', { tag: 'belt' }],
    ['DELETE', { tag: 'motor' }],
  ]);
  expect(await tags()).toEqual(['belt']);
  await bench.sync();
  expect(await tags()).toEqual(['belt']);
  expect((await page(bench)).tags).toEqual(['safety']);
  await expect(bench.actions.tagGuide('7', 'lang:de', true)).rejects.toMatchObject({ kind: 'invalid' });
});

test('people and teams show their facts and relations', async () => {
  const { bench } = await workshop();
  expect(await now(bench.views.directory())).toMatchObject({
    people: [{ userid: 2, name: 'Ben', reputation: 40 }],
    teams: [{ teamid: 3, name: 'Line B', members: 1 }],
  });
  expect(await now(bench.views.person(2))).toMatchObject({
    aboutHtml: '<p><strong>Turner</strong></p>',
    badges: { bronze: 1, total: 1 },
    teams: [{ teamid: 3 }],
  });
  expect(await now(bench.views.team(3))).toMatchObject({
    owner: 2,
    reputation: 40,
    members: [{ userid: 2 }],
  });
  expect(await now(bench.views.person(99))).toBeNull();
});
