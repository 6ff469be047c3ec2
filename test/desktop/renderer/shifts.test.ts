import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('SHIFT-5 a lead makes a summary from the board; it waits with its note', async () => {
  await using app = await bench.open('/board', { lead: true, running: true });
  await app.page.getByRole('button', { name: 'Make shift summary' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Make shift summary' });
  await dialog.getByText('Everyone in the team can read it.', { exact: false }).waitFor();
  expect(await dialog.getByRole('radio', { name: 'Last 8 hours' }).isChecked()).toBe(true);
  await dialog.getByText('Other', { exact: true }).click();
  const time = dialog.getByLabel('At', { exact: true });
  await time.first().fill('14');
  await dialog.getByRole('button', { name: 'Make shift summary' }).click();
  await dialog.getByText('Enter a day, and a time such as 14:30').waitFor();
  expect(await app.calls('makeShiftSummary')).toEqual([]);
  await dialog.getByLabel('Note for the next shift').fill('Check the press first.');
  await dialog.getByText('Cancel', { exact: true }).click();
  await app.page.getByRole('button', { name: 'Make shift summary' }).click();
  expect(await dialog.getByLabel('Note for the next shift').inputValue()).toBe('Check the press first.');
  await dialog.getByRole('button', { name: 'Make shift summary' }).click();
  await app.page.getByRole('heading', { name: 'Shift of Line B' }).waitFor();
  await app.page.getByText('Waits for the server').waitFor();
  await app.page.getByText('Check the press first.').waitFor();
  const [[wish]] = (await app.calls('makeShiftSummary')) as [[{ from: number; to: number }]];
  expect(wish.to - wish.from).toBe(8 * 60 * 60_000);
  await app.page.getByRole('link', { name: 'Shift summaries' }).click();
  const rows = app.page.getByRole('main').getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(2);
});

test('SHIFT-4 a member reads and prints a summary, and makes none', async () => {
  await using app = await bench.open('/shifts');
  expect(await app.page.getByRole('button', { name: 'Make shift summary' }).count()).toBe(0);
  await app.page.getByRole('link', { name: /Line B/ }).click();
  await app.page.getByText('1 running · 1 suspended · 1 finished').waitFor();
  await app.page.getByText('The new pulley arrives at 15:00.', { exact: false }).waitFor();
  await app.page.getByText('Belt deflection: 9.9', { exact: false }).waitFor();
  await app.page.getByText('2 reported, 1 decided, 1 open').waitFor();
  await app.page.getByText('2 not started, 1 late').waitFor();
  await app.page.getByRole('cell', { name: '02:15:00' }).first().waitFor();
  await app.page.getByText('Unchanged').waitFor();
  await app.page.emulateMedia({ media: 'print' });
  expect(await app.page.getByRole('button').count()).toBe(0);
});
