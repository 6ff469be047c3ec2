import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const code = 'abcd-efgh-jkmn';
const emptyServer = { signedOut: true, emptyServer: true };

async function fill(app: AppPage, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields))
    await app.page.getByRole('textbox', { name }).fill(value);
}

test('the sign-in screen of an empty server leads to its setup', async () => {
  await using app = await bench.open('/', emptyServer);
  await app.page.getByRole('link', { name: 'Set up this server' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Set up this server' }).waitFor();
  await using other = await bench.open('/', { signedOut: true });
  await expect.poll(() => other.calls('setupState')).not.toEqual([]);
  expect(await other.page.getByRole('link', { name: 'Set up this server' }).count()).toBe(0);
});

test('a new site is set up, and its administrator is signed in', async () => {
  await using app = await bench.open('/setup', emptyServer);
  await app.page.getByRole('button', { name: 'Set up the site' }).click();
  await app.page.getByText('Enter the code that the server printed').waitFor();
  await fill(app, { Code: 'aaaa-aaaa-aaaa', 'Name of the site': 'North plant', 'Your name': 'Ada' });
  await fill(app, { 'E-mail': 'ada@example.com', Password: 'a long password' });
  await app.page.getByRole('button', { name: 'Set up the site' }).click();
  await app.page.getByText('The code is wrong.', { exact: false }).waitFor();
  await fill(app, { Code: ` ${code} ` });
  await app.page.getByRole('button', { name: 'Set up the site' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
  expect((await app.calls('setUp')).at(-1)?.[1]).toEqual({
    code,
    title: 'North plant',
    username: 'Ada',
    email: 'ada@example.com',
    password: 'a long password',
  });
});

test('a backup is restored with four clicks', async () => {
  await using app = await bench.open('/setup', emptyServer);
  let clicks = 0;
  const click = async (role: 'button' | 'link' | 'radio', name: string): Promise<void> => {
    clicks += 1;
    await (role === 'radio' ? app.page.getByText(name) : app.page.getByRole(role, { name })).click();
  };
  await fill(app, { Code: code });
  await click('radio', 'Restore a backup');
  await click('button', 'Show backups');
  await app.page.getByText('North plant, ', { exact: false }).first().waitFor();
  await app.page.getByText('2 older backups aren’t listed').waitFor();
  await app.page.getByText('These backups don’t contain the server’s key').waitFor();
  await click('button', 'Restore this backup');
  await app.page.getByText('The backup is restored').waitFor();
  await click('link', 'Sign in');
  await app.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(clicks).toBe(4);
  expect(await app.calls('restoreBackup')).toEqual([
    [expect.any(String), { code, backup: '2026-11-25T03-00-00Z' }],
  ]);
});
