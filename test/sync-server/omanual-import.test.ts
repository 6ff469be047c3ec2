import { expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { importGuides } from '#server/features/guides/import/import-guides.ts';
import { documentsOf, downloaded, exported, imported, importOf } from '#test/support/archive-calls.ts';
import { movieFile } from '#test/support/media-files.ts';
import { startServer } from '#test/support/server.ts';
import { allGuides, comparable, factsOf } from '#test/support/stored-guides.ts';

import { pictureBytes } from '../shared/formats/omanual/archives.ts';
import { guideDocument, packageWith, stepDocument } from '../shared/formats/omanual/opened.ts';
import { admin, fixture, richGuide, uploaded } from './omanual-import-calls.ts';

test('OMANUAL-IMPORT-1 Demo guides with their pictures read the same on an empty server', async () => {
  await using here = await startServer();
  await using there = await startServer();
  const answers = ['146', '48', '6'].map(
    (id) => JSON.parse(fixture(`ose/guides/${id}.json`).toString()) as unknown,
  );
  await importGuides(here.services, answers, { ids: 'keep', site: 'wiki.example' });
  const ana = await here.person('Ana', admin);
  const ben = await there.person('Ben', admin);
  const rich = await richGuide(here, ana);
  const bytes = await exported(here, ana, { site: true });
  const done = await imported(there, ben, bytes);
  expect(done).toMatchObject({ state: 'done', report: { producer: 'benchbook', skipped: 0 } });
  const guideids = await allGuides(here);
  expect(await allGuides(there)).toStrictEqual(guideids);
  const mine = await factsOf(here, guideids);
  const theirs = await factsOf(there, guideids);
  expect(theirs.map(comparable)).toStrictEqual(mine.map(comparable));
  const tags = await ben.call('GET', `/guides/${rich.guideid}/tags`);
  expect(tags.body).toStrictEqual(['belts']);
  for (const size of ['full', 'mini']) {
    const path = `/igi/${must(rich.image, 'a picture').guid}.${size}`;
    expect(await downloaded(there.url + path)).toStrictEqual(await downloaded(here.url + path));
  }
  const again = await exported(there, ben, { site: true });
  const documents = (all: { name: string; xml: string }[]): object[] =>
    all.map(({ name, xml }) => ({ name, xml: xml.replaceAll(there.url, here.url) }));
  expect(documents(await documentsOf(again))).toStrictEqual(documents(await documentsOf(bytes)));
});

test('OMANUAL-IMPORT-1 An archive names the original author of a guide until the guide gets another author', async () => {
  await using here = await startServer();
  await using there = await startServer();
  const ana = await here.person('Ana', admin);
  const ben = await there.person('Ben', admin);
  const cem = await there.person('Cem', admin);
  const { guideid } = await richGuide(here, ana);
  await imported(there, ben, await exported(here, ana, { site: true }));
  const authorIn = async () =>
    /<author id="(\d+)">([^<]*)/.exec(
      (await documentsOf(await exported(there, ben, { guideids: [guideid] }))).find(({ name }) =>
        name.endsWith('guide.xml'),
      )?.xml ?? '',
    )?.[2];
  expect(await authorIn()).toBe('Ana');
  const [placed] = await factsOf(there, [guideid]);
  expect(placed?.archived_author).toStrictEqual({
    given_userid: ben.userid,
    userid: ana.userid,
    name: 'Ana',
  });
  const { revisionid } = (await ben.call('GET', `/guides/${guideid}`)).body as Guide;
  await ben.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { author: cem.userid });
  expect(await authorIn()).toBe('Cem');
});

test('OMANUAL-IMPORT-2 A dry run reports and changes nothing; then the same file is imported with other options', async () => {
  await using here = await startServer();
  const ana = await here.person('Ana', admin);
  await richGuide(here, ana);
  const bytes = await exported(here, ana, { category: 'Workshop' });
  await using there = await startServer();
  const ben = await there.person('Ben', admin);
  const dry = await imported(there, ben, bytes, { dry_run: true });
  expect(dry).toMatchObject({ state: 'done', report: { created: 3, changed: 0, skipped: 0 } });
  expect(await allGuides(there)).toStrictEqual([]);
  const counts = await there.services.storage.reader.selectFrom('images').select('imageid').execute();
  expect(counts).toStrictEqual([]);
  const run = await ben.call('POST', `/omanual/imports/${dry.importid}/run`, { visibility: 'public' });
  await there.jobs.idle();
  const { importid } = run.body as { importid: number };
  expect(await importOf(ben, importid)).toMatchObject({ state: 'done', report: { created: 3 } });
  const [facts] = await factsOf(there, await allGuides(there));
  expect(facts).toMatchObject({ title: 'Belt', public: true, category: 'Bench Grinder' });
});

