import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type AppPage, type Look, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

/** Every recorded value: order, field, value. */
async function recorded(app: AppPage) {
  return app.page.evaluate(() =>
    window.fixture.calls.flatMap(({ action, args }) => {
      const [entryid, field, value] = args as [string, { field_revisionid: number }, unknown];
      return action === 'recordValue' ? [[entryid, field.field_revisionid, value]] : [];
    }),
  );
}

function open(step: number, look: Look = {}) {
  return bench.open(`/guides/9001#s${90000 + step}`, { running: true }, look);
}

test('a measured value is recorded as typed and shown as saved', async () => {
  await using app = await open(4);
  const field = app.page.getByLabel('Screw torque after refitting');
  expect(await field.inputValue()).toBe('2.4');
  expect(await field.getAttribute('inputmode')).toBe('decimal');
  await field.fill('2,7');
  await expect.poll(() => recorded(app)).toEqual([['501', 97002, '2.7']]);
  await app.page
    .getByRole('region', { name: 'Record at this step' })
    .getByRole('status')
    .filter({ hasText: 'Saved on this device' })
    .waitFor();
  expect(await field.inputValue()).toBe('2.7');
});

test('a value out of limits is recorded and flagged', async () => {
  await using app = await open(4);
  const torque = app.page.getByRole('textbox', { name: 'Screw torque after refitting' });
  await app.page.getByText('Nm · 2.0 to 3.0').waitFor();
  await torque.fill('7');
  await app.page.getByText('Above the limit of 3.0 Nm. The value is recorded.').waitFor();
  expect(await recorded(app)).toEqual([['501', expect.anything(), '7']]);
  await torque.fill('1.9');
  await app.page.getByText('Below the limit of 2.0 Nm. The value is recorded.').waitFor();
  await torque.fill('2');
  await app.page.getByText('The value is recorded.').waitFor({ state: 'detached' });
});

test('a value with too many decimals is refused at the field and not recorded', async () => {
  await using app = await open(4);
  await app.page.getByLabel('Screw torque after refitting').fill('2.55');
  await app.page.getByText('Enter at most 1 decimal').waitFor();
  await app.page.getByLabel('Screw torque after refitting').blur();
  const state = app.page.getByRole('region', { name: 'Record at this step' }).getByRole('status');
  expect(await state.innerText()).toBe('1 value is not recorded');
  expect(await recorded(app)).toEqual([]);
  await app.page.getByLabel('Screw torque after refitting').fill('2.5');
  await state.filter({ hasText: 'Saved on this device' }).waitFor();
});

test('a value that cannot be stored stays in its field, is not called saved, and is stored as soon as it can be', async () => {
  await using app = await open(4);
  const { page } = app;
  await page.clock.install();
  await page.evaluate(() => {
    let failures = 2;
    window.fixture.actions.recordValue = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('The disk is full');
    };
  });
  const field = page.getByLabel('Screw torque after refitting');
  const state = page.getByRole('region', { name: 'Record at this step' }).getByRole('status');
  await field.fill('2.7');
  await page.clock.runFor(1000);
  await state.filter({ hasText: '1 value is not recorded' }).waitFor();
  expect(await field.inputValue()).toBe('2.7');
  // Leaving the field tries again.
  await field.blur();
  await expect.poll(() => recorded(app)).toHaveLength(2);
  await state.filter({ hasText: '1 value is not recorded' }).waitFor();
  await page.clock.runFor(10_000);
  await state.filter({ hasText: 'Saved on this device' }).waitFor();
  const attempt = ['501', 97002, '2.7'];
  expect(await recorded(app)).toEqual([attempt, attempt, attempt]);
});

