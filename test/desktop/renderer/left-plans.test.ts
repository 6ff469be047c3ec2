import { afterAll, beforeAll, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { demoPlanned } from '#test/support/fixture-planned.ts';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('FORM-6 a plan that was typed and left is on the screen of planned work, to continue or discard', async () => {
  await using app = await bench.open('/planned', { lead: true, planned: true });
  const { page } = app;
  await page.getByRole('button', { name: 'Plan an order' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Work order number').fill('WO-2001');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  const left = page.getByRole('note').filter({ hasText: 'You typed this and did not plan it' });
  await left.getByText('WO-2001').waitFor();
  await left.getByRole('button', { name: 'Continue' }).click();
  expect(await dialog.getByLabel('Work order number').inputValue()).toBe('WO-2001');
  expect(await left.count()).toBe(0);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await left.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => left.count()).toBe(0);
});

test('FORM-6 a change that was typed and left is at its order, or above all if the person does not see that any more', async () => {
  await using app = await bench.open('/planned', { lead: true, planned: true });
  const { page } = app;
  await page.getByRole('button', { name: 'More about WO-1103' }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('Use the new wheel');
  await page.keyboard.press('Escape');
  const row = page.getByRole('listitem').filter({ hasText: 'WO-1103' });
  await row.getByText('You typed this change and did not save it').waitFor();
  await row.getByRole('button', { name: 'Continue' }).click();
  expect(await dialog.getByLabel('Note').inputValue()).toBe('Use the new wheel');
  await page.keyboard.press('Escape');
  await app.change({
    planned: demoPlanned({ isLead: true }).filter(({ workorderid }) => workorderid !== 'WO-1103'),
  });
  const left = page.getByRole('note').filter({ hasText: 'that you can no longer change' });
  await left.getByText('Use the new wheel').waitFor();
  await left.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => left.count()).toBe(0);
});

test('PLANNED-12 the work order and its planned order say by which revision it was started', async () => {
  const earlier = {
    worked: { number: 6, date: Date.UTC(2026, 9, 1) / 1000 },
    present: { number: 7, date: Date.UTC(2026, 10, 3) / 1000 },
  };
  const planned = demoPlanned({ isLead: true }).map((one) =>
    one.workorderid === 'WO-1042' ? { ...one, earlier } : one,
  );
  const words = /^Started by Revision 6 of .* the order was to be worked by Revision 7 of /;
  await using app = await bench.open('/planned', { lead: true, planned: true, running: true });
  await app.change({ planned });
  await app.page.getByText(words).waitFor();
  await app.page.getByRole('link', { name: 'Open work order' }).click();
  await app.page.getByRole('note').getByText(words).waitFor();
  await app.page.getByRole('link', { name: 'All work orders' }).click();
  await app.page.getByRole('link', { name: 'Board' }).click();
  await app.page.getByRole('region', { name: 'Running' }).getByText('Earlier revision').waitFor();
});

test('BOARD-1 many planned orders do not hide the running ones; all are shown at a request', async () => {
  const first = must(demoPlanned({ isLead: true })[0], 'a planned order');
  const planned = Array.from({ length: 174 }, (_, index) => ({
    ...first,
    planned_orderid: String(1000 + index),
    workorderid: `WO-${2000 + index}`,
  }));
  await using app = await bench.open('/board', { lead: true, running: true, planned: true });
  await app.change({ planned });
  const region = app.page.getByRole('region', { name: 'Planned and not started' });
  const shown = () => region.getByRole('heading', { level: 3 }).count();
  await region.getByText('174', { exact: true }).waitFor();
  expect(await shown()).toBe(5);
  const names = await app.page.getByRole('heading', { level: 2 }).allTextContents();
  expect(names[0]).toMatch(/^Deviations to decide/);
  await region.getByRole('button', { name: 'Show all 174' }).click();
  await expect.poll(shown).toBe(174);
});

test('BOARD-1 the first screen says how much is planned for a person, and shows all at a request', async () => {
  const first = must(demoPlanned({ isLead: false })[0], 'a planned order');
  const planned = Array.from({ length: 12 }, (_, index) => ({
    ...first,
    planned_orderid: String(1000 + index),
    workorderid: `WO-${2000 + index}`,
  }));
  await using app = await bench.open('/', { planned: true });
  await app.change({ planned });
  const mine = app.page.getByRole('region', { name: 'Planned for you' });
  await mine.getByText('12', { exact: true }).waitFor();
  expect(await mine.getByRole('heading', { level: 3 }).count()).toBe(5);
  await mine.getByRole('button', { name: 'Show all 12' }).click();
  await expect.poll(() => mine.getByRole('heading', { level: 3 }).count()).toBe(12);
});
