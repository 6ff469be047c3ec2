import { expect, test } from 'vitest';

import { deviceCipher, type Cipher } from '#desktop/engine/platform/cipher.ts';
import { openDatabase } from '#desktop/engine/storage/database.ts';
import { must } from '#shared/must.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { type Disk, newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

const randomBytes = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));
const newCipher = (): Cipher => deviceCipher(randomBytes(32), randomBytes);

interface Scene extends AsyncDisposable {
  server: TestServer;
  ada: TestPerson;
  guideid: string;
  disk: Disk;
  /** Starts the app, without a network unless `isOnline`. */
  start(isOnline?: boolean): Promise<WholeDevice>;
}

/** A device with encryption, on which Ada is signed in. */
async function signedIn(disk: Disk): Promise<Scene> {
  const server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const guideid = String((await makeGuide(ada)).guideid);
  const start = (isOnline = false): Promise<WholeDevice> =>
    startWholeDevice(() => (isOnline ? server.url : null), disk);
  await using device = await start(true);
  await device.signIn('Ada');
  await device.inSync();
  const stop = async (): Promise<void> => server[Symbol.asyncDispose]();
  return { server, ada, guideid, disk, start, [Symbol.asyncDispose]: stop };
}

/** Leaves a comment and a draft. */
async function work(device: WholeDevice, guideid: string, word: string): Promise<void> {
  await device.actions.comment('guide', guideid, word);
  await device.actions.openDraft(guideid);
  await device.actions.editDraft(guideid, { op: 'setText', field: 'title', value: word });
}

async function titleOf(device: WholeDevice, guideid: string): Promise<string | undefined> {
  return (await device.look('draft', guideid))?.content.title;
}

async function commentsOn({ ada, guideid }: Scene): Promise<string[]> {
  const { body } = await ada.call('GET', `/comments/guide/${guideid}`);
  return (body as { text_raw: string }[]).map(({ text_raw: text }) => text).toSorted();
}

test('CIPHER-6 a device that starts empty under a new key opens, and the work set aside opens again with its own key', async () => {
  await using scene = await signedIn({ ...newDisk(), cipher: newCipher() });
  const { disk, guideid } = scene;
  {
    await using device = await scene.start();
    await work(device, guideid, 'Set aside');
  }
  // "Start empty": the key and the journals move away, the databases stay.
  const aside = { journal: disk.journal, cipher: must(disk.cipher, 'a cipher') };
  disk.journal = new Map();
  disk.cipher = newCipher();
  {
    await using device = await scene.start(true);
    expect(await device.look('session')).toMatchObject({ status: 'signed-out', loss: null });
    await device.signIn('Ada');
    await device.inSync();
    expect((await device.look('syncState')).trouble).toBeNull();
    expect(await device.look('activity')).toEqual([]);
    expect(await titleOf(device, guideid)).not.toBe('Set aside');
    await device.actions.discardDraft(guideid).catch(() => undefined);
  }
  {
    await using device = await scene.start();
    await work(device, guideid, 'Afterwards');
  }
  {
    await using device = await scene.start(true);
    expect(await titleOf(device, guideid)).toBe('Afterwards');
    await device.inSync();
    expect(await commentsOn(scene)).toEqual(['Afterwards']);
  }
  Object.assign(disk, aside);
  await using device = await scene.start(true);
  expect(await titleOf(device, guideid)).toBe('Set aside');
  if ((await device.look('session')).status === 'expired') await device.signIn('Ada');
  await device.inSync();
  expect(await commentsOn(scene)).toEqual(['Afterwards', 'Set aside']);
});

test('CIPHER-4 a profile of before encryption keeps its work, and then has nothing clear', async () => {
  await using scene = await signedIn(newDisk());
  const { disk, guideid } = scene;
  {
    await using device = await scene.start();
    await work(device, guideid, 'Before');
  }
  disk.cipher = newCipher();
  for (let start = 0; start < 3; start += 1) {
    await using device = await scene.start();
    expect(await device.look('session')).toMatchObject({ user: { username: 'Ada' }, loss: null });
    expect(await device.look('activity')).toHaveLength(1);
    expect(await titleOf(device, guideid)).toBe('Before');
  }
  expect([...disk.secrets].filter(([, text]) => !text.startsWith('sealed:'))).toEqual([]);
  await using device = await scene.start(true);
  await device.inSync();
  expect(await commentsOn(scene)).toEqual(['Before']);
});

test('CIPHER-4 an encryption that a full disk postpones keeps the session, and continues when there is space', async () => {
  await using scene = await signedIn(newDisk());
  const { disk } = scene;
  disk.cipher = newCipher();
  const { secrets } = disk;
  const set = secrets.set.bind(secrets);
  secrets.set = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  for (const isFull of [true, true, false, false]) {
    if (!isFull) secrets.set = set;
    await using device = await scene.start();
    const { user, status, loss } = await device.look('session');
    expect([user?.username, status, loss]).toEqual(['Ada', 'signed-in', null]);
  }
  expect([...secrets].filter(([, text]) => !text.startsWith('sealed:'))).toEqual([]);
});

test('CIPHER-5 a session and a token that were planted without the key sign nobody in', async () => {
  await using scene = await signedIn({ ...newDisk(), cipher: newCipher() });
  const { disk, guideid } = scene;
  const clear = newDisk();
  {
    // What somebody else can make of a profile of their own.
    await using device = await startWholeDevice(() => scene.server.url, clear);
    await device.signIn('Ada');
    await device.inSync();
  }
  {
    await using device = await scene.start(true);
    await device.actions.signOut();
  }
  for (const suffix of ['', '-sealed'])
    for (const [name, text] of clear.secrets) {
      disk.secrets.delete(name + (suffix === '' ? '-sealed' : ''));
      disk.secrets.set(name + suffix, text);
    }
  await using device = await scene.start();
  expect(await device.look('session')).toMatchObject({ status: 'signed-out', user: null });
  expect(await titleOf(device, guideid)).toBeUndefined();
});

test('CIPHER-5 a call that was planted in the database without the key is shown as unreadable, and not sent', async () => {
  await using scene = await signedIn({ ...newDisk(), cipher: newCipher() });
  const { disk, guideid } = scene;
  {
    await using device = await scene.start();
    await device.actions.comment('guide', guideid, 'Genuine');
  }
  const home = [...disk.storage.collectionStates.keys()]
    .map((name) => /benchbook-[0-9a-f]{20}/.exec(name)?.[0])
    .find((name) => name !== undefined);
  // A call as a version without encryption would store it.
  const database = await openDatabase(must(home, 'a home'), disk.storage, false);
  const forged = { id: 'forged', userid: 1, kind: 'comment-add', lane: 'x', method: 'POST', version: 1 };
  const call = {
    ...forged,
    path: `/comments/guide/${guideid}`,
    body: { text: 'Forged' },
    target: { collection: 'comments', id: 'new' },
    state: 'queued',
  };
  await database.outbox.insert({ id: 'forged', body: JSON.stringify(call) });
  await database.close();
  await using device = await scene.start(true);
  const shown = await device.look('activity');
  const forgery = shown.find(({ id }) => id === 'forged');
  expect(forgery).toMatchObject({ state: 'parked', isUnreadable: true });
  const isSent = ({ id, state }: { id: string; state: string }): boolean =>
    id !== 'forged' && state === 'on-the-server';
  await device.shows((items) => items.some(isSent), 'activity');
  expect(await commentsOn(scene)).toEqual(['Genuine']);
});
