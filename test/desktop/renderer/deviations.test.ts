import { afterAll, beforeAll, expect, test } from 'vitest';

import { demoDeviations } from '#test/support/fixture-deviations.ts';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const torque = 'Screw torque after refitting';
const picture = { name: 'gap.png', mimeType: 'image/png', buffer: Buffer.from('not really a picture') };

test('a value out of limits asks what happened, and is reported with a note and a photo', async () => {
  await using app = await bench.open('/guides/9001#s90004', { running: true });
  const panel = app.page.getByRole('region', { name: torque });
  expect(await panel.count()).toBe(0);
  await app.page.getByRole('textbox', { name: torque }).fill('9.9');
  await app.page.getByRole('textbox', { name: torque }).blur();
  await panel.getByLabel('What happened?').fill('The screw was loose.');
  // The note is kept while the person is elsewhere.
  const isKept = () =>
    app.page.evaluate(() => JSON.stringify(sessionStorage).includes('The screw was loose.'));
  await expect.poll(isKept).toBe(true);
  await app.page.reload();
  await app.page.getByRole('textbox', { name: torque }).fill('9.9');
  await app.page.getByRole('textbox', { name: torque }).blur();
  expect(await panel.getByLabel('What happened?').inputValue()).toBe('The screw was loose.');
  const chosen = app.page.waitForEvent('filechooser');
  await panel.getByRole('button', { name: 'Add a photo' }).click();
  await (await chosen).setFiles(picture);
  await panel.getByAltText('Photo 1').waitFor();
  await panel.getByRole('button', { name: 'Report and continue' }).click();
  await app.page.getByText('Waiting for a lead').waitFor();
  await app.page.getByText('The screw was loose.').waitFor();
  const [[entryid, report]] = (await app.calls('reportDeviation')) as [[string, { note: string }]];
  expect([entryid, report]).toMatchObject(['501', { note: 'The screw was loose.' }]);
  expect(await app.calls('suspendWorkOrder')).toEqual([]);
});

test('a failed check can stop the order, and the next person reads why', async () => {
  await using app = await bench.open('/guides/9001#s90004', { running: true });
  await app.page.getByText('Fail', { exact: true }).click();
  const panel = app.page.getByRole('region', { name: 'Cover undamaged' });
  await panel.getByText('The check failed').waitFor();
  await panel.getByLabel('What happened?').fill('A crack at the hinge.');
  await panel.getByRole('button', { name: 'Stop and call a lead' }).click();
  await expect
    .poll(() => app.calls('suspendWorkOrder'))
    .toEqual([['501', 'Stopped: Cover undamaged. A crack at the hinge.']]);
  expect(await app.calls('reportDeviation')).toHaveLength(1);
});

test('a lead decides with a reason; nothing is chosen beforehand', async () => {
  await using app = await bench.open('/deviations', { lead: true });
  const section = app.page.getByRole('region', { name: 'Deviations to decide' });
  await section.getByText('Measured 9.9 mm, limits 3 to 4 mm').waitFor();
  await section.getByRole('button', { name: 'Decide' }).click();
  const dialog = app.page.getByRole('dialog');
  expect(await dialog.getByRole('radio', { checked: true }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Save decision' }).click();
  await dialog.getByText('Choose what happens').waitFor();
  await dialog.getByText('Say why').waitFor();
  expect(await app.calls('decideDeviation')).toEqual([]);
  await dialog.getByText('Use as is', { exact: true }).click();
  await dialog.getByText('The part is released although it deviates.').waitFor();
  await dialog.getByLabel('Reason').fill('The belt holds at 12 N.');
  await dialog.getByRole('button', { name: 'Save decision' }).click();
  await app.page.getByText(/Use as is · Ana Ruiz/).waitFor();
  expect(await app.calls('decideDeviation')).toEqual([['311', 'use-as-is', 'The belt holds at 12 N.']]);
  await app.page.getByText('Earlier decisions').first().click();
  await app.page.getByText('The cover is bent.').waitFor();
});

test('DEVIATION-5 a decision is chosen again when the value is measured again meanwhile', async () => {
  await using app = await bench.open('/deviations', { lead: true });
  await app.page.getByRole('button', { name: 'Decide' }).click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByText('Use as is', { exact: true }).click();
  await dialog.getByLabel('Reason').fill('The belt holds at 12 N.');
  const deviations = demoDeviations({ isLead: true }).map((one) =>
    one.measured === null ? one : { ...one, measured: { ...one.measured, value: '12.5' } },
  );
  await app.change({ deviations });
  await dialog.getByText('Measured 12.5 mm, limits 3 to 4 mm').waitFor();
  await dialog.getByText('This deviation has changed. Look at it again, then choose.').waitFor();
  await dialog.getByRole('button', { name: 'Save decision' }).click();
  expect(await app.calls('decideDeviation')).toEqual([]);
  await dialog.getByText('Scrap', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Save decision' }).click();
  await expect
    .poll(() => app.calls('decideDeviation'))
    .toEqual([['311', 'scrap', 'The belt holds at 12 N.']]);
});

test('people who do not decide see the state only', async () => {
  await using app = await bench.open('/deviations');
  await app.page.getByText('Belt deflection').waitFor();
  expect(await app.page.getByRole('button', { name: /Decide|Change the decision/ }).count()).toBe(0);
});
