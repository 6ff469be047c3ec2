import { expect, test } from 'vitest';

import type { TracedOrderRecord } from '#shared/api/tracing.ts';
import { makeGuide, stepAt } from '#test/support/workshop.ts';

import { go, keptOffline, signIn, startWholeApp, status } from './whole-app.ts';

test('TRACE-7 an order is started offline for a unit, a part is scanned into it, and both lead to each other', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, openDevice } = await startWholeApp(resources);
  const guide = await makeGuide(ada);
  const fields = [{ field_type: 'Text Input', label: 'Battery', format: 'barcode', required: false }];
  await ada.call('POST', `/step_forms/${stepAt(guide, 0)}`, { fields });
  const ben = await server.person('Ben', ['User']);
  const { teamid } = (await ada.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number };
  await ada.call('PUT', `/teams/${teamid}/users/${ben.userid}`);
  await ben.call('POST', '/work_log', { guideid: guide.guideid, workorderid: 'WO-B', serials: ['b-9 x'] });
  const device = await openDevice();
  const page = await device.context.newPage();
  await page.goto(device.wire.url);
  await signIn(page, 'ada');
  await status(page, /^Synced/);
  await keptOffline(page);
  await go(page, `/guides/${guide.guideid}`);
  await page.getByRole('heading', { level: 1, name: guide.title }).waitFor();
  await device.goOffline();

  await page.getByRole('button', { name: 'Start work order' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Work order number').fill('WO-7');
  // The last order on the guide was about a unit, so the field is shown.
  await dialog.getByLabel('Serial or lot number (optional)').fill('SN-1');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'First step' }).click();
  const battery = page.getByLabel('Battery');
  await battery.waitFor();
  // A scanner does not wait for the app between two keys.
  await Promise.all([...'B-9 X'.split(''), 'Enter'].map((key) => page.keyboard.press(key)));
  await expect.poll(() => battery.inputValue()).toBe('B-9 X');

  await go(page, '/trace?number=sn-1');
  await page.getByText('You see only what this device carries.', { exact: false }).waitFor();
  await page.getByRole('region', { name: 'Worked on' }).getByRole('link', { name: 'WO-7' }).waitFor();
  await page.getByText('Not on the server yet').waitFor();
  await page.getByRole('link', { name: 'Trace B-9 X' }).click();
  await page.getByRole('region', { name: 'Recorded in' }).getByRole('link', { name: 'Trace SN-1' }).waitFor();

  await device.goOnline();
  await status(page, /^Synced/);
  // Ada leads Ben's team.
  await page.getByRole('region', { name: 'Worked on' }).getByRole('link', { name: 'WO-B' }).waitFor();
  await expect.poll(() => page.getByText('Not on the server yet').count()).toBe(0);
  await page.getByRole('region', { name: 'Recorded in' }).getByRole('link', { name: 'WO-7' }).click();
  await page.getByRole('link', { name: 'Trace SN-1' }).click();
  await page.getByRole('region', { name: 'Worked on' }).getByRole('link', { name: 'WO-7' }).waitFor();
  const { body } = await ada.call('GET', '/work_log/trace?number=B-9%20x');
  expect((body as TracedOrderRecord[]).map(({ record }) => record.workorderid)).toEqual(['WO-7', 'WO-B']);
});
