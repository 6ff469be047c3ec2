import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { text } from '#desktop/renderer/text/en.ts';

import { openWorkbench, type Workbench } from './app-page.ts';
import { looks, offences } from './axe.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

function isFocused(field: Locator): Promise<boolean> {
  return field.evaluate((element) => element === document.activeElement);
}

test('USER-13 a password is changed with the current one, and is in no browser storage', async () => {
  await using app = await bench.open('/settings', {});
  const { page } = app;
  await page.getByRole('link', { name: 'Sign-in and security' }).click();
  const field = page.getByLabel('New password');
  const change = page.getByRole('button', { name: 'Change password' });
  await field.fill('short');
  await change.click();
  await page.getByText('Enter ten characters or more').waitFor();
  await field.fill('canary of a new password');
  await change.click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
  const confirm = dialog.getByRole('button', { name: 'Confirm' });
  await confirm.click();
  await dialog.getByText('Enter your current password').waitFor();
  await dialog.getByLabel('Current password').fill('canary of a wrong one');
  await confirm.click();
  await dialog.getByText('This is not your password').waitFor();
  await expect.poll(() => isFocused(dialog.getByLabel('Current password'))).toBe(true);
  for (const [, look] of looks) {
    await app.wear(look);
    expect(await offences(page, look)).toEqual([]);
  }
  expect(await dialog.getByLabel('Current password').inputValue()).toBe('');
  await dialog.getByLabel('Current password').fill('a long password');
  await dialog.getByLabel('Current password').press('Enter');
  await page.getByText('Password changed').waitFor();
  expect(await field.inputValue()).toBe('');
  expect((await app.calls('changePassword')).at(-1)).toEqual([
    'canary of a new password',
    { password: 'a long password' },
  ]);
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(kept).not.toContain('canary');
});

test('USER-13 offline, the change says that it needs the server', async () => {
  await using app = await bench.open('/settings/account', {});
  const { page } = app;
  await page.getByLabel('New password').fill('a password of my own');
  await page.getByRole('button', { name: 'Change password' }).click();
  const note = page.getByRole('dialog').getByRole('note');
  expect(await note.count()).toBe(0);
  await page.evaluate(() =>
    window.fixture.change(({ sync }) => ({ sync: { ...sync, connection: 'offline' } })),
  );
  await note.getByText(text.training.needsServer).waitFor();
  expect(await page.getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true);
});

test('USER-13 a refused change is explained beside the field, and the input stays', async () => {
  await using app = await bench.open('/settings/account', {});
  const { page } = app;
  const field = page.getByLabel('New e-mail address');
  await field.fill('taken@example.com');
  await page.getByRole('button', { name: 'Change e-mail address' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill('a long password');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('This e-mail address has an account already, or had one').waitFor();
  expect(await field.inputValue()).toBe('taken@example.com');
});

test('LANGUAGE-12 a person chooses the language of their mails', async () => {
  await using app = await bench.open('/settings/account', {});
  const { page } = app;
  const field = page.getByRole('button', { name: /E-mails are in/ });
  await field.filter({ hasText: 'German' }).click();
  await page.getByRole('option', { name: 'English' }).click();
  await page.getByText('E-mails will be in English').waitFor();
  await field.filter({ hasText: 'English' }).waitFor();
  expect(await app.calls('changeMailLanguage')).toEqual([['en']]);
});

test('USER-15 a person whose password another person set is told so', async () => {
  await using app = await bench.open('/settings/account', { mustSetPassword: true });
  await app.page.getByText('Choose your own password').waitFor();
});

test('USER-16 sign-ins are listed, and ended one by one or all others together', async () => {
  await using app = await bench.open('/settings/account', {});
  const { page } = app;
  const rows = page.getByRole('listitem').filter({ hasText: 'Last used' });
  await expect.poll(() => rows.count()).toBe(3);
  await rows.filter({ hasText: 'Benchbook on Linux' }).getByText('This device').waitFor();
  await rows.filter({ hasText: 'Safari · iPad' }).getByText(', from 2001:db8:0:7::42').waitFor();
  await page.getByRole('button', { name: 'Sign out Mira, acting as this person' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect.poll(() => rows.count()).toBe(1);
  expect(await app.calls('endSignIn')).toEqual([[9101, 'acting']]);
});

test('USER-16 a shared kiosk offers none of it', async () => {
  await using app = await bench.open('/settings', { kiosk: true });
  await app.page.getByText('Signed in as').waitFor();
  expect(await app.page.getByRole('link', { name: 'Sign-in and security' }).count()).toBe(0);
});

test('SITE-18 a person acting as another sees it on every screen and can stop there', async () => {
  await using app = await bench.open('/people/9102', { administrator: true });
  const { page } = app;
  const notice = page.getByRole('region', { name: 'Acting as another person' });
  expect(await notice.count()).toBe(0);
  await page.getByRole('button', { name: /^Act as / }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Act as / })
    .click();
  await notice.getByText('recorded under Ana Ruiz').waitFor();
  for (const path of [
    '/',
    '/guides/9001',
    '/work-orders',
    '/sync',
    '/settings',
    '/people',
    '/nothing-here',
  ]) {
    await page.evaluate((to) => {
      history.pushState(null, '', to);
    }, path);
    await expect.poll(() => notice.isVisible(), { message: path }).toBe(true);
  }
  await notice.getByRole('button', { name: 'Stop' }).click();
  expect(await app.calls('signOut')).toEqual([['remove']]);
});
