import { join } from 'node:path';

import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';

import { rendererConfig } from '#desktop/build/build.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
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

function status(page: Page, words: RegExp | string): Promise<void> {
  return page.getByLabel('Sync status').filter({ hasText: words }).first().waitFor();
}

/** As a click on a link does; going by address would load the page anew. */
function go(page: Page, path: string): Promise<void> {
  return page.evaluate((to) => history.pushState(null, '', to), path);
}

test('O4 the app whose leading tab is closed in mid-send sends the rest from the other tab, each call once', async () => {
  await using resources = new AsyncDisposableStack();
  const { path: out } = resources.use(await temporaryFolder('two-tabs-app'));
  await buildForPeople(rendererConfig(join(out, 'renderer')));
  const server = resources.use(await startServer({ appDir: join(out, 'renderer') }));
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const guide = await makeGuide(ada);
  await makeForm(ada, guide);
  const wire = resources.use(await layWire(server.url));
  const context = await launchProfile(resources.use(await temporaryFolder('two-tabs-profile')).path);
  resources.defer(() => context.close());

  const leading = await context.newPage();
  await leading.goto(wire.url);
  await signIn(leading);
  await status(leading, /^Synced/);
  const other = await context.newPage();
  await other.goto(wire.url);
  await status(other, /^Synced/);

  await context.setOffline(true);
  wire.cut();
  for (const tab of [leading, other]) {
    await status(tab, /^Offline/);
    await go(tab, `/guides/${guide.guideid}`);
  }
  await leading.getByRole('button', { name: 'Start work order' }).first().click();
  await leading.getByLabel('Work order number').fill('WO-7');
  await leading.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await leading.getByRole('button', { name: 'Pause' }).waitFor();
  await leading.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Open' }).click();
  await leading.getByLabel('Torque').fill('12.5');
  await leading.getByLabel('Torque').blur();
  const chooser = leading.waitForEvent('filechooser');
  await leading.getByRole('button', { name: 'Take or choose a photo' }).click();
  const photo = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#c33' } })
    .jpeg()
    .toBuffer();
  await (await chooser).setFiles({ name: 'belt.jpg', mimeType: 'image/jpeg', buffer: photo });
  await leading.getByText('belt.jpg').waitFor();
  await other.getByRole('button', { name: 'Add a comment' }).click();
  await other.getByLabel('Comments on this guide').fill('From the other tab');
  await other.getByRole('button', { name: 'Post comment' }).click();
  await other.getByText('From the other tab').waitFor();
  for (const tab of [leading, other]) await status(tab, 'Offline · 5 changes saved on this device');

  // The server performs what the leading tab sends, but the answer never comes.
  const performed = Promise.withResolvers<number>();
  await leading.route('**/sync/1/batch', async (route) => {
    performed.resolve((await route.fetch()).status());
  });
  wire.mend();
  await context.setOffline(false);
  expect(await performed.promise).toBe(200);
  await leading.close();
  await status(other, /^Synced/);

  const [entry, ...entries] = (await seenBy(server, ada, 'workLog')).map(({ doc }) => doc as EntryFacts);
  expect(entries).toEqual([]);
  expect(entry?.workorderid).toBe('WO-7');
  expect(entry?.events.filter(({ type }) => type === 'start')).toHaveLength(1);
  expect(JSON.stringify(entry)).toContain('"12.5"');
  const { body: comments } = await ada.call('GET', `/comments/guide/${guide.guideid}`);
  expect((comments as { text_raw: string }[]).map(({ text_raw }) => text_raw)).toEqual([
    'From the other tab',
  ]);
  expect((await ada.call('GET', '/user/media/images')).body).toHaveLength(1);

  const third = await context.newPage();
  await third.goto(`${wire.url}/sync`);
  await status(third, /^Synced/);
  await go(other, '/sync');
  for (const tab of [other, third]) await tab.getByText('WO-7').first().waitFor();
});
