import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';

import type { PlannedOrder } from '#shared/model/planned-orders.ts';
import { must } from '#shared/must.ts';
import { ok } from '#test/support/approvals.ts';
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

/** Fills in the plan of WO-7, without saving it. Returns the dialog. */
async function planFor(page: Page, title: string, who: string): Promise<Locator> {
  await go(page, '/planned');
  await page.getByRole('button', { name: 'Plan an order' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Work order number').fill('WO-7');
  await dialog.getByRole('combobox', { name: 'Guide' }).fill(title.slice(0, 6));
  await page.getByRole('option', { name: title }).first().click();
  await dialog.getByRole('button', { name: /Who does it/ }).click();
  await page.getByRole('option', { name: who }).click();
  return dialog;
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

test('PLANNED-10 PLANNED-11 a lead plans an order for a release; the guide changes, and the worker starts it offline by the release', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, openDevice } = await startWholeApp(resources);
  const admin = await server.person('Mira', ['User', 'Admin']);
  await ok(admin.call('PATCH', '/site', { releases: true }));
  const ben = await server.person('Ben', ['User']);
  const { teamid } = await ok<{ teamid: number }>(ada.call('POST', '/teams', { name: 'Line B' }));
  await ok(ada.call('PUT', `/teams/${teamid}/users/${ben.userid}`));
  const guide = await makeGuide(ada);
  const own = `/guides/${guide.guideid}`;
  await ok(ada.call('POST', `${own}/releases?revisionid=${guide.revisionid}`, {}));
  const [first, second] = [await openDevice(), await openDevice()];
  const lead = await ready(first, 'ada');
  const dialog = await planFor(lead, guide.title, 'Ben');
  await dialog.getByRole('button', { name: /Revision to work by/ }).click();
  await lead.getByRole('option', { name: /^v1.0 · Revision 1 of / }).click();
  await dialog.getByRole('button', { name: 'Plan an order' }).click();
  await status(lead, /^Synced/);
  const [step] = guide.steps;
  const { stepid, revisionid } = must(step, 'a step');
  const lines = [{ text: 'Unplug it and wait' }];
  await ok(ada.call('PATCH', `${own}/steps/${stepid}?revisionid=${revisionid}`, { lines }));

  const worker = await ready(second, 'ben');
  const planned = worker.getByRole('region', { name: 'Planned for you' });
  await planned.getByText('By release v1.0 · Revision 1 of').waitFor();
  await second.goOffline();
  await start(worker);
  await worker.getByText('You work by release v1.0, as planned').waitFor();
  await worker.getByRole('button', { name: 'First step' }).click();
  await worker.getByText('Unplug it', { exact: true }).waitFor();
  await second.goOnline();
  await status(worker, /^Synced/);
  await openOrder(worker);
  await worker.getByText(/Revision 1 of .* · release v1\.0/).waitFor();
});

test('PLANNED-4 a lead plans an order for the team; two start it offline, and both read which one counts', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, openDevice } = await startWholeApp(resources);
  const ben = await server.person('Ben', ['User']);
  const guide = await makeGuide(ada);
  const { teamid } = (await ada.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number };
  await ada.call('PUT', `/teams/${teamid}/users/${ben.userid}`);
  const [first, second] = [await openDevice(), await openDevice()];
  const lead = await ready(first, 'ada');
  const dialog = await planFor(lead, guide.title, 'Team: Line B');
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
