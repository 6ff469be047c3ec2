import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import type { PlannedOrder } from '#shared/model/planned-orders.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { go, keptOffline, signIn, startWholeApp, status, type Device } from './whole-app.ts';

/** A person's device, signed in and ready for work without a network. */
async function ready(device: Device, name: string): Promise<Page> {
  const page = await device.context.newPage();
  await page.goto(device.wire.url);
  await signIn(page, name);
  await status(page, /^Synced/);
  await keptOffline(page);
  return page;
}

/** Starts what is planned for the person on the first screen. */
async function start(page: Page): Promise<void> {
  await go(page, '/');
  await page
    .getByRole('region', { name: 'Planned for you' })
    .getByRole('button', { name: 'Start WO-7' })
    .click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
}

async function openOrder(page: Page): Promise<void> {
  await go(page, '/work-orders');
  await page.getByRole('link', { name: 'WO-7' }).first().click();
}

test('PLANNED-4 a lead plans an order for the team; two start it offline, and both read which one counts', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, openDevice } = await startWholeApp(resources);
  const ben = await server.person('Ben', ['User']);
  const guide = await makeGuide(ada);
  const { teamid } = (await ada.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number };
  await ada.call('PUT', `/teams/${teamid}/users/${ben.userid}`);
  const [first, second] = [await openDevice(), await openDevice()];
  const lead = await ready(first, 'ada');

  await go(lead, '/planned');
  await lead.getByRole('button', { name: 'Plan an order' }).click();
  const dialog = lead.getByRole('dialog');
  await dialog.getByLabel('Work order number').fill('WO-7');
  await dialog.getByRole('combobox', { name: 'Guide' }).fill(guide.title.slice(0, 6));
  await lead.getByRole('option', { name: guide.title }).first().click();
  await dialog.getByRole('button', { name: /Who does it/ }).click();
  await lead.getByRole('option', { name: 'Team: Line B' }).click();
  await dialog.getByRole('button', { name: 'Plan an order' }).click();
  await status(lead, /^Synced/);

  const worker = await ready(second, 'ben');
  await worker.getByRole('region', { name: 'Planned for you' }).getByText('WO-7').waitFor();
  await first.goOffline();
  await second.goOffline();
  await start(lead);
  await start(worker);

  await second.goOnline();
  await status(worker, /^Synced/);
  await first.goOnline();
  await status(lead, /^Synced/);
  await openOrder(lead);
  await lead.getByText('Ben had started this planned order before you').waitFor();
  await openOrder(worker);
  await worker.getByText('Ada also started this planned order').waitFor();
  const planned = (await ada.call('GET', '/work_orders')).body as PlannedOrder[];
  expect(planned).toMatchObject([
    { status: 'started', holders: [ben.userid], others: [{ userid: ada.userid }] },
  ]);
});