/** Lets every value wait until `answer` says whether it could be stored. */
async function holdValues({ page }: AppPage): Promise<(value: string, isStored: boolean) => Promise<void>> {
  await page.clock.install();
  await page.evaluate(() => {
    window.fixture.actions.recordValue = (_order, _field, value) =>
      new Promise((resolve, reject) => {
        document.addEventListener(`stored ${value}`, () => resolve(), { once: true });
        document.addEventListener(`failed ${value}`, () => reject(new Error('The disk is full')), {
          once: true,
        });
      });
  });
  return async (value, isStored) => {
    await page.evaluate(
      (name) => void document.dispatchEvent(new Event(name)),
      `${isStored ? 'stored' : 'failed'} ${value}`,
    );
  };
}

test('a value is not called saved when only an earlier one has been stored', async () => {
  await using app = await open(4);
  const { page } = app;
  const answer = await holdValues(app);
  const field = page.getByLabel('Screw torque after refitting');
  const state = page.getByRole('region', { name: 'Record at this step' }).getByRole('status');
  await field.fill('2.7');
  await page.clock.runFor(1000);
  await field.fill('2.8');
  await answer('2.7', true);
  await page.clock.runFor(1000);
  expect(await state.innerText()).not.toContain('Saved');
  expect(await field.inputValue()).toBe('2.8');
  await answer('2.8', true);
  await state.filter({ hasText: 'Saved on this device' }).waitFor();
});

test('a value that could not be stored does not replace a later one that was', async () => {
  await using app = await open(4);
  const { page } = app;
  const answer = await holdValues(app);
  const field = page.getByLabel('Screw torque after refitting');
  const state = page.getByRole('region', { name: 'Record at this step' }).getByRole('status');
  await field.fill('2.7');
  await page.clock.runFor(1000);
  await field.fill('2.8');
  await page.clock.runFor(1000);
  await answer('2.7', false);
  await answer('2.8', true);
  await state.filter({ hasText: 'Saved on this device' }).waitFor();
  await page.clock.runFor(10_000);
  await field.blur();
  expect(await recorded(app)).toEqual([
    ['501', 97002, '2.7'],
    ['501', 97002, '2.8'],
  ]);
});

