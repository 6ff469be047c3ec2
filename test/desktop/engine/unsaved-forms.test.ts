import { afterEach, beforeEach, expect, test } from 'vitest';

import { rareWord } from '#test/support/raw-search.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

import { newDisk, type Disk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

let server: TestServer;
let ada: TestPerson;
let disk: Disk;
let device: WholeDevice;
let wikiid: string;

beforeEach(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ada = await server.person('Ada', ['User', 'Author', 'Moderator', 'Admin']);
  await server.person('Ben');
  const page = (await ada.call('GET', '/wikis/CATEGORY/Bench%20Grinder')).body as { wikiid: number };
  wikiid = String(page.wikiid);
  disk = newDisk();
  device = await startWholeDevice(() => server.url, disk);
  await device.signIn('Ada');
  await device.inSync();
});
afterEach(async () => {
  await device[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function restart(): Promise<void> {
  await device[Symbol.asyncDispose]();
  device = await startWholeDevice(() => server.url, disk);
}

function form(words: string, page: string | null = wikiid) {
  return {
    typed: { contents: words, displayTitle: 'Grinder' },
    start: { contents: '', displayTitle: 'Grinder' },
    revisionid: 3,
    wikiid: page,
    at: 1_700_000_000_000,
  };
}

function journalText(): string {
  return [...disk.journal.values()].map((bytes) => new TextDecoder('latin1').decode(bytes)).join('\n');
}

test('FORM-1 what was typed into a form is there after the app was closed, until it is forgotten', async () => {
  await device.actions.keepForm('page.1.7', form('Half'));
  await device.actions.keepForm('page.1.7', form('Half a thought'));
  await device.actions.keepForm('profile.1', form('Another'));
  await restart();
  expect(await device.look('unsavedForm', 'page.1.7')).toEqual(form('Half a thought'));
  expect(await device.look('unsavedForm', 'page.1.8')).toBeNull();
  await device.actions.keepForm('page.1.7', null);
  expect(await device.look('unsavedForm', 'page.1.7')).toBeNull();
  await restart();
  expect(await device.look('unsavedForm', 'page.1.7')).toBeNull();
  expect(await device.look('unsavedForm', 'profile.1')).toEqual(form('Another'));
});

const photo = (name: string): File => new File([`bytes of ${name}`], name, { type: 'image/png' });

test('FORM-8 files of a form are there after a restart, and are deleted when the form no longer names them', async () => {
  const [first, second] = [
    await device.actions.keepFormFile(photo('one.png')),
    await device.actions.keepFormFile(photo('two.png')),
  ];
  await device.actions.keepForm('deviation.1.7', { ...form('Bent'), files: [first, second] });
  await restart();
  expect(await device.look('unsavedForm', 'deviation.1.7')).toMatchObject({ files: [first, second] });
  const read = await device.actions.formFile(second);
  expect([read.name, read.type, await read.text()]).toEqual(['two.png', 'image/png', 'bytes of two.png']);
  await device.actions.keepForm('deviation.1.7', { ...form('Bent'), files: [second] });
  await expect(device.actions.formFile(first)).rejects.toMatchObject({ kind: 'missing' });
  await device.actions.keepForm('deviation.1.7', null);
  await expect(device.actions.formFile(second)).rejects.toMatchObject({ kind: 'missing' });
});

test('FORM-1 a form of a page that got its number since is found', async () => {
  await device.actions.keepForm('page.1.tmp:unknown', form('Of another page'));
  const made = await device.actions.createPage('INFO', 'Made here', {
    displayTitle: '',
    description: '',
    contents: 'Text',
  });
  await device.actions.keepForm(`page.1.${made}`, form('Typed before', made));
  await device.inSync();
  const pages = await device.shows((all) => all.some(({ title }) => title === 'Made here'), 'pages', 'INFO');
  const number = pages.find(({ title }) => title === 'Made here')?.wikiid ?? '';
  expect(number).toMatch(/^\d+$/);
  expect(await device.look('unsavedForm', `page.1.${number}`)).toMatchObject(form('Typed before', made));
  await device.actions.keepForm(`page.1.${number}`, form('Typed after', number));
  await device.actions.keepForm(`page.1.${number}`, null);
  expect(await device.look('unsavedForm', `page.1.${made}`)).toBeNull();
});

test('FORM-6 the forms of plans are listed, with the real numbers of their orders', async () => {
  const made = await device.actions.createPage('INFO', 'Made here', {
    displayTitle: '',
    description: '',
    contents: 'Text',
  });
  await device.actions.keepForm(`plan.1.${made}`, form('Typed before', null));
  await device.actions.keepForm('plan.1.new', form('New', null));
  await device.actions.keepForm('page.1.7', form('Another'));
  await device.inSync();
  const pages = await device.shows((all) => all.some(({ title }) => title === 'Made here'), 'pages', 'INFO');
  const number = pages.find(({ title }) => title === 'Made here')?.wikiid ?? '';
  await restart();
  const listed = await device.look('unsavedForms', 'plan.');
  expect(listed.map(({ id }) => id).toSorted()).toEqual([`plan.1.${number}`, 'plan.1.new'].toSorted());
  await device.actions.keepForm('plan.1.new', null);
  expect(await device.look('unsavedForms', 'plan.')).toHaveLength(1);
});

test('FORM-2 unsaved forms belong to their account', async () => {
  await device.actions.keepForm('page.1.7', form('Of Ada'));
  await device.actions.signOut();
  await device.signIn('Ben');
  expect(await device.look('unsavedForm', 'page.1.7')).toBeNull();
  await device.actions.signOut();
  await device.signIn('Ada');
  expect(await device.look('unsavedForm', 'page.1.7')).toEqual(form('Of Ada'));
});

test('FORM-2 LEAVING-7 an unsaved form counts as work when the library is removed, and leaves with it', async () => {
  const word = rareWord();
  await device.actions.keepForm('page.1.7', form(word));
  await expect(device.actions.signOut('remove')).rejects.toMatchObject({ kind: 'invalid' });
  expect(await device.look('unsavedForm', 'page.1.7')).toEqual(form(word));
  await device.actions.signOut('remove-with-work');
  await expect.poll(journalText).not.toContain(word);
});

test('FORM-3 of the form of a page that the person can no longer see, their own words are kept', async () => {
  const word = rareWord();
  const base = rareWord();
  const typed = form(word);
  await device.actions.keepForm('page.1.7', {
    ...typed,
    typed: { ...typed.typed, displayTitle: base },
    start: { ...typed.start, displayTitle: base },
  });
  const { revisionid } = (await ada.call('GET', '/wikis/CATEGORY/Bench%20Grinder')).body as {
    revisionid: number;
  };
  const gone = await ada.call('DELETE', `/wikis/CATEGORY/Bench%20Grinder?revisionid=${revisionid}`);
  expect(gone.status).toBeLessThan(300);
  device.actions.syncNow();
  const [kept] = await device.shows((all) => all.length > 0, 'keptWords');
  expect(kept?.words).toEqual([{ kind: 'field', field: 'contents', text: word }]);
  expect(await device.look('unsavedForm', 'page.1.7')).toBeNull();
  await expect.poll(journalText).not.toContain(base);
});
