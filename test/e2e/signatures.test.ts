import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import type { WorkLogEntry } from '#shared/model/work-log.ts';
import type { WorkRecordFile } from '#shared/model/work-record.ts';
import { ok } from '#test/support/approvals.ts';
import { makeGuide, stepAt } from '#test/support/workshop.ts';

import { go, keptOffline, signIn, startOrder, startWholeApp, status } from './whole-app.ts';

const password = 'a long password';

async function chooseBen(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Checked by: second person' });
  await dialog.getByRole('combobox', { name: 'Who confirms' }).fill('Ben');
  await page.getByRole('option', { name: 'Ben' }).first().click();
}

test('COSIGN-3 COSIGN-4 WORK-RECORD-5 a colleague is named offline, confirms online, and the record is signed with a password', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, openDevice } = await startWholeApp(resources);
  await server.person('Ben', ['User']);
  const guide = await makeGuide(ada);
  const fields = [
    { field_type: 'Text Input', label: 'Serial' },
    { field_type: 'Text Input', label: 'Checked by', required: true, second_person: 'anyone' },
  ];
  await ok(ada.call('POST', `/step_forms/${stepAt(guide, 0)}`, { fields }));
  const device = await openDevice();
  const page = await device.context.newPage();
  await page.goto(`${device.wire.url}/guides/${guide.guideid}`);
  await signIn(page);
  await status(page, /^Synced/);
  await keptOffline(page);
  await device.goOffline();

  await startOrder(page, 'WO-7');
  await page.getByLabel('Serial').fill('SN-1');
  await page.getByRole('button', { name: 'Have someone confirm' }).click();
  await page.getByText('Verifying needs a connection').waitFor();
  await chooseBen(page);
  await page.getByRole('button', { name: 'Only record the name' }).click();
  const checked = page.getByRole('group', { name: 'Checked by' });
  await checked.getByText('Named, not verified').waitFor();
  await page.getByLabel('Serial').fill('SN-2');
  await checked.getByText('No longer confirmed').waitFor();

  await device.goOnline();
  await status(page, /^Synced/);
  // The server never had the first name.
  await checked.getByRole('button', { name: 'Have someone confirm' }).click();
  await chooseBen(page);
  await page.getByLabel('Password of Ben').fill(password);
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
  await checked.getByText('Confirmed', { exact: true }).waitFor();

  await page.evaluate(() => {
    location.hash = '#end';
  });
  await page.getByRole('button', { name: 'Finish', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Finish' }).click();
  await status(page, /^Synced/);
  await go(page, '/work-orders');
  await page.getByRole('link', { name: 'WO-7' }).first().click();
  await page.getByText('This record matches').waitFor();
  await page.getByRole('button', { name: 'Sign the record' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign the record of WO-7' });
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByText('Performed by Ada').waitFor();
  await page.getByText('This record matches').waitFor();

  const { results } = (await ada.call('GET', '/work_log')).body as { results: WorkLogEntry[] };
  const { record, signatures } = await ok<WorkRecordFile>(
    ada.call('GET', `/work_log/${results[0]?.entryid}/record`),
  );
  expect(record.values).toMatchObject([{ value: 'SN-2' }, { value: 'Ben', confirmed: { name: 'Ben' } }]);
  expect(signatures).toMatchObject([{ name: 'Ada', meaning: 'performed', applies: true }]);
});
