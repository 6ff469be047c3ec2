import { Buffer } from 'node:buffer';

import { describe, expect, test } from 'vitest';

import { openCore } from '#desktop/engine/open-core.ts';
import { must } from '#shared/must.ts';
import { rareWord } from '#test/support/raw-search.ts';
import { onlySigningIn } from '#test/support/stand-in-server/stand-in-server.ts';

import { callsOf, commentOn, newDisk, platformOn, serverAddress } from '../support/device.ts';
import { testEnvironment } from '../support/environment.ts';
import { oldAddress, openWorkshop, signIn, type Workshop } from './network.ts';

const changed = {
  kind: 'conflict',
  message: 'The signed-in account changed. Start again.',
};

/** A picture whose bytes are available after `release`. */
function slowPicture(word: string): { file: File; asked: Promise<void>; release: () => void } {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const head = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10', 'latin1');
  const file = new File([head, word], 'switch.png', { type: 'image/png' });
  const read = file.arrayBuffer.bind(file);
  file.arrayBuffer = async () => {
    asked.resolve();
    await released.promise;
    return read();
  };
  return { file, asked: asked.promise, release: released.resolve };
}

/** Ben takes over the device from Ana and opens the draft of the same guide. */
async function benComes(workshop: Workshop): Promise<void> {
  const { device, guideid } = workshop;
  await device.actions.signOut();
  await signIn(workshop, oldAddress, 'Ben');
  await device.inSync();
  await device.actions.openDraft(guideid);
}

function diskHolds({ disk }: Workshop, word: string): boolean {
  return [...disk.journal.values()].some((bytes) => Buffer.from(bytes).includes(word));
}

describe('an action that outlives its session', () => {
  test('ACCOUNT-11 a picture for a draft is added neither to the draft nor to the work of the next person', async () => {
    await using workshop = await openWorkshop();
    const { device, guideid, server } = workshop;
    await server.person('Ben');
    const word = rareWord();
    const picture = slowPicture(word);
    await device.actions.openDraft(guideid);
    const step = must((await device.look('draft', guideid))?.content.steps[0], 'a step').key;
    const adding = device.actions.addDraftPicture(guideid, step, picture.file, picture.file.name);
    const outcome = expect(adding).rejects.toMatchObject(changed);
    await picture.asked;
    await benComes(workshop);
    picture.release();
    await outcome;
    expect((await device.look('syncState')).pending).toBe(0);
    expect((await device.look('draft', guideid))?.dirty).toBe(false);
    expect(diskHolds(workshop, word)).toBe(false);
  });

  test('ACCOUNT-11 a late refusal of a token ends only the session of its own person', async () => {
    await using workshop = await openWorkshop();
    const { device, network, server } = workshop;
    await server.person('Ben');
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    network.put(oldAddress, async (path, init) => {
      if (path.includes('/courses')) {
        asked.resolve();
        await released.promise;
      }
      return fetch(`${server.url}${path}`, init);
    });
    const listing = device.actions.listCourses();
    const outcome = expect(listing).rejects.toMatchObject({ kind: 'unauthorized' });
    await asked.promise;
    await benComes(workshop);
    released.resolve();
    await outcome;
    expect(await device.look('session')).toMatchObject({ status: 'signed-in', user: { username: 'Ben' } });
  });

  test('ACCOUNT-11 text typed during a sign-out is in the draft at the next sign-in', async () => {
    await using workshop = await openWorkshop();
    const { device, network, server, guideid } = workshop;
    await device.actions.openDraft(guideid);
    const word = rareWord();
    let typing = Promise.resolve();
    network.put(oldAddress, async (path, init) => {
      if (path.includes('/user/token') && init?.method === 'DELETE') {
        typing = device.actions.editDraft(guideid, { op: 'setText', field: 'title', value: word });
        await device.shows((draft) => draft?.content.title === word, 'draft', guideid);
      }
      return fetch(`${server.url}${path}`, init);
    });
    await device.actions.signOut();
    await typing;
    await signIn(workshop, oldAddress);
    const isTyped = (draft: { content: { title: string } } | null): boolean => draft?.content.title === word;
    await workshop.device.shows(isTyped, 'draft', guideid);
  });
});

