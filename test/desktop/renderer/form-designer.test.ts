import { afterAll, beforeAll, expect, test } from 'vitest';

import type { DesignedForm } from '#desktop/engine/areas/step-forms.ts';
import type { DesignedField } from '#shared/rules/form-design.ts';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';
import { everyLook, offences } from './axe.ts';
import { grinder } from './editor-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

/** The editor at a step without a form; opens the designer. */
async function designer(): Promise<AppPage> {
  const app = await bench.open(`${grinder}#s90003`);
  await app.page.getByRole('button', { name: 'Add a form' }).click();
  await app.page.getByRole('dialog').waitFor();
  return app;
}

async function add(app: AppPage, kind: string, label: string): Promise<void> {
  await app.page.getByRole('button', { name: 'Add field' }).click();
  await app.page.getByRole('menuitem', { name: kind, exact: true }).click();
  await app.page
    .getByRole('textbox', { name: 'Name of the field' })
    .last()
    .and(app.page.locator(':focus'))
    .waitFor();
  await app.page.keyboard.type(label);
}

async function saved(app: AppPage): Promise<DesignedField[]> {
  await app.page.getByRole('button', { name: 'Save form' }).click();
  await expect.poll(async () => (await app.calls('saveStepForm')).length).toBe(1);
  const [args = []] = await app.calls('saveStepForm');
  return args[2] as DesignedField[];
}

test('STEPFORM-1 a fault is told beside its field when that is left, and saving leads to it', async () => {
  await using app = await designer();
  const { page } = app;
  await add(app, 'Number', 'Torque');
  const torque = page.getByRole('region', { name: 'Torque' });
  await torque.getByRole('textbox', { name: 'Tolerance ±' }).fill('0.5');
  expect(await torque.getByRole('alert').textContent()).toBe('');
  await add(app, 'Text, one line', '');
  await torque.getByText('A tolerance needs a target').waitFor();
  await page.getByRole('button', { name: 'Save form' }).click();
  await torque.getByRole('textbox', { name: 'Name of the field' }).and(page.locator(':focus')).waitFor();
  await page.getByText('2 fields need a correction').waitFor();
  await page.getByText('Name the field, with at most 500 characters').waitFor();
  expect(await app.calls('saveStepForm')).toEqual([]);
  await torque.getByRole('textbox', { name: 'Target' }).fill('about two');
  await page.getByRole('region', { name: 'unnamed' }).getByRole('button', { name: 'Remove field' }).click();
  await torque.getByText('Enter a number such as 2.5').waitFor();
  await torque.getByRole('textbox', { name: 'Target' }).fill('2');
  expect(await saved(app)).toMatchObject([{ label: 'Torque', target: 2, tolerance: 0.5 }]);
});

test('fields are moved, duplicated and removed, and a removed one comes back', async () => {
  await using app = await bench.open(`${grinder}#s90004`);
  const { page } = app;
  await page.getByRole('button', { name: 'Edit form' }).click();
  const names = () =>
    page
      .getByRole('textbox', { name: 'Name of the field' })
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  const first = page.getByRole('region', { name: /^Field 1:/ });
  await first.waitFor();
  const before = await names();
  await first.getByRole('button', { name: 'Move field down' }).click();
  await expect.poll(names).toEqual([before[1], before[0], ...before.slice(2)]);
  await first.getByRole('button', { name: 'Duplicate field' }).click();
  await expect.poll(names).toEqual([before[1], `${before[1]} (copy)`, before[0], ...before.slice(2)]);
  await first.getByRole('button', { name: 'Remove field' }).click();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(async () => (await names())[0]).toBe(before[1]);
});

test('what was typed into a form survives the end of the app, and can be discarded', async () => {
  await using app = await designer();
  const { page } = app;
  await add(app, 'Text, one line', 'Remark');
  await page.getByText('Unsaved changes are kept on this device.').waitFor();
  await expect.poll(async () => (await app.calls('keepForm')).length).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Add a form' }).click();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Name of the field' }).inputValue())
    .toBe('Remark');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('button', { name: 'Add a form' }).click();
  await page.getByText('This step has no form yet').waitFor();
});

test('MERGE-96 contradicting versions are shown side by side, and saving waits for the choice', async () => {
  await using app = await bench.open(`${grinder}#s90003`);
  const { page } = app;
  const field = (label: string): DesignedField => ({
    field_guid: 'g1',
    field_type: 'Text Input',
    label,
    placeholder: '',
    textarea: '',
    required: true,
    options: [],
  });
  const refused = (theirs: string): DesignedForm => ({
    stepid: '90003',
    isStepSaved: true,
    base: { form_revisionid: 2, fields: [{ ...field(theirs), field_revisionid: 3 }] },
    fields: [field(theirs)],
    state: 'refused',
    refusal: 'Someone else changed the same fields of this form meanwhile.',
    conflicts: [{ field_guid: 'g1', property: 'label', mine: 'Mine', theirs }],
  });
  await app.change({ forms: { '90003': refused('Theirs') } });
  await page.getByText('Not saved: look at it').waitFor();
  await page.getByRole('button', { name: 'Edit form' }).click();
  await page.getByText('Mine: Mine').waitFor();
  const save = page.getByRole('button', { name: 'Save form' });
  expect(await save.isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Use mine' }).click();
  await expect.poll(() => save.isDisabled()).toBe(false);
  await app.change({ forms: { '90003': refused('Theirs anew') } });
  await page.getByText('Theirs: Theirs anew').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Use mine' }).click();
  expect(await saved(app)).toMatchObject([{ label: 'Mine' }]);
});

test('the designer is accessible in every look', { timeout: 300_000 }, async () => {
  await using app = await designer();
  await add(app, 'Number', 'Torque');
  await add(app, 'One answer, all visible', 'Result');
  await add(app, 'Signature of a second person', 'Confirmed by');
  for (const [name, look] of everyLook) {
    await app.wear(look);
    expect([name, await offences(app.page, look)]).toEqual([name, []]);
  }
});