test('OMANUAL-IMPORT-3 An existing guide stays, is created again, or gets a new version', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana', admin);
  const rich = await richGuide(server, ana);
  const bytes = await exported(server, ana, { category: 'Workshop' });
  await ana.call('PATCH', `/guides/${rich.guideid}?revisionid=${rich.revisionid}`, { title: 'Strap' });
  const skipped = await imported(server, ana, bytes);
  expect(skipped.report).toMatchObject({ created: 0, changed: 0, skipped: 3 });
  expect(await allGuides(server)).toStrictEqual([rich.guideid]);
  const revised = await imported(server, ana, bytes, { existing: 'revision' });
  expect(revised.report?.items.find((one) => one.kind === 'guide')).toMatchObject({
    action: 'changed',
    id: rich.guideid,
  });
  const [after] = await factsOf(server, [rich.guideid]);
  expect(after?.title).toBe('Belt');
  expect(after?.steps.map((step) => step.stepid)).toStrictEqual(rich.steps.map((step) => step.stepid));
  const again = await imported(server, ana, bytes, { existing: 'revision' });
  expect(again.report).toMatchObject({ created: 0, changed: 0, skipped: 3 });
  const anew = await imported(server, ana, bytes, { existing: 'new' });
  expect(anew.report).toMatchObject({ created: 1, skipped: 2 });
  const [first, second] = await factsOf(server, await allGuides(server));
  expect(second?.guideid).not.toBe(first?.guideid);
  expect(second?.title).toBe('Belt');
});

test('OMANUAL-IMPORT-3 Guides of an archive that are one guide here become one, even if written together', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana', admin);
  const belt = guideDocument('<category>Bench Grinder</category>');
  const lamp = guideDocument(
    stepDocument('', '<media type="image"><image>media/a.png</image></media>'),
  ).replace('Change the belt', 'Change the lamp');
  const picture = pictureBytes('lamp');
  const bytes = packageWith({
    'a/guide.xml': belt,
    'b/guide.xml': lamp,
    'b/media/a.png': picture,
    'c/guide.xml': belt,
  });
  const tried = await imported(server, ana, bytes, { dry_run: true });
  expect(tried.report).toMatchObject({ created: 2, skipped: 1, media: 1 });
  const { state, report } = await imported(server, ana, bytes);
  expect([state, report?.created, report?.skipped, report?.media]).toStrictEqual(['done', 2, 1, 1]);
  for (const dry_run of [true, false]) {
    const more = await imported(server, ana, bytes, { dry_run });
    expect(more.report).toMatchObject({ created: 0, skipped: 3, media: 0 });
  }
  const [first, , third] = report?.items.filter(({ kind }) => kind === 'guide') ?? [];
  expect([first?.action, third?.action, third?.id]).toStrictEqual(['created', 'skipped', first?.id]);
  const again = await imported(server, ana, bytes, { existing: 'new' });
  expect(again.report).toMatchObject({ created: 3, skipped: 0 });
  expect(await allGuides(server)).toHaveLength(5);
});

test("OMANUAL-IMPORT-4 Guides belong to the importer or to the person with the author's name; other people are refused", async () => {
  await using here = await startServer();
  const ana = await here.person('Ana', admin);
  await richGuide(here, ana);
  const bytes = await exported(here, ana, { category: 'Workshop' });
  await using there = await startServer();
  const ben = await there.person('Ben', admin);
  const author = await there.person('Ana', ['User', 'Author']);
  const refused = await author.call('POST', '/omanual/imports', { size: 5, author: 'name' });
  expect(refused.status).toBe(403);
  await imported(there, ben, bytes, { author: 'name' });
  const [facts] = await factsOf(there, await allGuides(there));
  expect(facts?.userid).toBe(author.userid);
});

