import { beforeEach, expect, onTestFinished, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { must } from '#shared/must.ts';
import { rareWord } from '#test/support/raw-search.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

import { testEnvironment } from './support/environment.ts';
import { newDisk, serverAddress, type Disk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

interface Scene extends AsyncDisposable {
  server: TestServer;
  disk: Disk;
  device: WholeDevice;
  guideid: string;
  word: string;
  /** Null while offline. */
  url: string | null;
}

let scene: Scene;

beforeEach(async () => {
  const server = await startServer();
  await server.category('Bench Grinder');
  await server.person('Ada');
  const ben = await server.person('Ben');
  const word = rareWord();
  const { guideid } = await ben.client.guides.create({
    body: { category: 'Bench Grinder', type: 'repair', title: 'Belt', summary: word, public: true },
  });
  const disk = newDisk();
  const made = { server, disk, word, guideid: String(guideid), url: server.url as string | null };
  const device = await startWholeDevice(() => made.url, disk);
  scene = Object.assign(made, {
    device,
    async [Symbol.asyncDispose]() {
      await scene.device[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  });
  return () => scene[Symbol.asyncDispose]();
});

/** Signs in, and saves a change that the server accepts. */
async function work(name: string, text: string): Promise<void> {
  const { device, guideid } = scene;
  await device.signIn(name);
  await device.inSync();
  await edit(text);
  await device.inSync();
  await device.shows((draft) => draft?.dirty !== true, 'draft', guideid);
  expect(journalText()).toContain(text);
}

async function edit(text: string): Promise<void> {
  const { device, guideid } = scene;
  await device.actions.openDraft(guideid);
  await device.actions.editDraft(guideid, { op: 'setText', field: 'conclusion_raw', value: text });
  await device.actions.saveDraft(guideid);
}

/** All files of the journal, and the secrets. */
function journalText(): string {
  const files = [...scene.disk.journal.values()].map((bytes) => new TextDecoder('latin1').decode(bytes));
  return [...files, ...scene.disk.secrets.values()].join('\n');
}

async function restart(): Promise<void> {
  await scene.device[Symbol.asyncDispose]();
  scene.device = await startWholeDevice(() => scene.url, scene.disk);
}

test('LEAVING-7 signing out keeps the library unless the person removes it', async () => {
  const own = rareWord();
  await work('Ada', own);
  await scene.device.actions.signOut();
  expect(journalText()).toContain(own);
  scene.url = null;
  await scene.device.look('session');
});

test('LEAVING-7 a removed library leaves no journal, secrets or registry entry behind', async () => {
  const own = rareWord();
  await work('Ada', own);
  await scene.device.actions.supportLog();
  const event = `"home":"${must((await scene.device.look('session')).home, 'the home')}","what":"signed-in"`;
  expect(journalText()).toContain(event);
  await scene.device.actions.signOut('remove');
  expect(await scene.device.look('session')).toMatchObject({ status: 'signed-out', elsewhere: [] });
  const text = journalText();
  for (const one of [own, scene.word, 'Ada', '"token', event]) expect(text).not.toContain(one);
  await restart();
  expect(await scene.device.look('session')).toMatchObject({ status: 'signed-out', elsewhere: [] });
});

test('LEAVING-7 only the library of the account that signs out is removed', async () => {
  const [ada, ben] = [rareWord(), rareWord()];
  await work('Ada', ada);
  await scene.device.actions.signOut();
  await work('Ben', ben);
  await scene.device.actions.signOut('remove');
  expect(journalText()).not.toContain(ben);
  expect(journalText()).toContain(ada);
  await scene.device.signIn('Ada');
  await scene.device.inSync();
  const isBens = (guide: { conclusionHtml: string } | null): boolean =>
    guide?.conclusionHtml.includes(ben) === true;
  await scene.device.shows(isBens, 'guide', scene.guideid);
});

test('LEAVING-7 a prepared decision stays at sign-out, is not shown to others, and is removed with its library', async () => {
  const { device } = scene;
  const comment = rareWord();
  await device.signIn('Ada');
  await device.actions.prepareDecision(9, { decision: 'reject', comment });
  await device.actions.signOut();
  await device.signIn('Ben');
  expect(await device.look('preparedDecisions')).toEqual(new Map());
  await device.actions.signOut();
  await restart();
  await scene.device.signIn('Ada');
  expect(await scene.device.look('preparedDecisions')).toEqual(
    new Map([[9, { decision: 'reject', comment }]]),
  );
  expect(await scene.device.actions.exportWaiting('Waiting work')).toEqual({ calls: 0, drafts: 0, left: 1 });
  await expect(scene.device.actions.signOut('remove')).rejects.toMatchObject({
    kind: 'invalid',
    message: '1 change is on this device only. Save, send or export your work first.',
  });
  expect(journalText()).toContain(comment);
  await scene.device.actions.signOut('remove-with-work');
  expect(journalText()).not.toContain(comment);
});

test('LEAVING-7 a decision stored by an earlier version is used unless one is prepared here', async () => {
  const { device } = scene;
  await device.signIn('Ada');
  await device.actions.prepareDecision(9, { decision: 'reject', comment: 'Of now' });
  await device.actions.adoptDecisions(
    new Map([
      [8, { decision: 'reject', comment: 'Of before' }],
      [9, { decision: 'reject', comment: 'Of before' }],
    ]),
  );
  const comments = [...(await device.look('preparedDecisions'))].map(([id, { comment }]) => [id, comment]);
  expect(new Map(comments as [number, string][])).toEqual(
    new Map([
      [8, 'Of before'],
      [9, 'Of now'],
    ]),
  );
});

test('LEAVING-7 a library with unsent work is removed only when the person confirms it', async () => {
  const { device } = scene;
  await work('Ada', rareWord());
  scene.url = null;
  const waiting = rareWord();
  await edit(waiting);
  await expect(device.actions.signOut('remove')).rejects.toMatchObject({
    kind: 'invalid',
    message: '1 change is on this device only. Save, send or export your work first.',
  });
  expect(await device.look('session')).toMatchObject({ status: 'signed-in' });
  expect(journalText()).toContain(waiting);
  await device.actions.signOut('remove-with-work');
  expect(journalText()).not.toContain(waiting);
  expect(await device.look('session')).toMatchObject({ status: 'signed-out', elsewhere: [] });
});

test('LEAVING-7 an interrupted removal is finished at the next start', async () => {
  const own = rareWord();
  await work('Ada', own);
  const { secrets } = scene.disk;
  const set = secrets.set.bind(secrets);
  secrets.set = (name, value) => {
    if (name === 'homes') throw new Error('The disk failed');
    return set(name, value);
  };
  await expect(scene.device.actions.signOut('remove')).rejects.toThrow('The disk failed');
  secrets.set = set;
  expect(journalText()).toContain('Ada');
  await restart();
  await expect.poll(() => journalText()).not.toContain(own);
  expect(journalText()).not.toContain('Ada');
  await scene.device.signIn('Ada');
  await scene.device.inSync();
});

test('LEAVING-7 a draft stored by another tab keeps a library that is to be removed', async () => {
  const { device, guideid } = scene;
  await device.signIn('Ada');
  await device.inSync();
  const home = must((await device.look('session')).home, 'the home');
  const word = rareWord();
  await device.actions.openDraft(guideid);
  await device.actions.editDraft(guideid, { op: 'setText', field: 'conclusion_raw', value: word });
  await expect(device.actions.signOut('remove')).rejects.toMatchObject({ kind: 'invalid' });
  await device.actions.signOut();
  await device[Symbol.asyncDispose]();
  // As if that tab had stored it after the person was asked.
  const journal = await openJournal(memoryStore({}, scene.disk.journal), testEnvironment(fetch));
  const value = { origin: serverAddress, userid: 1, withWork: false };
  await journal.append([{ op: 'put', collection: 'meta', id: `removing/${home}`, value }]);
  await journal.close();
  scene.device = await startWholeDevice(() => scene.url, scene.disk);
  await scene.device.signIn('Ada');
  const isThere = (draft: { content: { conclusion_raw: string } } | null): boolean =>
    draft?.content.conclusion_raw === word;
  await scene.device.shows(isThere, 'draft', guideid);
});

test('LEAVING-7 signing out waits until the draft of an accepted save is cleaned up', async () => {
  const { device, server } = scene;
  const cleaning = holdCleaning(scene.disk);
  await device.signIn('Ada');
  await device.inSync();
  await edit(rareWord());
  await cleaning.begun;
  const rejected: unknown[] = [];
  const note = (error: unknown): void => void rejected.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const leaving = device.actions.signOut();
  // A sign-out that does not wait would finish during these requests.
  for (let asked = 0; asked < 10; asked += 1) await fetch(`${server.url}/api/2.0/site`);
  cleaning.release();
  await leaving;
  await restart();
  expect(rejected).toEqual([]);
  await scene.device.signIn('Ada');
  expect(await scene.device.look('draft', scene.guideid)).toBeNull();
});

/** Blocks the database at the first removal of a draft. */
function holdCleaning({ storage }: Disk): { begun: Promise<void>; release: () => void } {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const create = storage.createStorageInstance.bind(storage);
  storage.createStorageInstance = async (parameters) => {
    const instance = await create(parameters);
    if (parameters.collectionName !== 'drafts') return instance;
    const write = instance.bulkWrite.bind(instance);
    instance.bulkWrite = async (rows, reason) => {
      if (rows.some(({ document }) => document._deleted)) {
        begun.resolve();
        await released.promise;
      }
      return write(rows, reason);
    };
    return instance;
  };
  return { begun: begun.promise, release: released.resolve };
}
