import type { RxStorageInstance } from 'rxdb';
import { expect, test } from 'vitest';

import { openCore } from '#desktop/engine/open-core.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';
import { inSync, newDisk, platformOn, signIn, startDevice, syncState } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';

type Storage = Platform['storage'];
type Change = <T>(instance: RxStorageInstance<T, unknown, unknown>) => void;

/** `storage` with a change applied to each new instance. */
function changed(storage: Storage, change: Change): Storage {
  return {
    ...storage,
    createStorageInstance: async (params) => {
      const instance = await storage.createStorageInstance(params);
      change(instance);
      return instance;
    },
  };
}

/** Makes reading the checkpoint of the mirror fail while `isBroken`; syncing needs it to start. */
function unreadablePlace(isBroken: () => boolean): Change {
  return (instance) => {
    const find = instance.findDocumentsById.bind(instance);
    instance.findDocumentsById = async (ids, withDeleted) => {
      if (isBroken() && ids.includes('mirror')) throw new Error('The place cannot be read');
      return find(ids, withDeleted);
    };
  };
}

test('OUTBOX-27 syncing that cannot start is retried automatically, and the warning then ends', async () => {
  const server = new StandInServer();
  const disk = newDisk();
  const first = await startDevice(server, disk);
  await signIn(first);
  await inSync(first);
  await first.close();
  let isBroken = true;
  const environment = testEnvironment(server.fetch);
  const platform = platformOn(disk, environment);
  const { core, close } = await openCore({
    ...platform,
    storage: changed(
      platform.storage,
      unreadablePlace(() => isBroken),
    ),
  });
  const device = endsWithTest({ core, environment, close });
  await syncState(device, ({ trouble }) => trouble !== null);
  server.put('guides', '1', { guideid: 1, title: 'One', revisionid: 1, steps: [] });
  isBroken = false;
  await syncState(device, ({ trouble }) => trouble === null);
  await expect.poll(async () => (await core.mirror.get('guides', '1'))?.facts).toBeDefined();
});

test('LEAVING-2 a home that cannot be opened is released, and the first error is reported', async () => {
  const disk = newDisk();
  const environment = testEnvironment(new StandInServer().fetch);
  const platform = platformOn(disk, environment);
  let homesOpen = 0;
  let isBroken = false;
  const { core, close } = await openCore({
    ...platform,
    storage: changed(platform.storage, (instance) => {
      const closeInstance = instance.close.bind(instance);
      // Collections left open would affect later tests.
      instance.close = async () => {
        await closeInstance();
        if (isBroken && instance.collectionName === '_rxdb_internal')
          throw new Error('The database cannot be closed');
      };
    }),
    sit: async (_, alone) => {
      await alone();
      homesOpen += 1;
      return () => void (homesOpen -= 1);
    },
    lock: (name, run) => {
      if (!name.startsWith('drafts/')) return platform.lock(name, run);
      isBroken = true;
      return Promise.reject(new Error('The drafts cannot be opened'));
    },
  });
  const device = endsWithTest({ core, environment, close });
  await expect(signIn(device)).rejects.toThrow('The drafts cannot be opened');
  expect(homesOpen).toBe(0);
});
