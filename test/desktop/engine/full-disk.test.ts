import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import { openEngine } from '#desktop/engine/open.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore, type MemoryFaults } from '#desktop/engine/journal/memory.ts';
import { HighWaterMark } from '#desktop/engine/sync/mirror/high-water-mark.ts';
import { troubleOf } from '#desktop/engine/sync/trouble.ts';
import { must } from '#shared/must.ts';
import { commentOn, inSync, newDisk, signIn, syncState } from '#test/desktop/engine/support/device.ts';
import { testEnvironment } from '#test/desktop/engine/support/environment.ts';

import { startOnDisk, titles } from './filling-device.ts';

test('OUTBOX-27 a full database is reported until it has stored the copies of calls', async () => {
  const device = await startOnDisk();
  device.fillDatabases(true);
  await device.core.outbox.add([commentOn('1', 'Kept')]);
  await syncState(device, ({ trouble }) => trouble?.includes('no space left') === true);
  device.fillDatabases(false);
  await syncState(device, ({ trouble, pending }) => trouble === null && pending === 0);
});

test('OUTBOX-27 a full journal is reported until the waiting calls are sent', async () => {
  const device = await startOnDisk();
  device.server.setUp(false);
  await syncState(device, ({ connection }) => connection === 'offline');
  await device.core.outbox.add([commentOn('1', 'Kept')]);
  device.fillJournal(true);
  device.server.setUp(true);
  device.core.sync.now();
  await syncState(device, ({ trouble }) => trouble?.includes('no space left') === true);
  device.fillJournal(false);
  await syncState(device, ({ trouble, pending }) => trouble === null && pending === 0);
});

test('OUTBOX-5 a response that a full journal cannot store is requested again after a wait', async () => {
  const device = await startOnDisk();
  const { waits } = device.environment;
  device.server.fault = (path) => {
    if (path === '/sync/1/batch') device.fillJournal(true);
    return undefined;
  };
  await device.core.outbox.add([commentOn('1', 'Kept')]);
  await syncState(device, ({ trouble }) => trouble?.includes('no space left') === true);
  waits.length = 0;
  await expect.poll(() => waits.filter((ms) => ms >= 4000).length).toBeGreaterThan(1);
  expect(waits.filter((ms) => ms === 0).length).toBeLessThan(50);
  device.server.fault = () => undefined;
  device.fillJournal(false);
  await syncState(device, ({ trouble, pending }) => trouble === null && pending === 0);
});

test('JOURNAL-10 an app that closes on a full journal releases its database and opens again', async () => {
  const device = await startOnDisk();
  await device.close();
  const first = await openEngine(device.platform);
  const id = await first.actions.openDraft(null);
  device.fillJournal(true);
  await first.actions
    .editDraft(id, { op: 'setText', field: 'title', value: 'Two' })
    .catch((error: unknown) => expect(troubleOf(error).words).toContain('no space left'));
  await first.close().catch((error: unknown) => expect(troubleOf(error).words).toContain('no space left'));
  device.fillJournal(false);
  const second = await openEngine(device.platform);
  await second.close();
});

/** Losses of a device while the app was closed. */
const losses: [string, (device: Awaited<ReturnType<typeof startOnDisk>>) => void][] = [
  [
    'a record of the journal was damaged',
    ({ disk: { journal } }) => {
      for (const [name, bytes] of journal) {
        const spoilt = bytes.slice();
        const at = spoilt.length >> 1;
        spoilt[at] = (spoilt[at] ?? 0) ^ 0x11;
        journal.set(name, spoilt);
      }
    },
  ],
  ['the journal was lost', ({ disk }) => disk.journal.clear()],
  ['the secrets were lost', ({ disk }) => disk.secrets.delete('session')],
  [
    'the journal and the list of homes were lost',
    ({ disk }) => {
      disk.journal.clear();
      disk.secrets.delete('homes');
    },
  ],
];

test.each(losses)('JOURNAL-17 the app opens on a full journal after %s', async (_, lose) => {
  const device = await startOnDisk();
  device.server.setUp(false);
  await syncState(device, ({ connection }) => connection === 'offline');
  await device.core.outbox.add([commentOn('1', 'Kept')]);
  await device.core.drafts.put('1', { batch: 1 });
  await device.close();
  lose(device);
  device.fillJournal(true);
  const kept = [{ body: { text: 'Kept' } }];
  const onFull = await device.open();
  expect(onFull.core.session.current().user).toMatchObject({ username: 'ada@bench.test' });
  expect(onFull.core.outbox.present()).toMatchObject(kept);
  await onFull.close();
  device.fillJournal(false);
  const again = await device.open();
  expect(again.core.outbox.present()).toMatchObject(kept);
  device.server.setUp(true);
  await inSync(again);
});

test('ACCOUNT-12 the session is restored when the next home cannot be opened and a full disk cannot record the sign-out', async () => {
  const device = await startOnDisk();
  const { storage } = device.platform;
  const homeOfAda = must((await firstValueFrom(device.core.session.state)).home, 'the home of Ada');
  const create = storage.createStorageInstance.bind(storage);
  storage.createStorageInstance = async (params) => {
    if (params.databaseName.startsWith(homeOfAda)) return create(params);
    device.fillJournal(true);
    device.fillDatabases(true);
    throw new DOMException(params.databaseName, 'UnknownError');
  };
  const isAda = { status: 'signed-in', user: { username: 'ada@bench.test' } };
  await expect(signIn(device, 'ben@bench.test')).rejects.toThrow();
  expect(await firstValueFrom(device.core.session.state)).toMatchObject(isAda);
  expect(await titles(device)).toEqual(['One']);
  await device.close();
  const again = await device.open();
  expect(await firstValueFrom(again.core.session.state)).toMatchObject(isAda);
});

test('OUTBOX-33 a checkpoint that a full journal could not store is journalled with the next response', async () => {
  const disk = newDisk();
  const faults: MemoryFaults = {};
  const journal = await openJournal(memoryStore(faults, disk.journal), testEnvironment(fetch));
  const seen = await HighWaterMark.open(journal, 'home');
  seen.note('5.a');
  faults.capacity = 0;
  await expect(seen.journalWith([])).rejects.toThrow();
  delete faults.capacity;
  await seen.journalWith([]);
  expect((await HighWaterMark.open(journal, 'home')).place).toBe('5.a');
  await journal.close();
});
