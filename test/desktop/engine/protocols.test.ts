import { expect, test } from 'vitest';

import type { ProtocolRange } from '#shared/sync/protocol.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

interface World extends AsyncDisposable {
  server: TestServer;
  device: WholeDevice;
  guideid: string;
}

/** Ana's device, signed in to a server. */
async function world(protocols?: ProtocolRange): Promise<World> {
  const server = await startServer(protocols === undefined ? {} : { protocols });
  await server.category('Bench Grinder');
  const { guideid } = await makeGuide(await server.person('Ana'));
  const device = await startWholeDevice(() => server.url, newDisk());
  await device.signIn('Ana');
  return {
    server,
    device,
    guideid: String(guideid),
    async [Symbol.asyncDispose]() {
      await device[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function workOffline({ device, guideid }: World): Promise<void> {
  await device.actions.comment('guide', guideid, 'Written while apart');
  await device.actions.favorite(guideid, true);
}

test.each([
  ['app', { oldest: 7, newest: 9 }],
  ['server', { oldest: 3, newest: 4 }],
] as const)(
  'PROTOCOL-7 with a %s that is too old, the device waits with its work, signed in, and then continues',
  async (side, apart) => {
    await using here = await world();
    const { server, device } = here;
    await device.inSync();
    server.services.protocols = apart;
    await workOffline(here);
    const state = await device.shows(({ tooOld }) => tooOld !== null, 'syncState');
    expect(state).toMatchObject({
      tooOld: side,
      pending: 2,
      parked: 0,
      conflicts: 0,
      needsSignIn: false,
      trouble: null,
    });
    device.actions.syncNow();
    expect(await device.look('syncState')).toMatchObject({ pending: 2, parked: 0 });
    expect((await device.look('session')).status).toBe('signed-in');

    server.services.protocols = { oldest: 5, newest: 6 };
    device.actions.syncNow();
    await device.inSync();
    expect(await device.look('syncState')).toMatchObject({ tooOld: null, pending: 0, parked: 0 });
  },
);

test('PROTOCOL-10 a current device works with a server that has only protocol 5', async () => {
  await using here = await world({ oldest: 5, newest: 5 });
  const { device } = here;
  await device.inSync();
  await workOffline(here);
  await device.inSync();
  expect(await device.look('syncState')).toMatchObject({ tooOld: null, pending: 0, parked: 0 });
});

test('PROTOCOL-10 a server that was downgraded to protocol 5 gets protocol 5 again', async () => {
  await using here = await world();
  const { server, device } = here;
  await device.inSync();
  server.services.protocols = { oldest: 5, newest: 5 };
  await workOffline(here);
  await device.inSync();
  expect(await device.look('syncState')).toMatchObject({ tooOld: null, pending: 0, parked: 0 });
});
