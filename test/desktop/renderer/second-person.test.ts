import { afterAll, beforeAll, expect, test } from 'vitest';

import type { FormFieldView } from '#desktop/engine/api/records.ts';
import type { FormField } from '#shared/model/step-form.ts';
import { demoGuides } from '#test/support/fixture-guide.ts';

import { openWorkbench, type AppPage, type Look, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const blank = { placeholder: '', textarea: '', required: true, options: [] };
const fields: FormFieldView[] = [
  {
    ...blank,
    field_revisionid: 500,
    field_guid: 'torque',
    field_type: 'Numeric Input',
    label: 'Torque',
    unit: 'N·m',
    options: { limit_decimals: true, decimals: 1, limit_min: false, min: 0, limit_max: false, max: 0 },
    stepid: '90004',
  },
  {
    ...blank,
    field_revisionid: 501,
    field_guid: 'checked',
    field_type: 'Text Input',
    label: 'Checked by',
    second_person: 'anyone',
    stepid: '90004',
  },
];

/** Step 4 of the bench grinder with a torque and a second person, in a running work order without waiting calls. */
async function open(look: Look = {}): Promise<AppPage> {
  const guides = demoGuides().map((guide) => ({
    ...guide,
    steps: guide.steps.map((step) => ({ ...step, fields: step.stepid === '90004' ? fields : [] })),
  }));
  const app = await bench.open('/guides/9001#s90004', { running: true }, look);
  await app.change({ guides });
  await app.page.evaluate(() =>
    window.fixture.change(({ orders }) => ({ orders: orders.map((order) => ({ ...order, pending: 0 })) })),
  );
  // A kiosk has its own keypad.
  if (look.density !== 'kiosk') await app.page.getByRole('textbox', { name: 'Torque' }).fill('12');
  await app.page.getByRole('button', { name: 'Have someone confirm' }).click();
  await app.page.getByRole('dialog', { name: 'Checked by: second person' }).waitFor();
  return app;
}

async function choose({ page }: AppPage, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Who confirms' }).fill(name.slice(0, 3));
  await page.getByRole('option', { name }).first().click();
}

async function called(app: AppPage, action: 'recordValue' | 'confirmAsColleague') {
  return (await app.calls(action)).map(([, field, ...rest]) => [(field as FormField).label, ...rest]);
}

test('COSIGN-3 a colleague sees the values, chooses their name and enters their password', async () => {
  await using app = await open();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByText('12 N·m').waitFor();
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await dialog.getByText('Choose who confirms').waitFor();
  await choose(app, 'Ben Okafor');
  const password = dialog.getByLabel('Password of Ben Okafor');
  await password.fill('a guess');
  await password.press('Enter');
  await dialog.getByText('This is not the password of that person').waitFor();
  expect(await password.inputValue()).toBe('');
  await password.fill('a long password');
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const group = app.page.getByRole('group', { name: 'Checked by' });
  await group.getByText('Confirmed', { exact: true }).waitFor();
  await group.getByText('with password, 2026-11-28').waitFor();
  expect(await called(app, 'recordValue')).toEqual([['Torque', '12']]);
});

test('COSIGN-4 offline the app says that a name is not verified, and records it', async () => {
  await using app = await open({ density: 'kiosk', width: 1024, height: 768 });
  await app.page.evaluate(() =>
    window.fixture.change(({ sync }) => ({ sync: { ...sync, connection: 'offline' } })),
  );
  const dialog = app.page.getByRole('dialog');
  await dialog.getByText('Verifying needs a connection').waitFor();
  expect(await dialog.locator('input[type=password]').count()).toBe(0);
  await choose(app, 'Ben Okafor');
  await dialog.getByRole('button', { name: 'Only record the name' }).click();
  await dialog.waitFor({ state: 'detached' });
  const group = app.page.getByRole('group', { name: 'Checked by' });
  await group.getByText('Named, not verified').waitFor();
  expect(await called(app, 'recordValue')).toContainEqual([
    'Checked by',
    'Ben Okafor',
    { second_person: 9102 },
  ]);
  expect(await app.calls('confirmAsColleague')).toEqual([]);
});

test('COSIGN-4 a named person finds what waits for them, and confirms with their own password', async () => {
  await using app = await bench.open('/work-orders');
  const waiting = {
    entryid: '504',
    workorderid: 'WO-1017',
    guideTitle: 'Replacing the belt',
    label: 'Checked by',
    username: 'Ben Okafor',
    at: Date.now(),
  };
  await app.page.evaluate((one) => {
    const second = {
      state: 'named',
      name: 'Ana Ruiz',
      named: null,
      at: null,
      method: null,
      isLate: false,
    } as const;
    window.fixture.change(({ orders }) => ({
      toConfirm: [one],
      orders: orders.map((order) => {
        const [first] = Object.values(order.values);
        if (order.entryid !== '504' || first === undefined) return order;
        const value = {
          ...first,
          value: 'Ana Ruiz',
          label: 'Checked by',
          fieldType: 'Text Input',
          second,
        } as const;
        return { ...order, values: { ...order.values, 501: value } };
      }),
    }));
  }, waiting);
  await app.page.getByRole('region', { name: 'Waiting for your confirmation' }).getByRole('link').click();
  const row = app.page.getByRole('row', { name: /Checked by/ });
  await row.getByText('Named, not verified').waitFor();
  await row.getByRole('button', { name: 'Confirm “Checked by”' }).click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill('a long password');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await row.getByText('Confirmed', { exact: true }).waitFor();
  expect(await app.calls('confirmStep')).toEqual([
    ['504', { field_revisionid: 501, stepid: '90001' }, { password: 'a long password' }],
  ]);
});
