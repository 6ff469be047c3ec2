import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const elsewhere = [
  { home: 'a', server: 'http://bench.local:4020', username: 'Ana', changes: 4 },
  { home: 'b', server: null, username: '', changes: 1 },
];

test('ACCOUNT-9 work that waits for others is listed in Sync, which does not say that all work is on the server', async () => {
  await using app = await bench.open('/sync', { elsewhere });
  const { page } = app;
  await page
    .getByRole('heading', { level: 1, name: '5 changes are waiting for another server or account' })
    .waitFor();
  await page.getByText('4 changes are waiting for http://bench.local:4020 (Ana)').waitFor();
  await page.getByText('1 change is waiting for a server that this device no longer knows').waitFor();
  expect(await page.getByText('All your work is on the server').count()).toBe(0);
  await page.getByRole('link', { name: 'Sign in there' }).click();
  const server = page.getByRole('combobox', { name: 'Server address' });
  await server.waitFor();
  expect(await server.inputValue()).toBe('http://bench.local:4020');
});

test('ACCOUNT-9 waiting work is listed where nobody is signed in, and a link cannot choose another server', async () => {
  await using app = await bench.open('/sign-in?server=https://stranger.example', {
    signedOut: true,
    elsewhere,
  });
  await app.page.getByText('4 changes are waiting for http://bench.local:4020 (Ana)').waitFor();
  const server = app.page.getByRole('combobox', { name: 'Server address' });
  expect(await server.inputValue()).not.toBe('https://stranger.example');
});

test('ACCOUNT-4 a person who signs in at an unproved address reads what to do, and can start anew', async () => {
  await using app = await bench.open('/', { signedOut: true, unproved: true });
  const { page } = app;
  await page.getByRole('combobox', { name: 'Server address' }).fill('https://guides.example.org');
  await page.getByLabel('E-mail').fill('ana@example.org');
  await page.getByLabel('Password').fill('pass word');
  await page.keyboard.press('Enter');
  await page.getByText('start the server with --origin https://guides.example.org').waitFor();
  await page.getByText('4 changes on this device are waiting for http://bench.local:4020.').waitFor();
  await page.getByRole('button', { name: 'Sign in without these changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
  expect((await app.calls('signIn')).at(-1)).toEqual([
    'https://guides.example.org',
    'ana@example.org',
    'pass word',
    true,
  ]);
});
