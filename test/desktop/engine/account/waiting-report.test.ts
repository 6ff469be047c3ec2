import { expect, test } from 'vitest';

import { deviceSummary } from '#server/core/devices.ts';
import { soon } from '#test/support/soon.ts';

import { oldAddress, openWorkshop } from './network.ts';

test('DEVICES-1 a device says with each request what waits on it', async () => {
  await using workshop = await openWorkshop();
  const { device, network, server, guideid } = workshop;
  const waiting = async (): Promise<number> => (await deviceSummary(server.services)).waiting;
  expect(await waiting()).toBe(0);
  // Calls are refused as by a busy server; all else goes on.
  network.put(oldAddress, async (path, init) =>
    path.startsWith('/sync/1/batch')
      ? new Response(null, { status: 503 })
      : fetch(`${server.url}${path}`, init),
  );
  await device.actions.comment('guide', guideid, 'It squeaks');
  await soon(() => {
    device.actions.syncNow();
    return waiting();
  }).toBe(1);
  expect((await deviceSummary(server.services)).oldestSeconds).toBeGreaterThanOrEqual(0);
  network.put(oldAddress, server.url);
  device.actions.syncNow();
  await soon(() => workshop.comments()).toEqual(['It squeaks']);
  await soon(waiting).toBe(0);
});
