import { expect, test } from 'vitest';

import type { PageText } from '#desktop/engine/api/page-records.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { must } from '#shared/must.ts';
import { openBench } from '#test/desktop/engine/bench/bench-of-test.ts';
import type { Bench } from '#test/desktop/engine/bench/bench.ts';
import { now } from '#test/desktop/engine/bench/live-values.ts';
import { decided } from '#test/support/decided.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { wikiOf } from '#test/support/stand-in-server/wiki-calls.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

const lathe: WikiFacts = {
  ...wikiOf(81, 'CATEGORY', 'Lathe'),
  contents_raw: 'It turns.',
  info: [{ name: 'Voltage', value: '400 V' }],
};

/** A device that has one category and one guide. */
async function workshop(facts: WikiFacts = lathe): Promise<{ server: StandInServer; bench: Bench }> {
  const server = StandInServer.still();
  server.put('guides', '7', plainGuide);
  server.put('wikis', '81', facts);
  const bench = await openBench(server);
  return { server, bench };
}

async function page(bench: Bench, wikiid = '81') {
  return must(await now(bench.views.page(wikiid)), 'the page');
}

function words(contents: string, more: Partial<PageText> = {}): PageText {
  return { displayTitle: 'Lathe', description: '', contents, ...more };
}

function textOf(spans: readonly { text: string }[]): string {
  return spans.map(({ text }) => text).join('');
}

/** Another person changes the page meanwhile. */
function changeElsewhere(server: StandInServer, change: Partial<WikiFacts>): void {
  const facts = server.wiki(81);
  server.put('wikis', '81', { ...facts, ...change, revisionid: facts.revisionid + 1, userid: 2 });
}

test('OUTBOX-17 an edit of a renamed page is sent again under the new name, whenever it is learnt', async () => {
  const { server, bench } = await workshop();
  await bench.actions.savePage('81', words('It turns and bores.'));
  changeElsewhere(server, { title: 'Turning machine' });
  const save = must(bench.outbox.present()[0], 'the save');
  await bench.deliver(save, await bench.send(save));
  expect(bench.outbox.present()).toMatchObject([{ state: 'parked', refusal: { status: 404 } }]);
  await bench.pull();
  expect(bench.outbox.present()).toMatchObject([
    { state: 'queued', path: '/wikis/CATEGORY/Turning%20machine', refusal: null },
  ]);
  expect(must(bench.outbox.present()[0], 'the save').id).not.toBe(save.id);
  await bench.sync();
  expect(server.wiki(81)).toMatchObject({ title: 'Turning machine', contents_raw: 'It turns and bores.' });

  await bench.actions.tagPage('81', 'heavy', true);
  changeElsewhere(server, { title: 'Big lathe' });
  await bench.pull();
  await bench.sync();
  expect(bench.outbox.present()).toEqual([]);
  expect((await page(bench)).tags).toEqual(['heavy']);
});

test('OUTBOX-17 a page that is not found under its current name stays refused', async () => {
  const { server, bench } = await workshop();
  await bench.actions.savePage('81', words('Mine'));
  const save = must(bench.outbox.present()[0], 'the save');
  server.remove('wikis', '81');
  await bench.deliver(save, await bench.send(save));
  server.put('wikis', '90', wikiOf(90, 'INFO', 'Something else'));
  await bench.pull();
  expect(bench.outbox.present()).toMatchObject([{ state: 'parked', path: '/wikis/CATEGORY/Lathe' }]);
});

test('OUTBOX-16 a tag already removed by another person counts as done; a removed guide does not', async () => {
  const { server, bench } = await workshop();
  await bench.actions.tagGuide('7', 'belt', true);
  await bench.actions.tagPage('81', 'heavy', true);
  await bench.sync();
  await bench.actions.tagGuide('7', 'belt', false);
  await bench.actions.tagPage('81', 'heavy', false);
  server.put('viewer', 'guideTags:7', { kind: 'guideTags', guideid: 7, tags: [] });
  server.put('viewer', 'wikiTags:81', { kind: 'wikiTags', wikiid: 81, tags: [] });
  await bench.sync();
  expect(bench.outbox.present()).toEqual([]);
  expect((await page(bench)).tags).toEqual([]);
  await bench.actions.tagGuide('7', 'motor', false);
  server.remove('guides', '7');
  await bench.sync();
  expect(bench.outbox.present()).toMatchObject([
    { kind: 'guide-tag', state: 'parked', refusal: { status: 404, message: 'Not found' } },
  ]);
});

