import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';
import { looks, offences } from './axe.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('AP14 what waits for the person is listed, and leads to who signed, when and what it means', async () => {
  await using app = await bench.open('/', { approvals: true });
  const { page } = app;
  await page.getByRole('link', { name: 'Approvals, 1 waiting for you' }).click();
  await page.getByText('Quality: 0 of 1 signed').waitFor();
  await page.getByRole('link', { name: 'Bench Grinder Drive Belt Replacement' }).click();
  await page.getByText('Tom Okafor').first().waitFor();
  await page.getByText('Reviewed · 2026-05-04 09:00:00 UTC').waitFor();
  await page.getByRole('button', { name: 'Compare with the published version' }).click();
  await page.getByRole('heading', { name: 'Step 2 is new' }).waitFor();
  await page.getByText('Change the belt safely.').waitFor();
  expect(app.errors).toEqual([]);
});

test('AP5 AP7 signing asks for the password, and a rejection for its reason', async () => {
  await using app = await bench.open('/approvals/9001', { approvals: true });
  const { page } = app;
  await page.getByRole('button', { name: 'Sign' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
  await dialog.getByText('Type your password').waitFor();
  await dialog.getByText('Rejected').click();
  await dialog.getByLabel('Your password').fill('wrong');
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
  await dialog.getByText('Say why you reject it').waitFor();
  expect(await app.calls('signApproval')).toEqual([]);
  await dialog.getByLabel('Why you reject it').fill('Wrong torque');
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
  await dialog.getByText('This is not your password').waitFor();
  expect(await dialog.getByLabel('Your password').inputValue()).toBe('');
  await dialog.getByText('Approved', { exact: true }).click();
  await dialog.getByLabel('Your password').fill('open sesame');
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByText('You have signed').waitFor();
  await page.getByText('Approved · 2026-05-04 10:00:00 UTC').waitFor();
  const [, last] = await app.calls('signApproval');
  expect(last).toEqual([
    9,
    { decision: 'approve', comment: 'Wrong torque', revisionHash: '6a1f'.repeat(16) },
    'open sesame',
  ]);
  expect(await page.getByRole('button', { name: 'Sign' }).count()).toBe(0);
});

test('without a connection a signature is prepared, kept through a reload without the password, and not sent', async () => {
  await using app = await bench.open('/approvals/9001', { approvals: true });
  const { page } = app;
  const offline = () =>
    page.evaluate(() =>
      window.fixture.change(({ sync }) => ({ sync: { ...sync, connection: 'offline' as const } })),
    );
  await offline();
  await page.getByRole('button', { name: 'Sign' }).click();
  await page.getByText('Signing needs the server').waitFor();
  await page.getByLabel('Remark').fill('Checked at line B');
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).isDisabled()).toBe(
    true,
  );
  expect(await page.getByLabel('Your password').isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Keep for later' }).click();
  await page.goto(`${bench.url}/approvals`);
  await page.getByText('Prepared').waitFor();
  await page.getByRole('link', { name: 'Bench Grinder Drive Belt Replacement' }).click();
  await page.getByRole('button', { name: 'Sign' }).click();
  expect(await page.getByLabel('Remark').inputValue()).toBe('Checked at line B');
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  expect(kept).not.toContain('password');
});

test('AP12 the guide shows beside its steps who signed the version, what it means, and when in UTC', async () => {
  await using app = await bench.open('/guides/9001', { approvals: true });
  const panel = app.page.getByRole('region', { name: 'Approval' });
  await panel.getByText('Waits for approval').waitFor();
  await panel.getByText('Tom Okafor').waitFor();
  await panel.getByText('Reviewed · 2026-05-04 09:00:00 UTC').waitFor();
});

test('AP1 AP3 an administrator makes a process with stages and says where new guides begin with it', async () => {
  await using app = await bench.open('/settings', { administrator: true });
  const { page } = app;
  await page.getByRole('link', { name: 'Approval processes' }).click();
  await page.getByRole('button', { name: 'New process' }).click();
  await page.getByRole('button', { name: 'Save process' }).click();
  await page.getByText('Every stage needs a name and somebody who signs').waitFor();
  await page.getByRole('textbox', { name: /^Name(?! of)/ }).fill('Machine safety');
  await page.getByRole('textbox', { name: /^Name of the stage/ }).fill('Check');
  await page.getByText('Reviewed').click();
  await page.getByRole('button', { name: /Add a person or team/ }).click();
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Save process' }).click();
  await page.getByText('The server has the process').waitFor();
  const [[processid, made]] = (await app.calls('saveProcess')) as [[null, { stages: unknown[] }]];
  expect(processid).toBeNull();
  expect(made).toMatchObject({ name: 'Machine safety', stages: [{ name: 'Check', meaning: 'reviewed' }] });
  await page.getByRole('button', { name: /Add a category/ }).click();
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: /no longer begin with it/ }).waitFor();
  expect((await app.calls('setDefaultProcess'))[0]?.[1]).toBe(1);
});

test.each(looks)('%s: approvals have no barrier that axe finds', async (_, look) => {
  await using app = await bench.open('/approvals', { approvals: true }, look);
  expect(await offences(app.page, look)).toEqual([]);
  await app.page.getByRole('link', { name: 'Bench Grinder Drive Belt Replacement' }).click();
  await app.page.getByRole('button', { name: 'Sign' }).waitFor();
  expect(await offences(app.page, look)).toEqual([]);
  await app.page.getByRole('button', { name: 'Sign' }).click();
  await app.page.getByRole('dialog').waitFor();
  expect(await offences(app.page, look)).toEqual([]);
});
