import { join } from 'node:path';

import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';

import { rendererConfig } from '#desktop/build/build.ts';
import { launchProfile } from '#test/support/browser.ts';
import { buildForPeople } from '#test/support/production-build.ts';
import { startServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { layWire } from '#test/support/wire-cut.ts';
import { makeForm, makeGuide, seenBy } from '#test/support/workshop.ts';

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password').fill('a long password');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

function status(page: Page, words: RegExp): Promise<void> {
  return page.getByLabel('Sync status').filter({ hasText: words }).first().waitFor();
}

function toStep(page: Page, title: string): Promise<void> {
  return page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: title }).click();
}

test('O9 J1 the app whose databases were all deleted brings a work order, its values and its photo back', async () => {
  await using resources = new AsyncDisposableStack();
  const { path: out } = resources.use(await temporaryFolder('lost-database-app'));
  await buildForPeople(rendererConfig(join(out, 'renderer')));
  const server = resources.use(await startServer({ appDir: join(out, 'renderer') }));
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const guide = await makeGuide(ada);
  await makeForm(ada, guide);
  const wire = resources.use(await layWire(server.url));
  const profile = resources.use(await temporaryFolder('lost-database-profile')).path;
  const context = await launchProfile(profile);
  resources.defer(() => context.close());

  const page = await context.newPage();
  await page.goto(wire.url);
  await signIn(page);
  await status(page, /^Synced/);
  await context.setOffline(true);
  wire.cut();
  await status(page, /^Offline/);
  await page.evaluate((path) => history.pushState(null, '', path), `/guides/${guide.guideid}`);
  await page.getByRole('button', { name: 'Start work order' }).first().click();
  await page.getByLabel('Work order number').fill('WO-5');
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await toStep(page, 'Open');
  await page.getByLabel('Torque').fill('12.5');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Take or choose a photo' }).click();
  const photo = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#c33' } })
    .jpeg()
    .toBuffer();
  await (await chooser).setFiles({ name: 'belt.jpg', mimeType: 'image/jpeg', buffer: photo });
  await page.getByText('belt.jpg').waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await page.getByRole('main').getByText('Saved on this device').first().waitFor();
  await page.close();

  const blank = await context.newPage();
  const devtools = await context.newCDPSession(blank);
  await devtools.send('Storage.clearDataForOrigin', { origin: wire.url, storageTypes: 'indexeddb' });
  await blank.close();
  wire.mend();
  await context.setOffline(false);

  const again = await context.newPage();
  await again.goto(`${wire.url}/sync`);
  await again.getByText('WO-5').first().waitFor();
  expect(await seenBy(server, ada, 'workLog')).toEqual([]);
  // The token went with the databases: a browser has no other place for it.
  await again.goto(`${wire.url}/sign-in`);
  await signIn(again);
  await status(again, /^Synced/);
  const [entry, ...others] = (await seenBy(server, ada, 'workLog')).map(({ doc }) => JSON.stringify(doc));
  expect(others).toEqual([]);
  expect(entry).toContain('"WO-5"');
  expect(entry).toContain('"12.5"');
  const images = await ada.call('GET', '/user/media/images');
  expect(images.body).toHaveLength(1);
});