test('MERGE-93 facts of a category merge by name, and one changed on both sides is named in its decision', async () => {
  const { server, bench } = await workshop();
  const facts = [
    { name: 'Voltage', value: '400 V' },
    { name: 'Weight', value: '900 kg' },
  ];
  await bench.actions.savePage('81', words('It turns.', { info: facts }));
  changeElsewhere(server, { info: [...must(lathe.info, 'facts'), { name: 'Swing', value: '300 mm' }] });
  await bench.sync();
  expect(server.wiki(81).info).toEqual(
    expect.arrayContaining([...facts, { name: 'Swing', value: '300 mm' }]),
  );
  const withVoltage = (value: string) =>
    must(server.wiki(81).info, 'facts').map((one) => (one.name === 'Voltage' ? { ...one, value } : one));
  await bench.actions.savePage('81', words('It turns.', { info: withVoltage('380 V') }));
  changeElsewhere(server, { info: withVoltage('415 V') });
  await bench.sync();
  const found = must(await now(bench.views.conflict('wiki:81')), 'the conflict');
  const conflict = must(found.conflicts[0], 'a conflict');
  expect(conflict.place).toEqual({ field: 'info', element: 'Voltage' });
  expect([textOf(conflict.mine), textOf(conflict.theirs)]).toEqual(['380 V', '415 V']);
  await bench.actions.resolveConflicts('wiki:81', [decided(conflict, { take: 'mine' })]);
  await bench.sync();
  expect(server.wiki(81).info).toContainEqual({ name: 'Voltage', value: '380 V' });
});

test('MERGE-93 a fact removed on one side and changed on the other waits for a decision, with a message', async () => {
  const { server, bench } = await workshop();
  await bench.actions.savePage('81', words('It turns.', { info: [] }));
  changeElsewhere(server, { info: [{ name: 'Voltage', value: '415 V' }] });
  await bench.sync();
  const found = must(await now(bench.views.conflict('wiki:81')), 'the conflict');
  const conflict = must(found.conflicts[0], 'a conflict');
  expect(conflict).toMatchObject({ kind: 'deleted-by-me', place: { field: 'info', element: 'Voltage' } });
  expect(textOf(conflict.theirs)).toBe('415 V');
});

test('OUTBOX-15 a moderator shows a waiting edit to everyone; a concurrent edit is not shown unseen', async () => {
  const waiting = { ...lathe, revisionid: 900, contents_raw: 'Proposed', userid: 2 };
  const { server, bench } = await workshop({ ...lathe, unpatrolled: waiting });
  await bench.actions.patrolPage('81');
  expect(bench.outbox.present()).toMatchObject([
    { kind: 'wiki-patrol', path: '/wikis/CATEGORY/Lathe/patrol', query: { revisionid: '900' } },
  ]);
  expect(await page(bench)).toMatchObject({ html: '<p>Proposed</p>', patrol: 'none', pending: true });
  await bench.sync();
  expect(server.wiki(81)).toMatchObject({ contents_raw: 'Proposed', revisionid: 900 });
  server.put('wikis', '81', { ...waiting, unpatrolled: { ...waiting, revisionid: 901 } });
  await bench.pull();
  await bench.actions.patrolPage('81');
  server.put('wikis', '81', {
    ...waiting,
    unpatrolled: { ...waiting, revisionid: 902, contents_raw: 'Unseen' },
  });
  await bench.sync();
  expect(bench.outbox.present()).toMatchObject([{ kind: 'wiki-patrol', state: 'parked' }]);
  expect(server.wiki(81).contents_raw).toBe('Proposed');
});

