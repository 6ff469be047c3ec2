import { describe, expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { must } from '#shared/must.ts';
import { startServer } from '#test/support/server.ts';

import { testEnvironment } from '../support/environment.ts';
import {
  type Workshop,
  asBefore,
  elsewhere,
  forgetHomes,
  leaveWork,
  newAddress,
  oldAddress,
  openWorkshop,
  signIn,
  work,
} from './network.ts';

describe('homes of earlier versions', () => {
  /** Waiting work in a profile that an earlier version of the app stored, for an older server. */
  async function earlier(options: { origins?: string[] } = {}): Promise<Workshop> {
    const workshop = await openWorkshop({ ...options, before: true });
    await leaveWork(workshop);
    await workshop.restart(() => forgetHomes(workshop.disk, workshop.ana.userid));
    expect((await workshop.device.look('activity')).length).toBeGreaterThan(2);
    const draft = await workshop.device.shows((found) => found !== null, 'draft', workshop.guideid);
    expect(draft?.content.title).toBe('Another title');
    return workshop;
  }

  test('ACCOUNT-7 open offline, and are bound at the first contact under their token', async () => {
    await using workshop = await earlier();
    const { network, server } = workshop;
    network.put(oldAddress, server.url);
    await workshop.device.inSync();
    expect(await workshop.comments()).toEqual(work);
    await using other = await startServer();
    await other.person('Ana');
    await workshop.restart(() => network.put(oldAddress, other.url));
    await workshop.device.shows(({ trouble }) => /another server/.test(trouble ?? ''), 'syncState');
  });

  test('ACCOUNT-7 ACCOUNT-8 keep working with a server that has no identity yet', async () => {
    await using workshop = await earlier();
    workshop.network.put(oldAddress, asBefore(workshop.server.url));
    await workshop.device.inSync();
    expect(await workshop.comments()).toEqual(work);
  });

  test('ACCOUNT-7 are bound by their history when the token has ended', async () => {
    await using workshop = await earlier();
    const { network, server } = workshop;
    await workshop.ana.call('PATCH', `/users/${workshop.ana.userid}`, { username: 'Ana Ruiz' });
    await server.services.storage.write({ userid: null, name: 'Test', action: 'test' }, (tx) =>
      tx.deleteFrom('tokens').execute(),
    );
    network.put(oldAddress, server.url);
    await workshop.device.shows(({ status }) => status === 'expired', 'session');
    expect(await workshop.comments()).toEqual([]);
    await signIn(workshop, oldAddress);
    await workshop.device.inSync();
    expect(await workshop.comments()).toEqual(work);
  });

  test('ACCOUNT-7 follow their server to a new address that it proves, when it knows their history', async () => {
    await using workshop = await earlier({ origins: [newAddress] });
    workshop.network.put(newAddress, workshop.server.url);
    await signIn(workshop, newAddress);
    await workshop.device.inSync();
    expect(await workshop.comments()).toEqual(work);
    expect(await elsewhere(workshop)).toEqual([]);
  });

  for (const name of ['Ben', 'Ana'])
    test(`ACCOUNT-7 OUTBOX-13 are not opened for ${name} with the same number on another server`, async () => {
      await using workshop = await earlier();
      await using other = await startServer();
      expect((await other.person(name)).userid).toBe(workshop.ana.userid);
      await other.category('Bench Grinder');
      workshop.network.put(oldAddress, other.url);
      await workshop.device.shows(({ status }) => status === 'expired', 'session');
      await signIn(workshop, oldAddress, name);
      await workshop.device.inSync();
      expect(workshop.network.hasHeard(oldAddress, 'Mind the belt')).toBe(false);
      expect(await elsewhere(workshop)).toEqual([{ server: oldAddress, username: 'Ana', changes: 4 }]);
    });

  test('ACCOUNT-2 of signed-out people are found too', async () => {
    await using workshop = await openWorkshop({ before: true });
    await leaveWork(workshop);
    await workshop.device.actions.signOut();
    await workshop.server.person('Ben');
    workshop.network.put(oldAddress, asBefore(workshop.server.url));
    await signIn(workshop, oldAddress, 'Ben');
    await workshop.restart(() => forgetHomes(workshop.disk, 2));
    expect(await elsewhere(workshop)).toEqual([{ server: oldAddress, username: '', changes: 4 }]);
  });
});

test('ACCOUNT-9 work of a newer version and quarantined text count too', async () => {
  await using workshop = await openWorkshop();
  const waiting = await leaveWork(workshop);
  await workshop.device.actions.signOut();
  await workshop.restart(async () => {
    const journal = await openJournal(memoryStore({}, workshop.disk.journal), testEnvironment(fetch));
    const { meta, outbox } = await journal.entries();
    const [{ home }] = meta.get('homes') as [{ home: string }];
    const [call] = outbox.keys();
    const kept = { version: 1, collection: 'guides', recordid: '9', isOnServer: false };
    await journal.append([
      {
        op: 'put',
        collection: 'outbox',
        id: must(call, 'a call'),
        value: { home, version: 99, call: 'sealed' },
      },
      { op: 'put', collection: 'meta', id: `kept/${home}/a`, value: kept },
      { op: 'put', collection: 'meta', id: `kept/${home}/b`, value: { ...kept, isOnServer: true } },
      { op: 'put', collection: 'meta', id: `kept/${home}/c`, value: { version: 99 } },
      // After a restore another guide has the number.
      { op: 'put', collection: 'meta', id: `kept/${home}/d`, value: { ...kept, uid: 'other' } },
      { op: 'put', collection: 'meta', id: `kept/${home}/e`, value: { ...kept, uid: 'other' } },
    ]);
    await journal.close();
  });
  expect(await elsewhere(workshop)).toEqual([{ server: oldAddress, username: 'Ana', changes: waiting + 3 }]);
});

test('ACCOUNT-2 a wiped journal loses no home, because the secrets have a copy', async () => {
  await using workshop = await openWorkshop({ before: true });
  await leaveWork(workshop);
  await workshop.device.actions.signOut();
  const secret = workshop.disk.secrets.get('homes');
  await workshop.restart(() => workshop.disk.journal.clear());
  workshop.network.put(oldAddress, workshop.server.url);
  await signIn(workshop, oldAddress);
  await workshop.device.inSync();
  expect(await workshop.comments()).toEqual(work);
  const homes = (text = '[]'): { home: string }[] => JSON.parse(text) as { home: string }[];
  const names = homes(secret).map(({ home }) => home);
  expect(homes(workshop.disk.secrets.get('homes')).map(({ home }) => home)).toEqual(names);
});
