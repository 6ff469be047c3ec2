import { afterAll, beforeAll, expect, test } from 'vitest';

import { demoPlanned } from '#test/support/fixture-planned.ts';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('what is planned for a person is on the first screen, and starts with one tap', async () => {
  await using app = await bench.open('/', { planned: true });
  const mine = app.page.getByRole('region', { name: 'Planned for you' });
  await mine.getByText('Late').waitFor();
  await mine.getByText('Serial or lot numbers: BG-2041, BG-2042').waitFor();
  await mine.getByText('For Line B').waitFor();
  expect(await mine.getByRole('heading', { level: 3 }).allTextContents()).toEqual(['WO-1101', 'WO-1102']);
  expect(await mine.getByRole('button', { name: /More about/ }).count()).toBe(0);
  await mine.getByRole('button', { name: 'Start WO-1101' }).click();
  await expect.poll(() => new URL(app.page.url()).pathname).toBe('/guides/9001');
  expect(await app.calls('startPlannedOrder')).toEqual([['71']]);
});

test('a lead plans an order; the form says what is missing', async () => {
  await using app = await bench.open('/planned', { lead: true });
  await app.page.getByText('Nothing is planned').waitFor();
  await app.page.getByRole('button', { name: 'Plan an order' }).click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Plan an order' }).click();
  await dialog.getByText('Enter a work order number').waitFor();
  await dialog.getByText('Choose the guide to work from').waitFor();
  await dialog.getByText('Choose who does it').waitFor();
  expect(await app.calls('planOrders')).toEqual([]);
  await dialog.getByLabel('Work order number').fill('WO-2001');
  await dialog.getByRole('combobox', { name: 'Guide' }).fill('Wheel');
  await app.page
    .getByRole('option', { name: /Wheel dressing/ })
    .first()
    .click();
  await dialog.getByRole('button', { name: /Who does it/ }).click();
  await app.page.getByRole('option', { name: 'Team: Line B' }).click();
  await dialog.getByLabel('Due on').fill('2026-12-01');
  await dialog.getByLabel('At', { exact: true }).fill('25:00');
  await dialog.getByText('Enter a time such as 14:30').waitFor();
  await dialog.getByLabel('At', { exact: true }).fill('14:30');
  await dialog.getByText('High', { exact: true }).click();
  await dialog.getByLabel('Serial or lot numbers').fill('A1, A2');
  await dialog.getByRole('button', { name: 'Plan an order' }).click();
  await app.page.getByRole('heading', { name: 'WO-2001' }).waitFor();
  expect(await app.calls('planOrders')).toMatchObject([
    [
      [
        {
          workorderid: 'WO-2001',
          assignee: { kind: 'team', id: 3 },
          priority: 'high',
          serials: ['A1', 'A2'],
          note: '',
        },
      ],
    ],
  ]);
});

test('a lead changes and withdraws what nobody has started; others see no menu', async () => {
  await using app = await bench.open('/planned', { lead: true, planned: true });
  const others = app.page.getByRole('region', { name: 'Planned for others' });
  await others.getByRole('button', { name: 'More about WO-1103' }).click();
  await app.page.getByRole('menuitem', { name: 'Change' }).click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('Use the new wheel');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await others.getByText('Use the new wheel').waitFor();
  await others.getByRole('button', { name: 'More about WO-1103' }).click();
  await app.page.getByRole('menuitem', { name: 'Withdraw' }).click();
  await app.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await app.page.getByRole('region', { name: 'Done and withdrawn' }).getByText('WO-1103').waitFor();
  const started = app.page.getByRole('region', { name: 'Being worked on' });
  expect(await started.getByRole('button', { name: /More about/ }).count()).toBe(0);
  await using worker = await bench.open('/planned', { planned: true });
  await worker.page.getByRole('region', { name: 'Planned for you' }).waitFor();
  expect(await worker.page.getByRole('button', { name: /More about|Plan an order|Import/ }).count()).toBe(0);
});

