import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';
import { looks, offences } from './axe.ts';
import { content, edits, grinder } from './editor-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('a new step has the focus in its title, is not called wrong, and takes what is typed at once', async () => {
  await using app = await bench.open(`${grinder}#s90004`);
  const { page } = app;
  await page.getByRole('button', { name: 'Add step', exact: true }).click();
  await page.keyboard.type('Check the guard');
  await page.getByRole('heading', { name: 'Step 11 of 11' }).waitFor();
  await expect.poll(async () => (await content(app))?.steps[10]?.title).toBe('Check the guard');
  expect((await content(app))?.steps[3]?.title).toBe('Take off the belt cover');
  expect(await page.getByText('The line is empty').count()).toBe(0);
  expect(await page.getByRole('button', { name: /to correct/ }).count()).toBe(0);
  await page.getByRole('textbox', { name: 'Line 1' }).focus();
  await page.getByRole('textbox', { name: 'Step title' }).focus();
  await page.getByText('The line is empty').waitFor();
  await page.getByRole('button', { name: /1 field to correct/ }).waitFor();
});

test('an empty tool is told when it is left, and saving leads to it', async () => {
  await using app = await bench.open(grinder);
  const { page } = app;
  await page.getByRole('button', { name: 'Add tool' }).click();
  const name = page.getByRole('region', { name: 'Tools' }).getByRole('combobox', { name: 'Name' }).last();
  await name.waitFor();
  expect(await page.getByText('Name this tool, or remove it').count()).toBe(0);
  await page.getByRole('button', { name: 'Save to the server' }).click();
  await page.getByText('Name this tool, or remove it').waitFor();
  await name.and(page.locator(':focus')).waitFor();
  expect(await app.calls('saveDraft')).toEqual([]);
  await name.fill('Rubber mallet');
  await page.getByRole('textbox', { name: 'Title', exact: true }).focus();
  await page.getByRole('button', { name: 'Save to the server' }).click();
  await expect.poll(async () => (await app.calls('saveDraft')).length).toBe(1);
});

test('marks are set with buttons and keys, in lines and in longer texts', async () => {
  await using app = await bench.open(`${grinder}#s90004`);
  const { page } = app;
  const line = page.getByRole('textbox', { name: 'Line 1' });
  await line.fill('Turn it off');
  await line.press('Control+a');
  await line.press('Control+b');
  await expect.poll(() => line.inputValue()).toBe("'''Turn it off'''");
  await line.press('Control+i');
  await expect.poll(() => line.inputValue()).toBe("'''''Turn it off'''''");
  await page.goto(page.url().replace(/#.*/, '#end'));
  await page.getByRole('textbox', { name: 'Conclusion' }).fill('See the manual');
  await page.getByRole('textbox', { name: 'Conclusion' }).press('Control+a');
  await page
    .getByRole('toolbar', { name: 'Format: Conclusion' })
    .getByRole('button', { name: 'List' })
    .click();
  await expect.poll(async () => (await content(app))?.conclusion_raw).toBe('* See the manual');
  expect((await edits(app)).length).toBeGreaterThan(0);
});

test('messages wait for each other and never cover one another', async () => {
  await using app = await bench.open(grinder);
  const { page } = app;
  await page.getByRole('button', { name: 'Make private' }).click();
  await page.getByText('Only its authors can read it').waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  const toasts = page.locator('[data-react-aria-top-layer] p');
  expect(await toasts.count()).toBe(1);
  await page.getByText('Everyone with access to this site').waitFor();
  expect(await toasts.count()).toBe(1);
});

test('the toolbar and the form of a step are accessible', async () => {
  await using app = await bench.open(`${grinder}#s90004`);
  await app.page.getByRole('textbox', { name: 'Line 1' }).focus();
  for (const [name, look] of looks) {
    await app.wear(look);
    expect([name, await offences(app.page, look)]).toEqual([name, []]);
  }
});
