import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('a work order starts on a guide by its number, and its clock runs', async () => {
  await using app = await bench.open('/guides/9001#s90002');
  await app.page.getByRole('button', { name: 'Start work order' }).click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Start', exact: true }).click();
  await dialog.getByText('Enter the number of the work order').waitFor();
  await dialog.getByLabel('Work order number').fill(' WO-7 ');
  await app.page.keyboard.press('Enter');
  const clock = app.page.getByRole('timer', { name: 'Working time' });
  await expect.poll(() => clock.innerText()).toMatch(/^00:0\d:(?!00)\d\d$/);
  expect(await app.calls('startWorkOrder')).toEqual([['9001', 'WO-7', { serials: [] }]]);
});

test('the step a person opens is recorded in the running order once', async () => {
  await using app = await bench.open('/guides/9001#s90004', { running: true });
  await app.page.getByRole('button', { name: 'Next step' }).click();
  await app.page.getByRole('button', { name: 'Next step' }).click();
  await expect
    .poll(() => app.calls('enterStep'))
    .toEqual([
      ['501', '90005'],
      ['501', '90006'],
    ]);
});

test('the clock stops while paused and says so; P pauses and resumes', async () => {
  await using app = await bench.open('/guides/9001#s90004', { running: true });
  const clock = app.page.getByRole('timer', { name: 'Working time' });
  await app.page.keyboard.press('p');
  await app.page.getByText('WO-1042 · Paused').waitFor();
  const still = await clock.innerText();
  await app.page.waitForTimeout(2100);
  expect(await clock.innerText()).toBe(still);
  await app.page.keyboard.press('p');
  await expect.poll(() => clock.innerText()).not.toBe(still);
  expect(await app.calls('moveWorkOrder')).toEqual([
    ['501', 'pause'],
    ['501', 'resume'],
  ]);
});

test('cancelling asks first', async () => {
  await using app = await bench.open('/guides/9001#s90004', { running: true });
  await app.page.getByRole('button', { name: 'More actions for this work order' }).click();
  await app.page.getByRole('menuitem', { name: 'Cancel work order' }).click();
  await app.page.getByRole('button', { name: 'Keep working' }).last().click();
  expect(await app.calls('moveWorkOrder')).toEqual([]);
  await app.page.getByRole('button', { name: 'More actions for this work order' }).click();
  await app.page.getByRole('menuitem', { name: 'Cancel work order' }).click();
  await app.page.getByRole('dialog').getByRole('button', { name: 'Cancel work order' }).click();
  await app.page.getByRole('button', { name: 'Start work order' }).waitFor();
  expect(await app.calls('moveWorkOrder')).toEqual([['501', 'cancel']]);
});