test('OMANUAL-IMPORT-5 An undo removes all of an import but keeps later edits, unless forced', async () => {
  await using here = await startServer();
  const ana = await here.person('Ana', admin);
  await richGuide(here, ana);
  const second = await ana.call('POST', '/guides', { category: 'Workshop', type: 'repair', title: 'Lamp' });
  expect(second.status).toBe(201);
  const bytes = await exported(here, ana, { category: 'Workshop' });
  await using there = await startServer();
  const ben = await there.person('Ben', admin);
  const { importid } = await imported(there, ben, bytes);
  const guideids = await allGuides(there);
  const edited = must(
    (await factsOf(there, guideids)).find((one) => one.title === 'Lamp'),
    'the lamp',
  );
  await ben.call('PATCH', `/guides/${edited.guideid}?revisionid=${edited.revisionid}`, { title: 'Bulb' });
  await ben.call('POST', `/omanual/imports/${importid}/undo`, {});
  await there.jobs.idle();
  const once = await importOf(ben, importid);
  expect(once.undo).toMatchObject({ state: 'done', undone: 2 });
  expect(once.undo?.kept.map(({ title, reason }) => [title, reason])).toStrictEqual([
    ['Bulb', 'It was edited since'],
    ['Workshop', 'There are guides in it'],
  ]);
  expect(await allGuides(there)).toStrictEqual([edited.guideid]);
  await ben.call('POST', `/omanual/imports/${importid}/undo`, { force: true });
  await there.jobs.idle();
  expect((await importOf(ben, importid)).undo).toMatchObject({ undone: 4, kept: [] });
  expect(await allGuides(there)).toStrictEqual([]);
  const { reader } = there.services.storage;
  expect(await reader.selectFrom('images').select('imageid').execute()).toStrictEqual([]);
  expect(await reader.selectFrom('document_files').select('documentid').execute()).toStrictEqual([]);
  const categories = await reader.selectFrom('wikis').select('title').where('deleted', '=', 0).execute();
  expect(categories).toStrictEqual([]);
});

test('OMANUAL-IMPORT-5 An undo restores the version before the import', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana', admin);
  const rich = await richGuide(server, ana);
  const { videoid } = await uploaded(server, ana, 'videos?file=intro.mp4', movieFile('isom'));
  const edited = async (revisionid: number, body: object): Promise<Guide> =>
    (await ana.call('PATCH', `/guides/${rich.guideid}?revisionid=${revisionid}`, body)).body as Guide;
  const { revisionid } = await edited(rich.revisionid, { objectid: videoid });
  const bytes = await exported(server, ana, { category: 'Workshop' });
  await edited(revisionid, { title: 'Strap', objectid: null });
  const [before] = await factsOf(server, [rich.guideid]);
  const { importid } = await imported(server, ana, bytes, { existing: 'revision' });
  const [changed] = await factsOf(server, [rich.guideid]);
  expect(changed).toMatchObject({ title: 'Belt', intro_video: { filename: 'intro.mp4' } });
  await ana.call('POST', `/omanual/imports/${importid}/undo`, {});
  await server.jobs.idle();
  expect((await importOf(ana, importid)).undo).toMatchObject({ state: 'done', kept: [] });
  const [after] = await factsOf(server, [rich.guideid]);
  expect(after).toMatchObject({ title: 'Strap', intro_video: null });
  expect(after?.steps.map((step) => step.lines.map((line) => line.text_raw))).toStrictEqual(
    before?.steps.map((step) => step.lines.map((line) => line.text_raw)),
  );
});

test('OMANUAL-IMPORT-3 A step that an archive adds to an existing guide can be named by devices after it is restored', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana', admin);
  const rich = await richGuide(server, ana);
  const bytes = await exported(server, ana, { category: 'Workshop' });
  const [open, close] = rich.steps.map(({ stepid, revisionid }) => ({ stepid, revisionid }));
  const path = `/guides/${rich.guideid}?revisionid=${rich.revisionid}`;
  const without = await ana.call('PATCH', path, { steps: [open], removed_steps: [close] });
  expect(without.status).toBe(200);
  await imported(server, ana, bytes, { existing: 'revision' });
  const [after] = await factsOf(server, [rich.guideid]);
  expect(after?.steps).toHaveLength(2);
  expect(after?.steps[1]?.key).toMatch(/^[0-9a-f]{18}$/);
});
