import { afterAll, beforeAll, expect, test } from 'vitest';

import { type OfflineWorld, demoOffline } from '#test/support/fixture-offline.ts';

import { looks, offences } from './axe.ts';
import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench[Symbol.asyncDispose]());

test('CARRY-10 a person sees what a choice means before they confirm it', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  const card = page.locator('section', { hasText: 'What this device keeps offline' }).first();
  await card.getByText('Favourites · 1 category · 2 guides downloaded one by one').waitFor();
  await card.getByRole('progressbar').getByText('Loading · 118 of 340 files · about 47 MB left').waitFor();
  await card.getByRole('button', { name: 'Change…' }).click();
  const dialog = page.getByRole('dialog', { name: 'What this device keeps offline' });
  const confirm = dialog.getByRole('button', { name: 'Keep this offline' });
  await app.change({ offline: { ...demoOffline(), preview: null } });
  await dialog.getByText('Adding up the sizes…').waitFor();
  expect(await confirm.isDisabled()).toBe(true);
  await app.change({ offline: demoOffline() });
  await dialog.getByText('42 guides · about 157 MB').waitFor();
  for (const [, look] of looks) {
    await app.wear(look);
    expect(await offences(page, look)).toEqual([]);
  }
  await dialog.getByRole('combobox', { name: 'Add a tag' }).fill('bel');
  await page.getByRole('option', { name: 'belt' }).click();
  await dialog.getByText('Favourites').click();
  await confirm.click();
  await dialog.waitFor({ state: 'detached' });
  expect(await app.calls('keepOffline')).toEqual([
    [{ everything: false, favorites: false, categories: ['Grinder'], tags: ['belt'], teams: [] }],
  ]);
  await card.getByText('1 category · 1 tag · 2 guides downloaded one by one').waitFor();
});

test('CARRY-11 loading is paused and continued', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused · 118 of 340 files').waitFor();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByText('Loading · 118 of 340 files').waitFor();
  expect(await app.calls('pauseOffline')).toEqual([[true], [false]]);
});

test('CARRY-12 storage says what takes how much, and removes only what can be loaded again', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  const card = page.locator('section', { hasText: 'Storage on this device' }).last();
  await card.getByText('118 files').waitFor();
  const rows = (await card.getByRole('listitem').allInnerTexts()).map((row) =>
    row.replace(/\s+/g, ' ').trim(),
  );
  expect(rows).toEqual([
    'Text and work log 1,284 guides · 212 pages · 96 work orders 48 MB',
    'Pictures 118 files 22 MB',
    'Documents 6 files 12 MB',
    'Videos 2 files 84 MB',
    'Files that are not needed Viewed earlier or no longer chosen Remove 3 MB',
    'Guides downloaded one by one 2 guides Remove',
    'Archives 2 archives Open archives 310 MB',
    'Waiting to be sent 4 changes · 1 unsaved draft Open Sync 5 MB',
  ]);
  await card.getByRole('button', { name: 'Remove files that are not needed' }).click();
  await card.getByText('Viewed earlier').waitFor({ state: 'detached' });
  await card.getByRole('button', { name: 'Remove guides downloaded one by one' }).click();
  await card.getByText('Guides downloaded one by one').waitFor({ state: 'detached' });
  await card.getByRole('button', { name: 'Ask the browser to keep it' }).click();
  await card.getByText('Your data stays when the disk runs low.').waitFor();
});

test('CARRY-6 CARRY-12 while files cannot be removed the button is disabled and the reason is said; what stays is counted', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  const world = demoOffline();
  const card = page.locator('section', { hasText: 'Storage on this device' }).last();
  const button = card.getByRole('button', { name: 'Remove files that are not needed' });
  const use = (unneeded: OfflineWorld['use']['unneeded']) =>
    app.change({ offline: { ...world, use: { ...world.use, unneeded } } });
  await use('incomplete');
  await card.getByText('Can be removed when the server has sent all guides').waitFor();
  expect(await button.isDisabled()).toBe(true);
  await use('unread');
  await card.getByText('Can be removed when you have chosen again what this device keeps').waitFor();
  expect(await button.isDisabled()).toBe(true);
  await app.change({ offline: { ...world, left: 2 } });
  await button.click();
  await card.getByText('2 files stay, because other accounts or windows need them').waitFor();
  for (const [, look] of looks) {
    await app.wear(look);
    expect(await offences(page, look)).toEqual([]);
  }
});

test('CARRY-10 CARRY-11 CARRY-17 a person sees that their choice could not be read, and that guides are missing', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  const world = demoOffline();
  const { state, preview } = world;
  await app.change({ offline: { ...world, state: { ...state, isUnread: true, state: 'incomplete' } } });
  const card = page.locator('section', { hasText: 'What this device keeps offline' }).first();
  await card.getByText('What you chose could not be read').waitFor();
  await card.getByText('The server has not sent all guides yet').waitFor();
  expect(await card.getByRole('progressbar').count()).toBe(0);
  for (const [, look] of looks) {
    await app.wear(look);
    expect(await offences(page, look)).toEqual([]);
  }
  await app.change({
    offline: { ...world, preview: preview && { ...preview, isComplete: false, toRemove: null } },
  });
  await card.getByRole('button', { name: 'Change…' }).click();
  await page.getByRole('dialog').getByText('The numbers grow until it has.').waitFor();
});
