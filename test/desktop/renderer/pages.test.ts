import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('pages are found by kind and by words, and a page shows its text, facts and tags', async () => {
  await using app = await bench.open('/');
  await app.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pages' }).click();
  await app.page.getByRole('link', { name: 'Workshop rules' }).waitFor();
  await app.page.getByText('Categories', { exact: true }).click();
  await app.page.getByRole('link', { name: 'Bench Grinder' }).waitFor();
  await app.page.getByLabel('Find a page').fill('nothing like it');
  await app.page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  await app.page.getByLabel('Find a page').fill('grind');
  await app.page.getByRole('link', { name: 'Bench Grinder' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Bench Grinder' }).waitFor();
  const main = app.page.locator('main');
  expect(await main.getByRole('heading', { name: 'Before you begin' }).isVisible()).toBe(true);
  expect(await main.getByText('Manufacturer').isVisible()).toBe(true);
  await main.getByRole('button', { name: 'Show all versions' }).click();
  await main.getByRole('listitem').filter({ hasText: 'Ana Ruiz' }).waitFor();
  await main.getByRole('link', { name: 'Show the guides of this category' }).click();
  await app.page.getByRole('link', { name: 'Read about it' }).waitFor();
});

test('a page is edited, saved on the device, and says so', async () => {
  await using app = await bench.open('/pages/72');
  await app.page.getByRole('link', { name: 'Edit page' }).click();
  await app.page.getByLabel('Text', { exact: true }).fill("Wear '''boots'''.");
  expect(await app.page.getByRole('region', { name: 'How it reads' }).locator('strong').count()).toBe(1);
  await app.page.getByRole('button', { name: 'Save page' }).click();
  await app.page.getByText('Your edit is saved on this device.').waitFor();
  expect(await app.calls('savePage')).toEqual([
    ['72', { displayTitle: 'Workshop rules', description: '', contents: "Wear '''boots'''." }],
  ]);
});

test('words that were not saved are there again after leaving or loading the app, until they are discarded', async () => {
  await using app = await bench.open('/pages/72/edit');
  await app.page.getByLabel('Text', { exact: true }).fill('Half a thought');
  await app.page.getByRole('link', { name: 'Pages' }).first().click();
  await app.page.getByRole('link', { name: 'Workshop rules' }).click();
  await app.page.getByRole('link', { name: 'Edit page' }).click();
  expect(await app.page.getByLabel('Text', { exact: true }).inputValue()).toBe('Half a thought');
  await app.page.reload();
  await app.page.getByText('words that were not saved yet').waitFor();
  expect(await app.page.getByLabel('Text', { exact: true }).inputValue()).toBe('Half a thought');
  await app.page.getByRole('button', { name: 'Discard' }).click();
  await app.page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await app.page.getByRole('link', { name: 'Edit page' }).click();
  expect(await app.page.getByLabel('Text', { exact: true }).inputValue()).toBe('Wear goggles.');
  expect(await app.calls('savePage')).toEqual([]);
});

test('a person who may not edit finds no pens, not even by the address', async () => {
  await using app = await bench.open('/pages/71');
  await app.page.evaluate(() => {
    window.fixture.change(({ pages }) => ({
      pages: pages.map((page) => ({ ...page, canEdit: false, canDelete: false, canTag: false })),
    }));
  });
  await expect.poll(() => app.page.getByRole('link', { name: 'Edit page' }).count()).toBe(0);
  expect(await app.page.getByRole('button', { name: 'Delete page' }).count()).toBe(0);
  expect(await app.page.getByLabel('Add a tag').count()).toBe(0);
});

test('tags of a guide are added and taken off on its overview', async () => {
  await using app = await bench.open('/guides/9001');
  await app.page.getByLabel('Add a tag').fill(' motor ');
  await app.page.keyboard.press('Enter');
  await app.page.getByRole('button', { name: 'Remove tag motor' }).waitFor();
  await app.page.getByRole('button', { name: 'Remove tag belt' }).click();
  await expect.poll(() => app.page.getByRole('button', { name: 'Remove tag belt' }).count()).toBe(0);
  expect(await app.calls('tagGuide')).toEqual([
    ['9001', 'motor', true],
    ['9001', 'belt', false],
  ]);
});

test('people and teams lead to each other', async () => {
  await using app = await bench.open('/people');
  await app.page.getByRole('link', { name: 'Ana Ruiz' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Ana Ruiz' }).waitFor();
  expect(await app.page.getByText('Silver 1 · Bronze 2').isVisible()).toBe(true);
  await app.page.getByRole('link', { name: 'Line B' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Line B' }).waitFor();
  await app.page.getByRole('link', { name: 'Ben Okafor' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Ben Okafor' }).waitFor();
});
