import { beforeEach, expect, test } from 'vitest';

import { entryContextOf } from '#desktop/engine/outbox/kinds/work-orders.ts';
import { type FoundFrame, scanSegment } from '#desktop/engine/journal/format.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { decodeBody } from '#desktop/engine/journal/records.ts';
import { readRecord } from '#desktop/engine/outbox/at-rest.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { rareWord } from '#test/support/raw-search.ts';
import { bmpFile } from '#test/support/media-files.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { workshopClient } from '#test/support/workshop.ts';

import { newDisk, serverAddress, type Disk } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';
import { openWholeDevice, startWholeDevice, type WholeDevice } from './support/whole-device.ts';

interface Scene extends AsyncDisposable {
  server: TestServer;
  ada: TestPerson;
  ben: TestPerson;
  words: Record<'title' | 'summary' | 'line', string>;
  guideid: string;
  disk: Disk;
  device: WholeDevice;
  /** Null while there is no way to the server. */
  url: string | null;
}

/** Ben's public guide on a device of Ada, who has changed its conclusion, and whose device is in sync. */
async function startScene(): Promise<Scene> {
  const server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const ben = await server.person('Ben');
  const words = { title: rareWord(), summary: rareWord(), line: rareWord() };
  const made = await ben.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'repair',
      title: words.title,
      summary: words.summary,
      public: true,
      steps: [{ title: 'Open', lines: [{ text: words.line }, { text: 'Second' }] }],
    },
  });
  const guideid = String(made.guideid);
  const scene = { server, ada, ben, words, guideid, disk: newDisk(), url: server.url as string | null };
  const device = await startWholeDevice(() => scene.url, scene.disk);
  await device.signIn('Ada');
  await device.inSync();
  await device.actions.openDraft(guideid);
  await device.actions.editDraft(guideid, { op: 'setText', field: 'conclusion_raw', value: 'Oil it' });
  await device.actions.saveDraft(guideid);
  await device.inSync();
  return Object.assign(scene, {
    device,
    async [Symbol.asyncDispose]() {
      await this.device[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  });
}

async function guideOf({ ben, guideid }: Scene): Promise<Guide> {
  return (await ben.call('GET', `/guides/${guideid}`)).body;
}

async function publish(scene: Scene, on: boolean): Promise<void> {
  const { revisionid } = await guideOf(scene);
  const path = `/guides/${scene.guideid}/public?revisionid=${revisionid}`;
  const { status } = await scene.ben.call(on ? 'PUT' : 'DELETE', path);
  expect(status).toBeLessThan(300);
}

/** Everything in the files of the journal. */
function journalText({ disk }: Scene): string {
  return [...disk.journal.values()].map((bytes) => new TextDecoder('latin1').decode(bytes)).join('\n');
}

function gone({ device, guideid }: Scene): Promise<unknown> {
  return device.shows((guide) => guide === null, 'guide', guideid);
}

/** A guide that only its author sees, with a picture that the device has; the guide, and the picture's key in the cache. */
async function illustrated(
  { server, disk }: Scene,
  person: TestPerson,
): Promise<{ guideid: string; key: string }> {
  const body = bmpFile(8, 6, () => [10, 20, 30]);
  const { media, guides } = workshopClient(server, person);
  const { image } = await media.addImage({ query: { file: 'a.bmp' }, body });
  const made = await guides.create({
    body: { category: 'Bench Grinder', type: 'repair', title: 'Own', public: false, image: image.id },
  });
  const key = `picture:${image.guid}.standard`;
  await disk.media.put(key, new Blob([body]));
  return { guideid: String(made.guideid), key };
}

async function cached({ disk }: Scene): Promise<string[]> {
  return (await disk.media.list()).map(({ key }) => key);
}

async function restart(scene: Scene): Promise<void> {
  await scene.device[Symbol.asyncDispose]();
  scene.device = await startWholeDevice(() => scene.url, scene.disk);
}

let scene: Scene;

beforeEach(async () => {
  scene = await startScene();
  return () => scene[Symbol.asyncDispose]();
});

test('LEAVING-1 a guide made private disappears from views, lists, search and the journal', async () => {
  const { device, words } = scene;
  expect(journalText(scene)).toContain(words.summary);
  await publish(scene, false);
  await gone(scene);
  await device.shows(({ guides }) => guides.length === 0, 'library', { category: null });
  for (const word of Object.values(words)) {
    const found = await device.look('library', { category: null, search: word });
    expect(found.guides).toEqual([]);
    await expect.poll(() => journalText(scene)).not.toContain(word);
  }
  const activity = await device.look('activity');
  expect(JSON.stringify(activity)).not.toContain(words.title);
});

/** The device is closed, and what its journal holds of the calls that were sent is damaged; nobody is on the way to the server. */
async function damageSent(scene: Scene): Promise<void> {
  await scene.device[Symbol.asyncDispose]();
  scene.url = null;
  const { journal: files } = scene.disk;
  const journal = await openJournal(memoryStore({}, files), testEnvironment(fetch, 1));
  await journal.compact();
  await journal.close();
  for (const [name, bytes] of files) {
    const { frames } = scanSegment(bytes, Number(name.slice(-8)));
    const holdsSent = ({ payload }: FoundFrame): boolean => {
      const text = JSON.stringify(decodeBody(payload));
      return text.includes('"id":"sent/') && text.includes('"call":{');
    };
    for (const { at } of frames.filter(holdsSent)) bytes[at + 30] = (bytes[at + 30] ?? 0) ^ 0x11;
  }
  scene.device = await startWholeDevice(() => scene.url, scene.disk);
}

function missingIn({ damage }: { damage: { subjects: string[] } | null }): string[] {
  return damage?.subjects ?? [];
}

test.each([
  ['', () => undefined],
  [' and its databases were lost', (disk: Disk) => (disk.storage = newDisk().storage)],
])(
  'LEAVING-1 work lost to damage is not reported by its title once its guide has left%s',
  async (_, lose) => {
    const { words, server, disk } = scene;
    lose(disk);
    await damageSent(scene);
    expect(missingIn(await scene.device.look('session'))).toEqual([words.title]);
    await publish(scene, false);
    scene.url = server.url;
    scene.device.actions.syncNow();
    await expect.poll(async () => missingIn(await scene.device.look('session'))).toEqual([]);
    await expect.poll(() => journalText(scene)).not.toContain(words.title);
    expect((await scene.device.look('session')).damage).not.toBeNull();
  },
);

test('LEAVING-1 names stored by an earlier version without an owner are removed once the library has loaded', async () => {
  await scene.device[Symbol.asyncDispose]();
  scene.disk.storage = newDisk().storage;
  const journal = await openJournal(memoryStore({}, scene.disk.journal), testEnvironment(fetch, 1));
  const { title } = scene.words;
  const value = { segment: 1, since: null, until: null, subjects: [title], hasCopies: false, isSeen: false };
  await journal.append([{ op: 'put', collection: 'meta', id: 'damage', value }]);
  await journal.close();
  scene.url = null;
  scene.device = await startWholeDevice(() => scene.url, scene.disk);
  expect(missingIn(await scene.device.look('session'))).toEqual([title]);
  scene.url = scene.server.url;
  scene.device.actions.syncNow();
  await expect.poll(async () => missingIn(await scene.device.look('session'))).toEqual([]);
  expect((await scene.device.look('session')).damage).not.toBeNull();
});

test('LEAVING-7 names of damaged records are not shown to others, and are removed with their library', async () => {
  const { words } = scene;
  await damageSent(scene);
  scene.url = scene.server.url;
  expect(missingIn(await scene.device.look('session'))).toEqual([words.title]);
  await scene.device.actions.signOut();
  await scene.device.signIn('Ben');
  expect(await scene.device.look('session')).toMatchObject({ damage: { subjects: [] } });
  await scene.device.actions.signOut();
  expect(journalText(scene)).toContain(words.title);
  await scene.device.signIn('Ada');
  expect(missingIn(await scene.device.look('session'))).toEqual([words.title]);
  await scene.device.inSync();
  await scene.device.actions.signOut('remove');
  expect(journalText(scene)).not.toContain(words.title);
});

test('LEAVING-1 the history of sent comments does not keep the title of a guide that leaves', async () => {
  const { device, words, guideid } = scene;
  const { actions } = device;
  const texts = ['to be changed', 'to be removed'];
  for (const text of texts) await actions.comment('guide', guideid, text);
  await device.inSync();
  const guide = must(await device.look('guide', guideid), 'the guide');
  const [changed, removed] = guide.comments.toSorted((a, b) => a.text.localeCompare(b.text));
  await actions.editComment(must(changed, 'a comment').commentid, 'changed');
  await actions.removeComment(must(removed, 'a comment').commentid);
  await device.inSync();
  await publish(scene, false);
  await gone(scene);
  await expect.poll(() => journalText(scene)).not.toContain(words.title);
  expect(JSON.stringify(await device.look('activity'))).not.toContain(words.title);
});

test("LEAVING-4 a draft and waiting calls of a lost guide leave only the person's own text", async () => {
  const { device, words, guideid, server } = scene;
  scene.url = null;
  device.actions.syncNow();
  await device.shows(({ connection }) => connection === 'offline', 'syncState');
  const { actions } = device;
  await actions.openDraft(guideid);
  await actions.editDraft(guideid, { op: 'setText', field: 'introduction_raw', value: 'Sent by Ada' });
  await actions.saveDraft(guideid);
  const draft = must(await device.look('draft', guideid), 'the draft');
  const [step] = draft.content.steps;
  await actions.editDraft(guideid, {
    op: 'setLineText',
    step: must(step, 'a step').key,
    line: must(step?.lines[1], 'a line').id,
    value: 'Typed by Ada',
  });
  await actions.comment('guide', guideid, 'Said by Ada');
  const order = await actions.startWorkOrder(guideid, 'WO-7');
  await publish(scene, false);
  scene.url = server.url;
  actions.syncNow();
  await gone(scene);

  const kept = await device.shows((one) => one.length === 1 && one[0]?.words.length === 3, 'keptWords');
  expect(kept[0]).toMatchObject({ guideid, isHere: false });
  const { id } = must(kept[0], 'the kept words');
  expect(kept[0]?.words.map(({ text }) => text).toSorted()).toEqual([
    'Said by Ada',
    'Sent by Ada',
    'Typed by Ada',
  ]);
  for (const word of Object.values(words)) await expect.poll(() => journalText(scene)).not.toContain(word);
  expect(journalText(scene)).toContain('Typed by Ada');
  // Work begun while the guide was visible is still taken.
  await device.shows((orders) => orders.some(({ entryid }) => entryid !== order), 'workOrders');
  await device.shows(({ pending, parked }) => pending === 0 && parked === 1, 'syncState');

  const file = await actions.exportKept(id);
  expect(file.json).toContain('Typed by Ada');
  expect(file.json).not.toContain(words.line);
  await actions.discardKept(id);
  await device.shows((one) => one.length === 0, 'keptWords');
  await device.shows(({ parked }) => parked === 0, 'syncState');
});

/** The calls that the journal holds for the server. */
async function waitingIn({ disk }: Scene): Promise<OutboxCall[]> {
  const journal = await openJournal(memoryStore({}, new Map(disk.journal)), testEnvironment(fetch, 1));
  const { outbox } = await journal.entries();
  await journal.close();
  const calls = [...outbox.values()].map((record) => must(readRecord(record), 'a call'));
  return calls.filter(({ state }) => state !== 'done');
}

test('LEAVING-5 other calls about a guide that left keep waiting without base and title, and work orders are accepted', async () => {
  const { device, words, guideid, server } = scene;
  const { actions } = device;
  await actions.startWorkOrder(guideid, 'WO-7');
  await device.inSync();
  const [order] = await device.look('workOrders');
  scene.url = null;
  await actions.moveWorkOrder(must(order, 'the order').entryid, 'pause');
  const begun = await actions.startWorkOrder(guideid, 'WO-8');
  await actions.favorite(guideid, true);
  const withBase = async (): Promise<number> =>
    (await waitingIn(scene)).filter((call) => entryContextOf(call)?.base !== undefined).length;
  expect(await withBase()).toBe(1);
  expect(JSON.stringify(await waitingIn(scene))).toContain(words.title);
  await publish(scene, false);
  await device[Symbol.asyncDispose]();
  let isTaking = false;
  scene.device = await startWholeDevice(
    (path) => (isTaking || path !== '/sync/1/batch' ? server.url : null),
    scene.disk,
  );
  await gone(scene);
  await expect.poll(withBase).toBe(0);
  for (const word of Object.values(words)) await expect.poll(() => journalText(scene)).not.toContain(word);
  expect(await waitingIn(scene)).toHaveLength(3);
  isTaking = true;
  scene.device.actions.syncNow();
  const orders = await scene.device.shows(
    (all) => all.every(({ entryid, pending }) => entryid !== begun && pending === 0),
    'workOrders',
  );
  expect(orders.map(({ workorderid, status }) => `${workorderid} ${status}`).toSorted()).toEqual([
    'WO-7 paused',
    'WO-8 started',
  ]);
});

test('LEAVING-5 a call that was being sent when its guide left, and returns, also waits without base', async () => {
  const { device, guideid, server, disk, words } = scene;
  await device.actions.startWorkOrder(guideid, 'WO-7');
  await device.inSync();
  await device[Symbol.asyncDispose]();
  const begun = Promise.withResolvers<void>();
  const sending = Promise.withResolvers<Response>();
  scene.device = await openWholeDevice((input, init) => {
    const address = (input instanceof Request ? input.url : String(input)).replace(serverAddress, server.url);
    if (new URL(address).pathname !== '/sync/1/batch') return fetch(address, init);
    begun.resolve();
    return sending.promise;
  }, disk);
  const [order] = await scene.device.look('workOrders');
  await scene.device.actions.moveWorkOrder(must(order, 'the order').entryid, 'pause');
  await begun.promise;
  await publish(scene, false);
  await gone(scene);
  // The title stands in what was sent before: when it is gone, all else that left is gone too.
  await expect.poll(() => journalText(scene)).not.toContain(words.title);
  const bases = async (): Promise<unknown[]> =>
    (await waitingIn(scene)).map((call) => entryContextOf(call)?.base?.workorderid);
  expect(await bases()).toEqual(['WO-7']);
  sending.reject(new TypeError('fetch failed'));
  await expect.poll(bases).toEqual([undefined]);
});

test('LEAVING-5 work on an order that another person took over is decided after it left with its guide', async () => {
  const { device, guideid, ben, server } = scene;
  const { actions } = device;
  const begin = { guideid: Number(guideid), workorderid: 'WO-9' };
  const entry: { entryid: number } = (await ben.call('POST', '/work_log', begin)).body;
  const entryid = String(entry.entryid);
  await ben.call('POST', `/work_log/${entryid}/suspend`, {});
  await device.shows((orders) => orders.length === 1, 'workOrders');
  scene.url = null;
  await actions.moveWorkOrder(entryid, 'assume');
  await actions.moveWorkOrder(entryid, 'pause');
  await ben.call('POST', `/work_log/${entryid}/assume`, {});
  scene.url = server.url;
  actions.syncNow();
  await device.shows((order) => order?.frozen === true, 'workOrder', entryid);
  await publish(scene, false);
  await gone(scene);
  await device.shows((order) => order === null, 'workOrder', entryid);
  expect((await actions.exportOrder(entryid)).json).toContain(`/work_log/${entryid}/pause`);
  const own = await actions.saveAsOwnOrder(entryid);
  await expect.poll(async () => (await waitingIn(scene)).map(({ target }) => target.id)).toEqual([own, own]);
});

test('LEAVING-5 calls about a guide that left keep waiting without title, even if the databases were lost', async () => {
  const { ben, device, disk, server } = scene;
  const title = rareWord();
  const { guideid } = await ben.client.guides.create({
    body: { category: 'Bench Grinder', type: 'repair', title, summary: '', public: true },
  });
  const id = String(guideid);
  device.actions.syncNow();
  await device.shows((guide) => guide?.title === title, 'guide', id);
  scene.url = null;
  await device.actions.favorite(id, true);
  await device.actions.complete(id, true);
  await device.actions.comment('guide', id, 'Said by Ada');
  expect(JSON.stringify(await waitingIn(scene))).toContain(title);
  await device[Symbol.asyncDispose]();
  const { revisionid }: Guide = (await ben.call('GET', `/guides/${id}`)).body;
  await ben.call('DELETE', `/guides/${id}/public?revisionid=${revisionid}`);
  disk.storage = newDisk().storage;
  scene.url = server.url;
  scene.device = await startWholeDevice(() => scene.url, disk);
  await expect.poll(() => journalText(scene)).not.toContain(title);
  expect(journalText(scene)).toContain('Said by Ada');
  expect((await waitingIn(scene)).map(({ kind }) => kind)).toEqual(['favorite', 'completion']);
});

test('LEAVING-4 text typed while its guide leaves is kept to the last letter', async () => {
  const { device, guideid } = scene;
  const { actions } = device;
  const edits: Promise<void>[] = [];
  let typed = '';
  const type = (): void => {
    typed += 'abcdefghij'.charAt(typed.length);
    edits.push(actions.editDraft(guideid, { op: 'setText', field: 'introduction_raw', value: typed }));
  };
  await actions.openDraft(guideid);
  type();
  await publish(scene, false);
  // The next letter comes with each step that the words make out of the draft, and the last ones after it is gone.
  await device.shows((kept) => {
    if (kept.length > 0 && typed.length < 6) type();
    return typed.length === 6;
  }, 'keptWords');
  await device.shows((draft) => draft === null, 'draft', guideid);
  while (typed.length < 10) type();
  await Promise.all(edits);
  const words = (await device.look('keptWords')).map((one) => one.words.map(({ text }) => text));
  expect(words).toEqual([[typed]]);
  await restart(scene);
  const read = (await scene.device.look('keptWords')).map((one) => one.words.map(({ text }) => text));
  expect(read).toEqual([[typed]]);
});

test('LEAVING-4 text typed just after its guide left is kept', async () => {
  const { device, guideid } = scene;
  await device.actions.openDraft(guideid);
  await publish(scene, false);
  await device.shows((draft) => draft === null, 'draft', guideid);
  await device.actions.editDraft(guideid, { op: 'setText', field: 'summary', value: 'Typed late' });
  const kept = await device.shows((one) => one.length > 0, 'keptWords');
  expect(kept.map((one) => one.words.map(({ text }) => text))).toEqual([['Typed late']]);
});

test.each<[string, (disk: Disk) => void]>([
  ['journal was', ({ journal }) => journal.clear()],
  ['databases were', (disk) => (disk.storage = newDisk().storage)],
])('LEAVING-4 quarantined text still exists when the %s wiped', async (_, wipe) => {
  const { device, guideid } = scene;
  const wiped = async (): Promise<string[][]> => {
    await scene.device[Symbol.asyncDispose]();
    wipe(scene.disk);
    scene.device = await startWholeDevice(() => scene.url, scene.disk);
    return (await scene.device.look('keptWords')).map(({ words }) => words.map(({ text }) => text));
  };
  await device.actions.openDraft(guideid);
  await device.actions.editDraft(guideid, { op: 'setText', field: 'introduction_raw', value: 'Mine' });
  await publish(scene, false);
  const [kept] = await device.shows((found) => found.length === 1, 'keptWords');
  expect(await wiped()).toEqual([['Mine']]);
  await scene.device.inSync();
  await scene.device.actions.discardKept(must(kept, 'the kept words').id);
  expect(await wiped()).toEqual([]);
});

test('LEAVING-6 when the guide is visible again, the quarantined text becomes a decision between both texts', async () => {
  const { device, guideid, server, ben } = scene;
  const { actions } = device;
  await actions.openDraft(guideid);
  await actions.editDraft(guideid, { op: 'setText', field: 'introduction_raw', value: 'Mine' });
  await publish(scene, false);
  await device.shows((kept) => kept.length === 1, 'keptWords');
  const { revisionid } = await guideOf(scene);
  await ben.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { introduction: 'Theirs' });
  await publish(scene, true);

  const conflicts = await device.shows((found) => found !== null, 'conflict', guideid);
  const [conflict, ...others] = must(conflicts, 'the conflicts').conflicts;
  expect(others).toEqual([]);
  expect(JSON.stringify(conflict)).toContain('Mine');
  expect(JSON.stringify(conflict)).toContain('Theirs');
  expect((await device.look('syncState')).conflicts).toBe(1);
  expect((await guideOf(scene)).introduction_raw).toBe('Theirs');
  await device.shows((kept) => kept.length === 0, 'keptWords');

  await actions.resolveConflict(guideid, must(conflict, 'a conflict').conflictid, { take: 'mine' });
  await expect.poll(async () => (await guideOf(scene)).introduction_raw).toBe('Mine');
  expect(server).toBeDefined();
});

test('LEAVING-1 cached files of a guide that left are deleted at the next start if that was interrupted', async () => {
  await illustrated(scene, scene.ben);
  await restart(scene);
  const cut = Promise.withResolvers<void>();
  const { media } = scene.disk;
  const remove = media.remove.bind(media);
  media.remove = async () => {
    cut.resolve();
    throw new Error('The app ended');
  };
  await publish(scene, false);
  await cut.promise;
  media.remove = remove;
  await restart(scene);
  await expect.poll(() => cached(scene)).toEqual([]);
});

test('LEAVING-1 cached files that another home on the device uses stay when a guide leaves', async () => {
  const { device, server, ada, ben } = scene;
  const own = await illustrated(scene, ada);
  const strange = await illustrated(scene, ben);
  await device.shows((guide) => guide !== null, 'guide', own.guideid);
  await device.actions.signOut();
  await restart(scene);
  await server.person('Cem');
  await scene.device.signIn('Cem');
  await scene.device.inSync();
  await publish(scene, false);
  await expect.poll(() => cached(scene)).not.toContain(strange.key);
  expect(await cached(scene)).toContain(own.key);
});
