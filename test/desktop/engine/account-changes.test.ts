import { expect, test } from 'vitest';

import { runCommand } from '#test/support/command-line.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

interface Bench extends AsyncDisposable {
  server: TestServer;
  ana: TestPerson;
  ben: TestPerson;
  device: WholeDevice;
  guideid: string;
  setUp(isUp: boolean): void;
  comments(): Promise<unknown>;
}

/** Ana's offline device with a waiting comment and a saved title. */
async function withWaitingWork(): Promise<Bench> {
  const server = await startServer();
  await server.category('Bench Grinder');
  const ana = await server.person('Ana');
  const ben = await server.person('Ben');
  const guideid = String((await makeGuide(ana)).guideid);
  let isUp = true;
  const device = await startWholeDevice(() => (isUp ? server.url : null), newDisk());
  await device.signIn('Ana');
  await device.inSync();
  isUp = false;
  await device.actions.comment('guide', guideid, 'Mind the belt');
  await device.actions.openDraft(guideid);
  await device.actions.editDraft(guideid, { op: 'setText', field: 'title', value: 'Changed title' });
  await device.actions.saveDraft(guideid);
  return {
    server,
    ana,
    ben,
    device,
    guideid,
    setUp: (now) => {
      isUp = now;
      device.actions.syncNow();
    },
    comments: async () => (await ben.call('GET', `/comments/guide/${guideid}`)).body,
    async [Symbol.asyncDispose]() {
      await device[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function benchbook({ dataDir }: TestServer, ...args: string[]): Promise<void> {
  expect(await runCommand([...args, '--data', dataDir])).toMatchObject({ code: 0, err: '' });
}

test('OUTBOX-13 calls waiting for an account that is renamed reach the server under its new name', async () => {
  await using bench = await withWaitingWork();
  const { ana, ben, device, guideid } = bench;
  const renamed = await ana.call('PATCH', `/users/${ana.userid}`, {
    username: 'Ana Maria',
    unique_username: 'ana.maria',
  });
  expect(renamed.status).toBe(200);
  bench.setUp(true);
  await device.inSync();
  expect(await bench.comments()).toMatchObject([
    { text_raw: 'Mind the belt', author: { username: 'Ana Maria' } },
  ]);
  expect((await ben.call('GET', `/guides/${guideid}`)).body).toMatchObject({ title: 'Changed title' });
});

test('OUTBOX-13 calls waiting for a disabled account stay, can be exported, and are sent once it is enabled again', async () => {
  await using bench = await withWaitingWork();
  const { server, device, guideid, ben } = bench;
  await benchbook(server, 'user', 'disable', 'ana@example.com');
  bench.setUp(true);
  await device.shows(({ status }) => status === 'expired', 'session');
  expect(await device.look('syncState')).toMatchObject({ pending: 2, parked: 0 });
  expect(await bench.comments()).toEqual([]);
  await expect(device.signIn('Ana')).rejects.toThrow();
  expect(await device.actions.exportWaiting('Export')).toMatchObject({ calls: 2, left: 0 });
  await benchbook(server, 'user', 'enable', 'ana@example.com');
  await device.signIn('Ana');
  await device.inSync();
  expect(await bench.comments()).toMatchObject([{ text_raw: 'Mind the belt' }]);
  expect((await ben.call('GET', `/guides/${guideid}`)).body).toMatchObject({ title: 'Changed title' });
});