test('OUTBOX-15 an earlier version is restored on top of the save that waits before it', async () => {
  const { server, bench } = await workshop();
  await bench.actions.savePage('81', words('Spoilt'));
  await bench.actions.revertPage('81', 810);
  expect(bench.outbox.present().map(({ kind, query }) => [kind, query])).toEqual([
    ['wiki-save', { revisionid: '810' }],
    ['wiki-revert', { revisionid: 'previous', to_revisionid: '810' }],
  ]);
  await bench.sync();
  expect(server.wiki(81).contents_raw).toBe('As in version 810');
  expect(bench.outbox.present()).toEqual([]);
});

test('OUTBOX-15 a translation starts from text other than its original, and later saves name its language', async () => {
  const { server, bench } = await workshop();
  const id = await bench.actions.translatePage('81', 'de', {
    displayTitle: 'Drehbank',
    description: '',
    contents: 'Sie dreht.',
  });
  expect(await page(bench, id)).toMatchObject({ title: 'Lathe', displayTitle: 'Drehbank', langid: 'de' });
  await bench.sync();
  const { wikiid } = await page(bench, id);
  expect(server.wiki(Number(wikiid))).toMatchObject({
    namespace: 'CATEGORY',
    title: 'Lathe',
    langid: 'de',
    source_revisionid: 810,
    info: lathe.info,
    contents_raw: 'Sie dreht.',
  });
  await bench.actions.savePage(wikiid, {
    displayTitle: 'Drehbank',
    description: '',
    contents: 'Sie dreht viel.',
  });
  expect(bench.outbox.present()).toMatchObject([
    { kind: 'wiki-save', path: '/wikis/CATEGORY/Lathe', query: { langid: 'de' } },
  ]);
});

test('picture and document of a page are stored on the device and named once they are on the server', async () => {
  const { server, bench } = await workshop();
  const image = await bench.actions.keepPagePicture(
    new Blob([pngOf(12, 8)], { type: 'image/png' }),
    'lathe.png',
  );
  expect(image).toMatchObject({ id: 0, width: 12, height: 8 });
  const document = await bench.actions.keepPageDocument(new Blob(['%PDF']), 'Wiring plan.pdf');
  expect(document).toMatchObject({ documentid: 0, text: 'Wiring plan', extension: 'pdf' });
  await bench.actions.savePage('81', words('It turns.', { image, documents: [document] }));
  const shown = await page(bench);
  expect(shown).toMatchObject({ imageGuid: image.guid, documents: [{ title: 'Wiring plan', url: null }] });
  await bench.sync();
  expect(bench.outbox.present()).toEqual([]);
  expect(server.wiki(81)).toMatchObject({
    image: { id: expect.any(Number), guid: expect.stringMatching(/^picture/) },
    documents: [{ text: 'Wiring plan', guid: expect.stringMatching(/^document/) }],
  });
  await expect(bench.actions.keepPagePicture(new Blob(['no picture']), 'x.png')).rejects.toThrow(
    'not a picture',
  );
});

test('OUTBOX-15 a save does not lose what others wrote while the editor was open', async () => {
  const { server, bench } = await workshop({ ...lathe, contents_raw: 'It turns steel. Oil it daily.' });
  const { newestRevisionid: revisionid, text } = await page(bench);
  changeElsewhere(server, { contents_raw: 'It turns steel. Oil it weekly.' });
  await bench.pull();
  await bench.actions.savePage(
    '81',
    { ...text, contents: 'It turns hard steel. Oil it daily.' },
    { revisionid, text },
  );
  expect(bench.outbox.present()[0]?.query).toEqual({ revisionid: '810' });
  await bench.sync();
  expect(server.wiki(81).contents_raw).toBe('It turns hard steel. Oil it weekly.');
  expect(bench.outbox.present()).toEqual([]);
});

/** The first bytes of a PNG file with its size. */
function pngOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}
