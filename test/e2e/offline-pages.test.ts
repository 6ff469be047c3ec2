import { expect, test } from 'vitest';

import { keptOffline, signIn, startWholeApp, status } from './whole-app.ts';

const screens = [
  '/',
  '/library/Bench%20Grinder',
  '/favorites',
  '/archives',
  '/pages',
  '/people',
  '/work-orders',
  '/sync',
  '/settings',
];

test('every screen opens by its address without a network, and with a server that hangs', async () => {
  await using resources = new AsyncDisposableStack();
  const device = await (await startWholeApp(resources)).openDevice();
  const { context, wire } = device;
  const page = await context.newPage();
  await page.goto(wire.url);
  await signIn(page);
  await status(page, /^Synced/);
  await keptOffline(page);

  await device.goOffline();
  for (const screen of screens) {
    await page.goto(`${wire.url}${screen}`);
    await status(page, /^Offline/);
    expect(new URL(page.url()).pathname).toBe(screen);
  }

  await device.goOnline();
  wire.hang();
  await page.goto(`${wire.url}/work-orders`);
  await page.getByRole('heading', { level: 1, name: 'Work orders' }).waitFor();
});