test('ACCOUNT-12 the previous session is restored when the home of the next person cannot be opened', async () => {
  await using workshop = await openWorkshop();
  const { device, disk, server, guideid } = workshop;
  await server.person('Ben');
  const homeOfAna = must((await device.look('session')).home, 'the home of Ana');
  const create = disk.storage.createStorageInstance.bind(disk.storage);
  disk.storage.createStorageInstance = (instance) =>
    instance.databaseName.startsWith(homeOfAna)
      ? create(instance)
      : Promise.reject(new Error('The disk failed'));
  await expect(signIn(workshop, oldAddress, 'Ben')).rejects.toThrow();
  disk.storage.createStorageInstance = create;
  expect(await device.look('session')).toMatchObject({ status: 'signed-in', user: { username: 'Ana' } });
  await device.actions.comment('guide', guideid, 'Of Ana');
  await device.inSync();
  await signIn(workshop, oldAddress, 'Ben');
  expect(await device.look('session')).toMatchObject({ status: 'signed-in', user: { username: 'Ben' } });
});

test('ACCOUNT-12 the person signs in if the session cannot be restored', async () => {
  await using workshop = await openWorkshop();
  const { device, disk, server } = workshop;
  await server.person('Ben');
  const create = disk.storage.createStorageInstance.bind(disk.storage);
  disk.storage.createStorageInstance = () => Promise.reject(new Error('The disk failed'));
  const isRefused = async (name: string): Promise<void> => {
    await expect(signIn(workshop, oldAddress, name)).rejects.toThrow();
    expect(await device.look('session')).toMatchObject({ status: 'signed-out', user: null, home: null });
  };
  await isRefused('Ben');
  const tokens = () => new Map([...disk.secrets].filter(([name]) => name.startsWith('token')));
  const before = tokens();
  // The returned token must not replace the valid one.
  await isRefused('Ana');
  expect(tokens()).toEqual(before);
  disk.storage.createStorageInstance = create;
  await workshop.restart();
  expect(await workshop.device.look('session')).toMatchObject({
    status: 'signed-in',
    user: { username: 'Ana' },
  });
});

test('ACCOUNT-12 the person signs in if the session cannot be restored because their home could not be closed', async () => {
  await using workshop = await openWorkshop();
  const { disk, server } = workshop;
  await server.person('Ben');
  const create = disk.storage.createStorageInstance.bind(disk.storage);
  let fails = false;
  disk.storage.createStorageInstance = async (parameters) => {
    const instance = await create(parameters);
    const close = instance.close.bind(instance);
    instance.close = async () => {
      await close();
      if (fails && parameters.collectionName === '_rxdb_internal') throw new Error('The disk failed');
    };
    return instance;
  };
  await workshop.restart();
  fails = true;
  await expect(signIn(workshop, oldAddress, 'Ben')).rejects.toThrow('The disk failed');
  fails = false;
  expect(await workshop.device.look('session')).toMatchObject({ status: 'signed-out', user: null });
  await signIn(workshop, oldAddress, 'Ben');
  expect(await workshop.device.look('session')).toMatchObject({
    status: 'signed-in',
    user: { username: 'Ben' },
  });
});

test('ACCOUNT-11 data held for one home is not used for another', async () => {
  const environment = testEnvironment(onlySigningIn().fetch);
  const { core, close } = await openCore(platformOn(newDisk(), environment));
  await core.session.signIn(serverAddress, { email: 'ada', password: 'secret' });
  const held = core.held();
  await held.outbox.add([commentOn('7', 'Of Ada')]);
  expect(core.held()).toBe(held);
  await core.session.signIn(serverAddress, { email: 'ben', password: 'secret' });
  const uses = [
    () => held.outbox.add([commentOn('7', 'Of Ada')]),
    () => held.outbox.present(),
    () => held.mirror.get('guides', '7'),
    () => held.drafts.put('7', {}),
    () => held.drafts.own(),
    () => held.leaving.keep([]),
    () => held.work.take([]),
    () => held.request('/api/2.0/user'),
  ];
  for (const use of uses) await expect((async () => use())()).rejects.toMatchObject(changed);
  expect(await callsOf({ core, environment, close })).toEqual([]);
  await close();
});