test('a photo that cannot be stored is not called saved', async () => {
  await using app = await open(8);
  const { page } = app;
  await page.evaluate(() => {
    window.fixture.actions.recordFile = () => Promise.reject(new Error('The disk is full'));
  });
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Take or choose a photo' }).click();
  await (await chooser).setFiles({ name: 'belt.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('photo') });
  await page
    .getByRole('region', { name: 'Record at this step' })
    .getByRole('status')
    .filter({ hasText: '1 value is not recorded' })
    .waitFor();
});

test('an example in an empty field is labelled as one', async () => {
  await using app = await open(9);
  await app.page.getByRole('textbox', { name: 'Clamp bolt torque' }).waitFor();
  await app.page.getByPlaceholder('e.g. 24', { exact: true }).waitFor();
  await using kiosk = await open(9, { density: 'kiosk' });
  await kiosk.page.getByRole('button', { name: /^Clamp bolt torque.* e\.g\. 24/ }).waitFor();
});

test('pass and fail are large buttons, distinguished by sign as well as colour', async () => {
  await using app = await open(4);
  const fail = app.page.getByRole('radio', { name: 'Fail' });
  await app.page.getByText('Fail', { exact: true }).click();
  await expect.poll(() => recorded(app)).toEqual([['501', 97003, 'Fail']]);
  expect(await fail.isChecked()).toBe(true);
  const label = app.page.locator('label').filter({ hasText: 'Fail' });
  expect(await label.locator('svg').isVisible()).toBe(true);
});

test('a checkbox is recorded as 0 and 1', async () => {
  await using app = await open(1);
  const box = app.page.getByRole('checkbox', { name: 'Plug locked, both wheels stand still' });
  expect(await box.isChecked()).toBe(true);
  await app.page.getByText('Plug locked, both wheels stand still').click();
  await expect.poll(() => recorded(app)).toEqual([['501', 97001, '0']]);
  await app.page.getByText('Plug locked, both wheels stand still').click();
  await expect.poll(() => recorded(app)).toContainEqual(['501', 97001, '1']);
});

test('a choice and a text are recorded', async () => {
  await using app = await open(7);
  await app.page.getByRole('button', { name: /Condition of the old belt/ }).click();
  await app.page.getByRole('option', { name: 'Glazed' }).click();
  await app.page.getByLabel('Print on the new belt').fill('13 × 480');
  await expect
    .poll(() => recorded(app))
    .toEqual([
      ['501', 97004, 'Glazed'],
      ['501', 97005, '13 × 480'],
    ]);
});

test('leaving the step records the typed value immediately', async () => {
  await using app = await open(7);
  await app.page.getByLabel('Print on the new belt').pressSequentially('13 x 480', { delay: 5 });
  await app.page.getByRole('button', { name: 'Next step' }).click();
  await expect.poll(() => recorded(app)).toContainEqual(['501', 97005, '13 x 480']);
});

test('a photo is taken with the camera, stored, and shown', async () => {
  await using app = await open(8);
  const button = app.page.getByRole('button', { name: 'Take or choose a photo' });
  const chooser = app.page.waitForEvent('filechooser');
  await button.click();
  const input = await chooser;
  expect(await input.element().getAttribute('capture')).toBe('environment');
  expect(await input.element().getAttribute('accept')).toBe('image/*');
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>';
  await input.setFiles({ name: 'belt.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) });
  await app.page.getByRole('img', { name: 'Photo: Photo of the seated belt' }).waitFor();
  const [args] = await app.calls('recordFile');
  expect([args?.[0], args?.[3]]).toEqual(['501', 'belt.svg']);
  await app.page.getByRole('button', { name: 'Replace' }).waitFor();
});

test('video and document have their own kinds of field', async () => {
  await using app = await open(10);
  await app.page.getByLabel('Remarks').fill('Runs quietly.\nNo smell.');
  await expect.poll(() => recorded(app)).toContainEqual(['501', 97011, 'Runs quietly.\nNo smell.']);
  const inputs = app.page.locator('input[type="file"]');
  expect(await inputs.evaluateAll((list) => list.map((input) => input.getAttribute('accept')))).toEqual([
    'video/*',
    '.pdf,application/pdf,text/*',
  ]);
});

test('without a work order fields are shown disabled, with the reason', async () => {
  await using app = await bench.open('/guides/9001#s90004');
  await app.page.getByText('Start a work order to record values here.').waitFor();
  expect(await app.page.getByLabel('Screw torque after refitting').isDisabled()).toBe(true);
});

test('"On the server" is shown only when every value is there', async () => {
  await using app = await open(4);
  const form = app.page.getByRole('region', { name: 'Record at this step' });
  await form.getByText('Saved on this device').waitFor();
  await app.page.evaluate(() => {
    window.fixture.change((world) => ({
      orders: world.orders.map((order) => ({
        ...order,
        values: Object.fromEntries(
          Object.entries(order.values).map(([id, value]) => [id, { ...value, saved: 'server' }]),
        ),
      })),
    }));
  });
  await form.getByText('On the server').waitFor();
  expect(await form.getByText('Saved on this device').count()).toBe(0);
});

test('in kiosk density numbers are entered without a keyboard', async () => {
  await using app = await open(4, { density: 'kiosk', width: 1280, height: 800 });
  await app.page.getByRole('button', { name: 'Screw torque after refitting' }).click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete last digit' }).click();
  await dialog.getByRole('button', { name: '8', exact: true }).click();
  expect(await dialog.getByRole('status').innerText()).toBe('2.8');
  await dialog.getByRole('button', { name: 'Save value' }).click();
  await expect.poll(() => recorded(app)).toEqual([['501', 97002, '2.8']]);
  await app.page.getByRole('button', { name: /2\.8/ }).waitFor();
});
