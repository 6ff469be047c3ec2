import { beforeEach, expect, test } from 'vitest';

import { type FoundFrame, scanSegment } from '#desktop/engine/journal/format.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { decodeBody } from '#desktop/engine/journal/records.ts';
import { must } from '#shared/must.ts';
import { bmpFile } from '#test/support/media-files.ts';
import type { TestPerson } from '#test/support/server.ts';
import { workshopClient } from '#test/support/workshop.ts';

import { newDisk, type Disk } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';
import { startWholeDevice } from './support/whole-device.ts';
import { type Scene, gone, journalText, publish, restart, startScene } from './leaving-scene.ts';

/** A private guide with a picture stored on the device; returns the guide and the key of the picture in the cache. */
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

/** Closes the device and damages the sent calls in its journal; the device is offline afterwards. */
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