test('finishing asks why each required value is missing', async () => {
  await using app = await bench.open('/guides/9001#end', { running: true });
  await app.page.getByRole('button', { name: 'Finish' }).click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByText('Step 7: Condition of the old belt').waitFor();
  expect(await dialog.getByText('Step 4: Screw torque').count()).toBe(0);
  const finish = dialog.getByRole('button', { name: 'Finish' });
  expect(await finish.isDisabled()).toBe(true);
  const reasons = dialog.getByRole('textbox', { name: /^Why is/ });
  const count = await reasons.count();
  expect(count).toBeGreaterThan(1);
  await reasons.first().fill('The gauge is broken');
  expect(await finish.isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Use the first reason for all' }).click();
  await finish.click();
  await app.page.getByText('Work order WO-1042 is finished').waitFor();
  const [[entryid, gaps]] = (await app.calls('finishWorkOrder')) as [[string, { reason: string }[]]];
  expect([entryid, gaps.map(({ reason }) => reason)]).toEqual([
    '501',
    Array<string>(count).fill('The gauge is broken'),
  ]);
  await app.page.evaluate(() => {
    history.pushState(null, '', '/work-orders/501');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await app.page.getByText('Finished with deviations').first().waitFor();
  await app.page
    .getByText(/Condition of the old belt \(7\./)
    .first()
    .waitFor();
  await app.page.getByText(': The gauge is broken').first().waitFor();
});

test('suspending leaves the order to others; a suspended order of another person is taken over', async () => {
  await using app = await bench.open('/guides/9001', { running: true });
  await app.page.getByRole('button', { name: 'More actions for this work order' }).click();
  await app.page.getByRole('menuitem', { name: 'Suspend for handover' }).click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByLabel('Note for the next person').fill('The cover is off. Mind the spring.');
  await dialog.getByRole('button', { name: 'Suspend for handover' }).click();
  await app.page.getByText(/Suspended by you/).waitFor();
  await app.page.getByText('The cover is off. Mind the spring.').waitFor();
  await app.page.getByRole('button', { name: 'Continue' }).waitFor();
  expect(await app.calls('suspendWorkOrder')).toEqual([['501', 'The cover is off. Mind the spring.']]);
  await app.page.getByText('Suspended by Ben Okafor, 2 hours ago').waitFor();
  await app.page.getByRole('button', { name: 'Take over' }).last().click();
  await expect.poll(() => app.calls('moveWorkOrder')).toEqual([['503', 'assume']]);
});

test('the list begins with running orders, then paused, suspended and finished ones', async () => {
  await using app = await bench.open('/work-orders', { running: true });
  const main = app.page.locator('main');
  await main.getByRole('heading', { level: 2, name: 'Running' }).waitFor();
  const headings = await main.getByRole('heading', { level: 2 }).allInnerTexts();
  expect(headings.slice(0, 4).map((words) => words.replace(/\s.*/s, ''))).toEqual([
    'Running',
    'Paused',
    'Suspended',
    'Finished',
  ]);
  const running = main.getByRole('region', { name: 'Running' }).getByRole('timer');
  const before = await running.innerText();
  await expect.poll(() => running.innerText()).not.toBe(before);
  const paused = main.getByRole('region', { name: 'Paused' });
  expect(await paused.getByRole('timer').innerText()).toBe('00:05:00');
  await paused.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => app.calls('moveWorkOrder')).toEqual([['502', 'resume']]);
});

test('a work order starts from the list with number and guide, by keyboard', async () => {
  await using app = await bench.open('/work-orders');
  await app.page.getByRole('button', { name: 'Start' }).click();
  await app.page.getByText('Choose the guide to work from').waitFor();
  await app.page.getByLabel('Work order number').fill('WO-8');
  await app.page.getByRole('combobox', { name: 'Guide' }).fill('wheel');
  await app.page.getByRole('option', { name: /Wheel dressing/ }).waitFor();
  await expect.poll(() => app.page.getByRole('option').count()).toBe(1);
  await app.page.keyboard.press('ArrowDown');
  await app.page.keyboard.press('Enter');
  await app.page.getByRole('button', { name: 'Add a serial or lot number' }).click();
  await app.page.keyboard.type('BG-2041, BG 2042');
  await app.page.getByRole('button', { name: 'Start' }).click();
  await app.page.waitForURL('**/guides/101');
  expect(await app.calls('startWorkOrder')).toEqual([['101', 'WO-8', { serials: ['BG-2041', 'BG 2042'] }]]);
});

test('a work order shows its values, times and photos', async () => {
  await using app = await bench.open('/work-orders/504');
  const main = app.page.locator('main');
  await main.getByRole('heading', { level: 1, name: 'WO-1017' }).waitFor();
  await main.getByRole('row', { name: /Condition of the old belt.*Cracked.*On the server/ }).waitFor();
  await main.getByRole('row', { name: /^Photo of the seated belt .* Photo On the server$/ }).waitFor();
  await main.getByRole('row', { name: /Unplug and let it stop 00:04:00/ }).waitFor();
  await main.getByRole('img', { name: 'Photo: Photo of the seated belt' }).waitFor();
  await main.getByText('A device’s clock was wrong').waitFor();
});

test('an order taken over by another person has three ways out', async () => {
  await using app = await bench.open('/work-orders/502');
  await app.page.evaluate(() => {
    window.fixture.change((world) => ({ orders: world.orders.map((order) => ({ ...order, frozen: true })) }));
  });
  const download = app.page.waitForEvent('download');
  await app.page.getByRole('button', { name: 'Export as a file' }).click();
  expect((await download).suggestedFilename()).toBe('502.json');
  await app.page.getByRole('button', { name: 'Discard' }).click();
  expect(await app.calls('discardOrder')).toEqual([]);
  await app.page.getByRole('button', { name: 'Keep it' }).last().click();
  await app.page.getByRole('button', { name: 'Save as my own work order' }).click();
  await expect.poll(() => app.calls('saveAsOwnOrder')).toEqual([['502']]);
});

test('an unknown work order says so', async () => {
  await using app = await bench.open('/work-orders/999');
  await app.page.getByRole('link', { name: 'All work orders' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Work orders' }).waitFor();
});

test('missing values in the question before finishing link to their steps', async () => {
  await using app = await bench.open('/guides/9001#end', { running: true });
  await app.page.getByRole('button', { name: 'Finish' }).last().click();
  const dialog = app.page.getByRole('dialog');
  const first = dialog.getByRole('list').getByRole('button').first();
  const number = Number(/^Step (\d+):/.exec(await first.innerText())?.[1]);
  await first.click();
  await app.page.locator('nav [aria-current="step"]').waitFor();
  const steps = app.page.getByRole('navigation', { name: 'Steps' }).getByRole('button');
  // Overview and all steps precede the first step.
  expect(await steps.nth(number + 1).getAttribute('aria-current')).toBe('step');
  expect(await app.calls('moveWorkOrder')).toEqual([]);
});

test('the record of an order is saved as CSV, which no spreadsheet program runs as a formula', async () => {
  await using app = await bench.open('/work-orders/504');
  await app.page.getByRole('heading', { name: 'WO-1017' }).waitFor();
  const download = app.page.waitForEvent('download');
  await app.page.getByRole('button', { name: 'Export as CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('WO-1017.csv');
  const csv = readFileSync(await file.path(), 'utf8');
  expect(csv.startsWith('\uFEFFKind,Step,Name,Value,Lower limit,Upper limit,Person,Time,Note,Unit\r\n')).toBe(
    true,
  );
  expect(csv).toContain('Work order,,WO-1017,Finished,,,Ana Ruiz,');
  expect(csv).toContain('Condition of the old belt,Cracked');
  expect(csv).toContain('Deviation,');
  expect(csv).toContain('Belt deflection,9.9,3,4,Maria Silva,');
  expect(csv).toContain('"The belt slipped off the rear pulley.\nThe pulley looks worn.');
});

test('an order is printed as its content, without the frame of the app', async () => {
  await using app = await bench.open('/work-orders/504');
  await app.page.getByRole('heading', { name: 'WO-1017' }).waitFor();
  await app.page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await app.page.getByRole('button', { name: 'Print' }).click();
  await app.page.locator('body[data-printed]').waitFor();
  await app.page.emulateMedia({ media: 'print' });
  expect(await app.page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
  expect(await app.page.getByRole('button').filter({ visible: true }).count()).toBe(0);
  await app.page.getByText('Condition of the old belt').first().waitFor();
});
