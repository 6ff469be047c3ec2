import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { World } from '#test/support/fixture-world.ts';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('a lead filters the orders of others; the address keeps the filter, and the file has all that match', async () => {
  await using app = await bench.open('/order-history', { lead: true, running: true });
  const { page } = app;
  await page.getByText('Orders 1 to 50 of 120').waitFor();
  await page.getByRole('link', { name: 'Older' }).click();
  await page.getByText('Orders 51 to 100 of 120').waitFor();
  await page.getByRole('combobox', { name: 'Person' }).click();
  await page.getByRole('combobox', { name: 'Person' }).fill('ben');
  await page.getByRole('option', { name: 'Ben Okafor' }).click();
  await page.getByText('Orders 1 to 40 of 40').waitFor();
  await page.getByText('Only with deviations').click();
  await page.getByRole('button', { name: /State/ }).click();
  await page.getByRole('option', { name: 'Finished' }).click();
  const address = (): string => new URL(page.url()).search;
  await expect.poll(address).toBe('?userid=9102&status=complete&deviating=true');
  await page.reload();
  await expect.poll(() => page.getByRole('link', { name: /^WO-/ }).count()).toBeGreaterThan(2);
  const numbers = await page.getByRole('link', { name: /^WO-/ }).allTextContents();
  expect(numbers.length).toBeLessThan(10);
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: `Save ${numbers.length} orders as CSV` }).click();
  const csv = await readFile(await (await waiting).path(), 'utf8');
  expect(csv.split('\r\n').map((line) => line.split(',')[0])).toEqual(['\uFEFFWork order', ...numbers, '']);
  expect(csv).toContain('Ben Okafor');
  await page.getByRole('link', { name: numbers[0] ?? '' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/work-orders\/\d+$/);
  expect(app.errors).toEqual([]);
});

test('without a connection the list says that it is from this device, and comes from the server again later', async () => {
  await using app = await bench.open('/order-history', { lead: true });
  await app.page.getByText('Orders 1 to 50 of 120').waitFor();
  const { sync } = await app.page.evaluate(() => ({ sync: window.fixture.world().sync }));
  const become = (connection: World['sync']['connection']) => app.change({ sync: { ...sync, connection } });
  await become('offline');
  await app.page.getByText('Shown from this device').waitFor();
  await app.page.getByText('Orders 1 to 10 of 10').waitFor();
  await become('online');
  await app.page.getByText('Orders 1 to 50 of 120').waitFor();
  expect(await app.page.getByText('Shown from this device').count()).toBe(0);
});
