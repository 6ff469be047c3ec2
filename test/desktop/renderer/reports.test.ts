import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { timeStep } from '#desktop/renderer/screens/reports/words.ts';
import type { World } from '#test/support/fixture-world.ts';

import { openWorkbench, type Workbench } from './app-page.ts';

declare global {
  interface Window {
    /** What lets each report that was asked for arrive. */
    heldReports?: (() => void)[];
  }
}

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('REPORT-10 filters and comparison are in the address, which shows the same report again', async () => {
  await using app = await bench.open('/reports', { lead: true });
  const { page } = app;
  await page.getByRole('heading', { name: 'Duration by guide' }).waitFor();
  await page.getByRole('button', { name: /Compare/ }).click();
  await page.getByRole('option', { name: 'People' }).click();
  await page.getByRole('heading', { name: 'Duration by person' }).waitFor();
  await page.getByRole('button', { name: /Finished in the last/ }).click();
  await page.getByRole('option', { name: '30 days' }).click();
  await page.getByRole('combobox', { name: 'Person' }).fill('ben');
  await page.getByRole('option', { name: 'Ben Okafor' }).click();
  const address = (): string => new URL(page.url()).search;
  await expect.poll(address).toBe('?by=person&days=30&userid=9102');
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.reload();
  await page.getByRole('row', { name: /Ben Okafor/ }).waitFor();
  const [wish, by] = (await app.calls('reportDurations')).at(-1) ?? [];
  expect([wish, by]).toMatchObject([{ userid: 9102 }, 'person']);
  // The filters stay for another kind of report.
  await page.getByRole('link', { name: 'Yield' }).click();
  await expect.poll(address).toBe('?report=yield&days=30&userid=9102');
  await page.getByRole('link', { name: 'Reset filter' }).click();
  await expect.poll(address).toBe('?report=yield');
  expect(app.errors).toEqual([]);
});

test('REPORT-11 each report has a summary, a chart, a table with all values, and a CSV file of them', async () => {
  const reports = [
    ['/reports', 'Duration by guide', 'durations.csv', /^\uFEFFGuide,Orders,Median in seconds,/],
    ['/reports?report=yield', 'First-pass yield by guide', 'first-pass-yield.csv', /Wheel dressing,\d+/],
    ['/reports?report=deviations', 'Deviations by kind', 'deviations.csv', /Out of limits,19,51.4,51.4/],
    [
      '/reports?report=numbers&field=field-1',
      'Individuals chart of Belt tension',
      'measurements.csv',
      /,4.45,N,3,4,yes,WO-1127,/,
    ],
  ] as const;
  for (const [path, title, filename, csv] of reports) {
    await using app = await bench.open(path, { lead: true });
    const { page } = app;
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByRole('table', { name: `${title}, as a table` }).waitFor();
    expect(await page.getByRole('img', { name: /\d/ }).locator('visible=true').count(), title).toBe(1);
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe(filename);
    expect(await readFile(await download.path(), 'utf8')).toMatch(csv);
    expect(app.errors).toEqual([]);
  }
});

test('REPORT-12 the arrow keys read the values of a chart', async () => {
  await using app = await bench.open('/reports?report=numbers&field=field-1', { lead: true });
  const { page } = app;
  const chart = page.getByRole('group', { name: /Individuals chart of Belt tension/ });
  await chart.focus();
  const said = chart.getByRole('status');
  await chart.press('End');
  await expect.poll(() => said.textContent()).toMatch(/WO-1139: Belt tension [\d.]+\sN/);
  await chart.press('ArrowLeft');
  await expect.poll(() => said.textContent()).toMatch(/WO-1138/);
  await chart.press('Home');
  await expect.poll(() => said.textContent()).toMatch(/WO-1100/);
  await page.keyboard.press('Tab');
  await expect.poll(() => said.textContent()).toBe('');
  expect(app.errors).toEqual([]);
});