test('FORM-6 a CSV file is shown before it is planned, with the errors of each row', async () => {
  await using app = await bench.open('/planned', { lead: true, planned: true });
  await app.page.getByRole('button', { name: 'Import CSV' }).click();
  const dialog = app.page.getByRole('dialog');
  const chosen = app.page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a CSV file' }).click();
  const csv = 'number,guide,team,due\nWO-3001,9001,Line B,2026-12-01\nWO-3002,Gearbox,Line B,\n';
  await (await chosen).setFiles({ name: 'plan.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await dialog.getByText('1 row has errors and will not be planned').waitFor();
  await app.page.reload();
  await app.page.getByRole('button', { name: 'Import CSV' }).click();
  await dialog.getByText('Line 3: There is no guide “Gearbox” on this device.').waitFor();
  await dialog.getByRole('rowheader', { name: 'WO-3001' }).waitFor();
  await dialog.getByRole('button', { name: 'Plan 1 order' }).click();
  await app.page.getByRole('heading', { name: 'WO-3001' }).waitFor();
  expect(await app.calls('planOrders')).toMatchObject([[[{ workorderid: 'WO-3001', guideid: '9001' }]]]);
});

test('PLANNED-4 both people read that two work orders were started for one planned order', async () => {
  await using app = await bench.open('/work-orders/501', { planned: true, running: true });
  await app.page.getByText('Ben Okafor also started this planned order').waitFor();
  await using other = await bench.open('/work-orders/503', { planned: true });
  await other.page.getByText('Ana Ruiz had started this planned order before Ben Okafor').waitFor();
  await other.page.getByText('The work is kept as a work order of its own.').waitFor();
});

test('PLANNED-4 a person reads that the order had been given to another; the lead opens their work order', async () => {
  const planned = demoPlanned({ isLead: true }).map((one) =>
    one.workorderid === 'WO-1103'
      ? {
          ...one,
          others: [{ entryid: '502', username: 'Ana Ruiz', isReassigned: true, isOtherGuide: false }],
        }
      : one,
  );
  await using app = await bench.open('/work-orders', { planned: true, running: true, lead: true });
  await app.change({ planned });
  await app.page.getByText('Not for its planned order').first().waitFor();
  await app.page.getByRole('link', { name: 'WO-1039' }).first().click();
  await app.page.getByText('This planned order was given to Ben Okafor before your start arrived').waitFor();
  await app.page.getByText('Your work is kept as a work order of its own.', { exact: false }).waitFor();
  await app.page.goBack();
  await app.page.getByRole('link', { name: 'Planned work' }).click();
  await app.page.getByRole('link', { name: 'Work order of Ana Ruiz' }).click();
  await expect.poll(() => new URL(app.page.url()).pathname).toBe('/work-orders/502');
});

test('the board shows what is late or waits to be started', async () => {
  await using app = await bench.open('/board', { lead: true, running: true, planned: true });
  const waiting = app.page.getByRole('region', { name: 'Planned and not started' });
  expect(await waiting.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
    'WO-1101',
    'WO-1102',
    'WO-1103',
    'WO-1042',
  ]);
});

test('FORM-6 a plan that was typed is there again after the dialog was closed or the app reloaded, until it is discarded', async () => {
  await using app = await bench.open('/planned', { lead: true, planned: true });
  const { page } = app;
  const open = async () => {
    await page.getByRole('button', { name: 'Plan an order' }).click();
    return page.getByRole('dialog');
  };
  const first = await open();
  await first.getByLabel('Work order number').fill('WO-2001');
  await first.getByRole('combobox', { name: 'Guide' }).fill('Bench');
  await page
    .getByRole('option', { name: /Bench Grinder Drive Belt/ })
    .first()
    .click();
  await first.getByLabel('Note').fill('Use the new belt');
  await first.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  const again = await open();
  await again.getByText(/^Your unsaved changes of/).waitFor();
  expect(await again.getByLabel('Work order number').inputValue()).toBe('WO-2001');
  const guide = again.getByRole('combobox', { name: 'Guide' });
  expect(await guide.inputValue()).toBe('Bench Grinder Drive Belt Replacement');
  await again.getByRole('button', { name: /Revision to work by/ }).waitFor();
  expect(await again.getByLabel('Note').inputValue()).toBe('Use the new belt');
  const stored = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
  expect(stored).toContain('Use the new belt');
  expect(stored).not.toContain('Bench Grinder');
  await again.getByRole('button', { name: 'Discard' }).click();
  const blank = await open();
  expect(await blank.getByLabel('Work order number').inputValue()).toBe('');
});

test('FORM-6 a change that was typed is applied to the order as it is now', async () => {
  await using app = await bench.open('/planned', { lead: true, planned: true });
  const { page } = app;
  const change = async () => {
    await page.getByRole('button', { name: 'More about WO-1103' }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    return page.getByRole('dialog');
  };
  const first = await change();
  await first.getByLabel('Note').fill('Use the new wheel');
  await page.keyboard.press('Escape');
  const planned = demoPlanned({ isLead: true }).map((one) =>
    one.workorderid === 'WO-1103'
      ? { ...one, revisionid: one.revisionid + 1, note: 'By another lead', serials: ['BG-7'] }
      : one,
  );
  await app.change({ planned });
  const again = await change();
  await again.getByText('The order has changed since you typed this', { exact: false }).waitFor();
  const unseen = planned.map((one) => ({ ...one, priority: 'high' as const, note: 'Unseen' }));
  await app.change({ planned: unseen });
  expect(await again.getByLabel('Note').inputValue()).toBe('Use the new wheel');
  expect(await again.getByLabel('Serial or lot numbers').inputValue()).toBe('BG-7');
  await again.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => app.calls('changePlannedOrder'))
    .toMatchObject([[{ note: 'By another lead' }, { note: 'Use the new wheel', serials: ['BG-7'] }]]);
  const saved = await change();
  expect(await saved.getByText(/^Your unsaved changes of/).count()).toBe(0);
  // The server gives the order that the form shows another revision.
  const present = (await app.calls('changePlannedOrder')).length;
  await saved.getByLabel('Note').fill('Use the old wheel');
  await app.change({
    planned: planned.map((one) => ({ ...one, revisionid: 99, note: 'Use the new wheel' })),
  });
  await saved.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await app.calls('changePlannedOrder'))[present])
    .toMatchObject([{ revisionid: 99 }, { note: 'Use the old wheel' }]);
});
