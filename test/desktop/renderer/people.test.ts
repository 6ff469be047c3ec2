import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';
import { offences } from './axe.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('OUTBOX-19 the own profile is edited, saved on the device, and shown as not yet sent', async () => {
  await using app = await bench.open('/people/9101');
  const { page } = app;
  await page.getByRole('link', { name: 'Edit my profile' }).click();
  await page.getByRole('heading', { level: 1, name: 'My profile' }).waitFor();
  await page.getByLabel('Location').fill('Hall 7');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose picture' }).click();
  await (await chooser).setFiles({ name: 'ana.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
  await page.getByRole('button', { name: 'Change picture' }).waitFor();
  await page.getByRole('button', { name: 'Save profile' }).click();
  await page.getByText('Your change is saved on this device.').waitFor();
  await page.getByText('Hall 7').waitFor();
  expect(await app.calls('saveProfile')).toMatchObject([
    [{ location: 'Hall 7', image: { id: 0, guid: 'tmp:file-0' } }],
  ]);
  expect(Object.keys((await app.calls('saveProfile'))[0]?.[0] ?? {})).toEqual(['location', 'image']);
});

test('OUTBOX-19 unsaved text is restored; cancelled text is not', async () => {
  await using app = await bench.open('/profile');
  await app.page.getByLabel('One-line summary').fill('Half a thought');
  await app.page.reload();
  await app.page.getByText(/Your unsaved changes of .+ were restored\./).waitFor();
  expect(await app.page.getByLabel('One-line summary').inputValue()).toBe('Half a thought');
  await app.page.getByRole('button', { name: 'Discard' }).click();
  await app.page.getByRole('link', { name: 'Edit my profile' }).click();
  expect(await app.page.getByLabel('One-line summary').inputValue()).toBe('');
});

test('OUTBOX-19 a name is required, and a value that is too long is reported', async () => {
  await using app = await bench.open('/profile');
  await app.page.getByRole('textbox', { name: /^Name/ }).fill('');
  expect(await app.page.getByRole('button', { name: 'Save profile' }).isDisabled()).toBe(true);
  await app.page.getByLabel('Location').fill('x'.repeat(201));
  await app.page.getByText('At most 200 characters').waitFor();
});

test("OUTBOX-19 nobody can edit another person's profile", async () => {
  await using app = await bench.open('/people/9102');
  await app.page.getByRole('heading', { name: 'Teams' }).waitFor();
  expect(await app.page.getByRole('link', { name: 'Edit my profile' }).count()).toBe(0);
  expect(await app.page.getByRole('heading', { name: 'Account', exact: true }).count()).toBe(0);
});

test('PEOPLE-6 administrators see and change the single sign-on id of a person, and are told when it is taken', async () => {
  await using app = await bench.open('/people/9102', { administrator: true });
  const { page } = app;
  const field = page.getByLabel('Single sign-on id');
  await field.waitFor();
  expect(await field.inputValue()).toBe('old@corp');
  expect(await offences(page, {})).toEqual([]);
  const save = page.getByRole('button', { name: 'Save account' });
  expect(await save.isDisabled()).toBe(true);
  const confirmed = async () => {
    await save.click();
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
    await dialog.getByLabel('Current password').fill('a long password');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await field.fill('taken@corp');
  await confirmed();
  await page.getByText('This single sign-on id belongs to another account, or did').waitFor();
  await field.fill(' ana@corp ');
  await confirmed();
  await page.getByText('Account saved').waitFor();
  expect(await field.inputValue()).toBe('ana@corp');
  await field.fill('');
  await confirmed();
  const proof = { password: 'a long password' };
  await expect
    .poll(() => app.calls('changeSsoUserid'))
    .toEqual([
      [9102, 'taken@corp', proof],
      [9102, 'ana@corp', proof],
      [9102, null, proof],
    ]);
});

test('OUTBOX-19 the account menu leads to the own profile', async () => {
  await using app = await bench.open('/');
  await app.page.getByRole('button', { name: /account and display/ }).click();
  await app.page.getByRole('menuitem', { name: 'My profile' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Ana Ruiz' }).waitFor();
});

test('OUTBOX-20 a team is joined with its code and left after a confirmation', async () => {
  await using app = await bench.open('/teams/4');
  const { page } = app;
  await page.getByRole('button', { name: 'Join' }).click();
  const dialog = page.getByRole('dialog', { name: 'Join Night shift' });
  await dialog.getByLabel('Join code').fill('knock three times');
  await dialog.getByRole('button', { name: 'Join' }).click();
  await page.getByText('Your change is saved on this device.').waitFor();
  await page.getByRole('link', { name: 'Ana Ruiz' }).waitFor();
  await page.getByRole('button', { name: 'Leave the team' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave the team' }).click();
  await page.getByRole('button', { name: 'Join' }).waitFor();
  expect(await app.calls('joinTeam')).toEqual([[4, 'knock three times']]);
  expect(await app.calls('leaveTeam')).toEqual([[4]]);
});

test('OUTBOX-21 the members of a team without a page can create one', async () => {
  await using app = await bench.open('/teams/3');
  const { page } = app;
  await page.getByRole('link', { name: 'Write a page' }).click();
  await page.getByRole('heading', { level: 1, name: 'Page for Line B' }).waitFor();
  await page.getByText('Leave it empty to use “Line B”.').waitFor();
  expect(await page.getByRole('button', { name: 'Create page' }).isDisabled()).toBe(true);
  await page.getByRole('textbox', { name: /^Text/ }).fill('We assemble grinders.');
  await page.getByRole('button', { name: 'Create page' }).click();
  await page.locator('p', { hasText: 'We assemble grinders.' }).waitFor();
  expect(await app.calls('createPage')).toMatchObject([
    ['TEAM', '3', { displayTitle: '', contents: 'We assemble grinders.' }],
  ]);
  await page.goto(new URL('/teams/4', page.url()).href);
  await page.getByRole('button', { name: 'Join' }).waitFor();
  expect(await page.getByRole('link', { name: 'Write a page' }).count()).toBe(0);
});

test('OUTBOX-20 a refusal of the server is shown where the action happened', async () => {
  await using app = await bench.open('/teams/4');
  await app.page.evaluate(() =>
    window.fixture.change(({ teams }) => ({
      teams: teams.map((team) => ({ ...team, refused: 'The join code is not the one of this team' })),
    })),
  );
  await app.page.getByRole('alert').filter({ hasText: 'The join code is not the one' }).waitFor();
  await app.page.getByRole('link', { name: 'Show in Sync' }).click();
  await app.page.waitForURL('**/sync');
});
