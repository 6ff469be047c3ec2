import { afterAll, beforeAll, expect, test } from 'vitest';

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

test('a CSV file is shown before it is planned, with the errors of each row', async () => {
  await using app = await bench.open('/planned', { lead: true, planned: true });
  await app.page.getByRole('button', { name: 'Import CSV' }).click();
  const dialog = app.page.getByRole('dialog');
  const chosen = app.page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a CSV file' }).click();
  const csv = 'number,guide,team,due\nWO-3001,9001,Line B,2026-12-01\nWO-3002,Gearbox,Line B,\n';
  await (await chosen).setFiles({ name: 'plan.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await dialog.getByText('1 row has errors and will not be planned').waitFor();
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
  await other.page.getByText('Ana Ruiz had started this planned order before you').waitFor();
  await other.page.getByText('Your work is kept as a work order of its own.', { exact: false }).waitFor();
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
