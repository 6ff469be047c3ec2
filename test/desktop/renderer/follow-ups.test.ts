import { afterAll, beforeAll, expect, test } from 'vitest';

import { activityItem } from '#test/support/fixture-activity.ts';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('FOLLOW-UP-4 a lead plans the follow-up order of a deviation, which shows it at once', async () => {
  await using app = await bench.open('/deviations', { lead: true });
  const decided = app.page.getByRole('region', { name: 'Decided' });
  await decided.getByRole('button', { name: 'Plan follow-up order' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Follow-up order of “Cover undamaged”' });
  expect(await dialog.getByLabel('Work order number').inputValue()).toBe('WO-1037-R1');
  expect(await dialog.getByRole('combobox', { name: 'Guide' }).inputValue()).toBe('Wheel dressing');
  expect(await dialog.getByLabel('Note').inputValue()).toBe('Answer: Fail\nSmooth the edge and paint it.');
  expect(await dialog.getByRole('button', { name: /Repeats/ }).count()).toBe(0);
  await dialog.getByRole('button', { name: /Who does it/ }).click();
  await app.page.getByRole('option', { name: 'Team: Line B' }).click();
  await dialog.getByRole('button', { name: 'Plan an order' }).click();
  await dialog.waitFor({ state: 'detached' });
  await decided.getByRole('link', { name: 'WO-1037-R1' }).waitFor();
  await decided.getByText('For Line B').waitFor();
  await decided.getByText('Not on the server yet').waitFor();
  expect(await decided.getByRole('button', { name: 'Plan follow-up order' }).count()).toBe(0);
  const plan = { workorderid: 'WO-1037-R1', guideid: '9002', assignee: { kind: 'team', id: 3 } };
  expect(await app.calls('planFollowUp')).toMatchObject([['309', plan]]);
  await decided.getByRole('link', { name: 'WO-1037-R1' }).click();
  await app.page.getByText('Follow-up of the deviation “Cover undamaged”').waitFor();
});

test('FOLLOW-UP-4 one that arrived second is planned as an order of its own', async () => {
  await using app = await bench.open('/sync');
  const second = activityItem('second', 1, {
    state: 'parked',
    subject: 'WO-1037-R2',
    kind: 'planned',
    detail: 'follow-up',
    refusal: { status: 409, message: 'A follow-up order was planned before yours arrived.', errors: [] },
    call: { method: 'POST', path: '/deviations/309/follow_up', body: {} },
  });
  await app.change({ activity: [second] });
  await app.page.getByText('A follow-up order was planned before yours arrived.').waitFor();
  await app.page.getByRole('button', { name: 'Plan as an order of its own' }).click();
  await expect.poll(() => app.calls('planAsOwnOrder')).toEqual([['second']]);
});
