import { mkdir } from 'node:fs/promises';

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { ok } from '#test/support/approvals.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { keptOffline, signIn, startWholeApp, status } from './whole-app.ts';

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['BENCHBOOK_SHOTS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}

test('WORK-REVISION-5 WORK-REVISION-6 the guide changes while an order runs: the person sees it, decides offline, and the record says so', async () => {
  await using resources = new AsyncDisposableStack();
  const { ada, openDevice } = await startWholeApp(resources);
  const guide = await makeGuide(ada);
  const device = await openDevice();
  const page = await device.context.newPage();
  await page.goto(device.wire.url);
  await signIn(page);
  await status(page, /^Synced/);
  await page.goto(`${device.wire.url}/guides/${guide.guideid}`);
  await page.getByText('Ready offline').waitFor();
  await keptOffline(page);
  await page.getByRole('button', { name: 'Start work order' }).first().click();
  await page.getByLabel('Work order number').fill('WO-7');
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'First step' }).click();
  await page.getByText('Unplug it').waitFor();
  await page.getByText(/^Revision 1 of/).waitFor();
  await status(page, /^Synced/);

  const step = must(guide.steps[0], 'a step');
  const path = `/guides/${guide.guideid}/steps/${step.stepid}?revisionid=${step.revisionid}`;
  await ok<Guide>(ada.call('PATCH', path, { lines: [{ text: 'Unplug it and wait' }] }));
  await page.getByText(/^The guide changed: Revision 2 of/).waitFor();
  expect(await page.getByText('Unplug it and wait').count()).toBe(0);
  await shot(page, 'revision-1-notice');

  await device.goOffline();
  await status(page, /^Offline/);
  await page.getByRole('button', { name: 'Show what changed' }).click();
  await page.getByRole('dialog').getByText('Unplug it and wait').waitFor();
  await shot(page, 'revision-2-difference');
  await page.getByRole('button', { name: 'Change to revision 2' }).click();
  await page.getByText('Unplug it and wait').waitFor();
  await page.getByText(/^Revision 2 of/).waitFor();
  await page.reload();
  await page.getByText('Unplug it and wait').waitFor();

  await device.goOnline();
  await status(page, /^Synced/);
  const { results } = await ok<{ results: WorkLogEntry[] }>(ada.call('GET', '/work_log?workorderid=WO-7'));
  expect(must(results[0], 'the entry').revisions).toMatchObject([
    { decision: 'start', revision_number: 1 },
    { decision: 'switch', revision_number: 2 },
  ]);
});
