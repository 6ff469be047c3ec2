import { join } from 'node:path';

import { expect, test } from 'vitest';

import { rendererConfig } from '#desktop/build/build.ts';
import { launchProfile } from '#test/support/browser.ts';
import { buildForPeople } from '#test/support/production-build.ts';
import { startServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { layWire } from '#test/support/wire-cut.ts';

const screens = ['/', '/library/Bench%20Grinder', '/favorites', '/work-orders', '/sync', '/settings'];

test('every screen opens by its address without a network, and with a server that hangs', async () => {
  await using resources = new AsyncDisposableStack();
  const { path: out } = resources.use(await temporaryFolder('offline-pages-app'));
  await buildForPeople(rendererConfig(join(out, 'renderer')));
  const server = resources.use(await startServer({ appDir: join(out, 'renderer') }));
  await server.category('Bench Grinder');
  await server.person('Ada');
  const wire = resources.use(await layWire(server.url));
  const context = await launchProfile(resources.use(await temporaryFolder('offline-pages-profile')).path);
  resources.defer(() => context.close());
  const page = await context.newPage();
  await page.goto(wire.url);
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password').fill('a long password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page
    .getByLabel('Sync status')
    .filter({ hasText: /^Synced/ })
    .first()
    .waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);

  await context.setOffline(true);
  wire.cut();
  for (const screen of screens) {
    await page.goto(`${wire.url}${screen}`);
    await page
      .getByLabel('Sync status')
      .filter({ hasText: /^Offline/ })
      .first()
      .waitFor();
    expect(new URL(page.url()).pathname).toBe(screen);
  }

  wire.mend();
  await context.setOffline(false);
  wire.hang();
  await page.goto(`${wire.url}/work-orders`);
  await page.getByRole('heading', { level: 1, name: 'Work orders' }).waitFor();
});