test('REPORT-13 without the server a report says that it needs it, and comes by itself later', async () => {
  await using app = await bench.open('/reports?report=yield', { lead: true });
  const { page } = app;
  await page.getByRole('heading', { name: 'First-pass yield by guide' }).waitFor();
  const { sync } = await page.evaluate(() => ({ sync: window.fixture.world().sync }));
  const become = (connection: World['sync']['connection']) => app.change({ sync: { ...sync, connection } });
  await become('offline');
  await page.getByText('Not up to date').waitFor();
  expect(await page.getByRole('heading', { name: 'First-pass yield by guide' }).count()).toBe(1);
  await page.getByRole('link', { name: 'Deviations', exact: true }).click();
  await page.getByRole('heading', { name: 'Reports need the server' }).waitFor();
  await become('online');
  await page.getByRole('heading', { name: 'Deviations by kind' }).waitFor();
  expect(app.errors).toEqual([]);
});

test('REPORT-14 ADMIN-20 a report is never shown under other filters, and says which days it covers', async () => {
  await using app = await bench.open('/reports?report=yield&from=2026-03-02&to=2026-03-31', { lead: true });
  const { page } = app;
  await page.getByText('Finished from Mar 2, 2026 to Mar 31, 2026').waitFor();
  await page.evaluate(async () => {
    const { actions } = window.fixture;
    const report = await actions.reportYield({});
    const waiting: (() => void)[] = [];
    window.heldReports = waiting;
    actions.reportYield = async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return report;
    };
  });
  const answer = (place: number) => page.evaluate((index) => window.heldReports?.[index]?.(), place);
  const choose = async (days: string) => {
    await page.getByRole('button', { name: /Finished in the last/ }).click();
    await page.getByRole('option', { name: days }).click();
  };
  await choose('30 days');
  await page.getByText('Counting work orders').waitFor();
  expect(await page.getByRole('heading', { name: 'First-pass yield by guide' }).count()).toBe(0);
  expect(
    await page
      .getByText(/^Finished from/)
      .filter({ hasText: '2026' })
      .count(),
  ).toBe(0);
  await choose('7 days');
  await expect.poll(() => page.evaluate(() => window.heldReports?.length)).toBe(2);
  // The answer to the earlier question comes while the later one is asked, and after it.
  await answer(0);
  await page.getByText('Counting work orders').waitFor();
  expect(await page.getByRole('heading', { name: 'First-pass yield by guide' }).count()).toBe(0);
  await answer(1);
  await page.getByRole('heading', { name: 'First-pass yield by guide' }).waitFor();
  expect(app.errors).toEqual([]);
});

test('REPORT-17 days of more than two years are refused where they are chosen, without asking the server', async () => {
  await using app = await bench.open('/reports?from=2023-01-01&to=2026-03-31', { lead: true });
  const { page } = app;
  await page.getByRole('heading', { name: 'Choose other days' }).waitFor();
  const from = page.getByLabel('Finished from');
  expect(await from.getAttribute('aria-invalid')).toBe('true');
  await page.getByText('A report covers at most two years.').first().waitFor();
  expect(await app.calls('reportDurations')).toEqual([]);
  await from.fill('2024-04-01');
  await page.getByText('Finished from Apr 1, 2024 to Mar 31, 2026').waitFor();
  expect(await from.getAttribute('aria-invalid')).not.toBe('true');
});

test('an empty report says why', async () => {
  await using app = await bench.open('/reports?report=deviations', { empty: true });
  await app.page.getByRole('heading', { name: 'No finished work orders' }).waitFor();
  expect(app.errors).toEqual([]);
});

test('an axis of times counts in round times', () => {
  const steps = [70, 5 * 60, 6120, 40 * 3600, 900 * 3600].map((greatest) => timeStep(greatest, 6));
  expect(steps).toEqual([15, 60, 1800, 12 * 3600, 7 * 24 * 3600]);
});
