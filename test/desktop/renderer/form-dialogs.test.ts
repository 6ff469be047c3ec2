import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

describe('DIALOG-1 Enter does what the main button does', () => {
  test('in a dialog with two fields', async () => {
    await using app = await bench.open('/administration/teams', { administrator: true });
    const { page } = app;
    await page.getByRole('button', { name: 'New team' }).click();
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' });
    await name.press('Enter');
    await page.getByText('Enter a name').waitFor();
    await name.fill('Line D');
    await name.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Line D' }).waitFor();
    expect(await app.calls('createTeam')).toEqual([['Line D', null]]);
  });

  test('in a dialog that asks for a proof afterwards', async () => {
    await using app = await bench.open('/administration/people', { administrator: true });
    const { page } = app;
    await page.getByRole('button', { name: 'Add a person' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Ida');
    const email = page.getByRole('textbox', { name: /^E-mail/ });
    await email.fill('ida@example.com');
    await email.press('Enter');
    const password = page.getByLabel('Current password');
    await password.fill('a long password');
    await password.press('Enter');
    await expect.poll(() => app.calls('createAccount')).toHaveLength(1);
  });

  test('with Ctrl in a field of several lines, where Enter alone begins a new one', async () => {
    await using app = await bench.open('/guides/9001/history', {});
    const { page } = app;
    await page.getByRole('button', { name: 'Release…' }).click();
    const notes = page.getByRole('dialog').getByLabel('What is new');
    await notes.fill('Gloves');
    await notes.press('Enter');
    await notes.pressSequentially('and glasses');
    expect(await app.calls('releaseGuide')).toEqual([]);
    await notes.press('Control+Enter');
    await expect
      .poll(() => app.calls('releaseGuide'))
      .toMatchObject([['9001', 107, { notes: 'Gloves\nand glasses' }]]);
  });
});
