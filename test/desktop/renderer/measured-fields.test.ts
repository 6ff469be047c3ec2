import { afterAll, beforeAll, expect, test } from 'vitest';

import type { FormFieldView } from '#desktop/engine/api/records.ts';
import type { FormField } from '#shared/model/step-form.ts';
import { demoGuides } from '#test/support/fixture-guide.ts';
import { typeKeys } from '#test/support/type-keys.ts';

import { openWorkbench, type AppPage, type Look, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const plain = { limit_decimals: true, decimals: 1, limit_min: false, min: 0, limit_max: false, max: 0 };

/** Step 4 of the bench grinder with these fields, in a running work order. */
async function open(given: Partial<FormField>[], look: Look = {}): Promise<AppPage> {
  const form = given.map((field, index): FormField => {
    const blank: FormField = {
      field_revisionid: 500 + index,
      field_guid: `field-${index}`,
      field_type: 'Numeric Input',
      label: `Field ${index + 1}`,
      placeholder: '',
      textarea: '',
      required: false,
      options: field.field_type === undefined ? plain : [],
    };
    return { ...blank, ...field };
  });
  const isComputing = form.some(({ computed }) => computed !== undefined);
  const fields: FormFieldView[] = form.map((field) => ({
    ...field,
    stepid: '90004',
    ...(isComputing ? { form } : {}),
  }));
  const guides = demoGuides().map((guide) => ({
    ...guide,
    steps: guide.steps.map((step) => ({ ...step, fields: step.stepid === '90004' ? fields : [] })),
  }));
  const app = await bench.open('/guides/9001#s90004', { running: true }, look);
  await app.change({ guides });
  await app.page
    .getByText(form[0]?.label ?? '')
    .first()
    .waitFor();
  return app;
}

/** Every recorded value: field, value, details. */
async function recorded(app: AppPage) {
  return (await app.calls('recordValue')).map(([, field, value, details]) => [
    (field as FormField).label,
    value,
    ...(details === undefined ? [] : [details]),
  ]);
}

test('FIELD-2 a number shows its target, and is flagged when it leaves its tolerance', async () => {
  await using app = await open([{ label: 'Torque', unit: 'N·m', target: 3, tolerance: 0.2 }]);
  await app.page.getByText('Target 3.0 ± 0.2 N·m').waitFor();
  await app.page.getByRole('textbox', { name: 'Torque' }).fill('3.3');
  await app.page.getByText('Above the limit of 3.2 N·m. The value is recorded.').waitFor();
});

test('FIELD-2 the keypad of a kiosk shows the target, too', async () => {
  await using app = await open([{ label: 'Torque', unit: 'N·m', target: 3, tolerance: 0.2 }], {
    density: 'kiosk',
  });
  await app.page.getByText('Target 3.0 ± 0.2 N·m').waitFor();
});

test('FIELD-6 a computed value appears as soon as its values are there, and cannot be entered', async () => {
  await using app = await open([
    { label: 'First', key: 'm1' },
    { label: 'Second', key: 'm2' },
    {
      label: 'Average',
      computed: 'avg(m1, m2)',
      unit: 'mm',
      options: { ...plain, decimals: 2, limit_max: true, max: 3 },
    },
  ]);
  const average = app.page.getByRole('group', { name: 'Average' });
  await average.getByText('Waits for First, Second').waitFor();
  await app.page.getByRole('textbox', { name: 'First' }).fill('3');
  await average.getByText('Waits for Second').waitFor();
  await app.page.getByRole('textbox', { name: 'Second' }).fill('3.1');
  await average.getByText('3.05 mm').waitFor();
  await average.getByText('Computed: avg(First, Second)').waitFor();
  await average.getByText('Above the limit of 3.00 mm').waitFor();
  expect(await average.getByRole('textbox').count()).toBe(0);
});

test('FIELD-3 a failed check asks why, and records the reason with the answer', async () => {
  await using app = await open([{ label: 'Guard closed', field_type: 'Checkbox', reason_when_failed: true }]);
  await app.page.getByText('Not OK', { exact: true }).click();
  const why = app.page.getByRole('textbox', { name: 'Why did “Guard closed” fail?' });
  await why.fill('The hinge is bent');
  await expect
    .poll(() => recorded(app))
    .toEqual([
      ['Guard closed', '0'],
      ['Guard closed', '0', { reason: 'The hinge is bent' }],
    ]);
  await app.page.getByText('The check failed').waitFor();
  await app.page.getByText('OK', { exact: true }).click();
  await why.waitFor({ state: 'detached' });
});

test('FIELD-3 finishing asks for the reasons that are missing', async () => {
  await using app = await open([{ label: 'Guard closed', field_type: 'Checkbox', reason_when_failed: true }]);
  await app.page.getByText('Not OK', { exact: true }).click();
  await app.page.getByText('The check failed').waitFor();
  await app.page.evaluate(() => {
    location.hash = '#end';
  });
  await app.page.getByRole('button', { name: 'Finish' }).click();
  const dialog = app.page.getByRole('dialog');
  const finish = dialog.getByRole('button', { name: 'Finish' });
  expect(await finish.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Why did “Guard closed” fail?' }).fill('The hinge is bent');
  await finish.click();
  await expect
    .poll(() => recorded(app))
    .toEqual([
      ['Guard closed', '0'],
      ['Guard closed', '0', { reason: 'The hinge is bent' }],
    ]);
  expect(await app.calls('finishWorkOrder')).toHaveLength(1);
});

test('FIELD-4 photos are added and removed one by one, as many as the field takes', async () => {
  await using app = await open([{ label: 'Photos', field_type: 'Image', max_photos: 2 }]);
  const photos = app.page.getByRole('group', { name: 'Photos' });
  const picture = { mimeType: 'image/png', buffer: Buffer.from('not a real picture') };
  await photos.locator('input[type=file]').setInputFiles([
    { name: 'a.png', ...picture },
    { name: 'b.png', ...picture },
  ]);
  await photos.getByText('2 of 2 photos').waitFor();
  expect(await photos.locator('input[type=file]').count()).toBe(0);
  await photos.getByRole('button', { name: 'Remove photo 1 of Photos' }).click();
  await photos.getByText('1 of 2 photos').waitFor();
});

test('FIELD-5 a scan without focus fills in the first empty field, and an odd code is flagged', async () => {
  await using app = await open([
    { label: 'Serial', field_type: 'Text Input', format: 'barcode', pattern: 'SN-\\d+' },
    { label: 'Batch', field_type: 'Text Input', format: 'barcode' },
  ]);
  const valueOf = (name: string) => app.page.getByRole('textbox', { name }).inputValue();
  await typeKeys(app, 'SX-77', 0.01);
  await app.page.getByText('This is not what is expected here. It is recorded.').waitFor();
  await typeKeys(app, 'by hand', 0.1);
  await typeKeys(app, 'LOT 4006', 0.01);
  await expect.poll(() => valueOf('Batch')).toBe('LOT 4006');
  expect(await valueOf('Serial')).toBe('SX-77');
  expect(await recorded(app)).toEqual([
    ['Serial', 'SX-77'],
    ['Batch', 'LOT 4006'],
  ]);
});

test('FIELD-5 while a field waits for a scan, a single key keeps its meaning', async () => {
  await using app = await open([{ label: 'Serial', field_type: 'Text Input', format: 'barcode' }]);
  await app.page.keyboard.press('?');
  await app.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  expect(await recorded(app)).toEqual([]);
});
