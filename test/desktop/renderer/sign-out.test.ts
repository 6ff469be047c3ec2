import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('signing out with work that only this device has asks first, and leads to what needs attention', async () => {
  await using app = await bench.open('/', { busy: true });
  const { page } = app;
  const signOut = async (): Promise<void> => {
    await page.getByRole('button', { name: /account and display/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await signOut();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await dialog.getByText(/^\d+ changes need your decision or attention first/).waitFor();
  await dialog.getByRole('link', { name: 'Show in Sync' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/sync');
  expect(await app.calls('signOut')).toEqual([]);
  await signOut();
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await app.calls('signOut')).toHaveLength(1);
});

test('LEAVING-7 signing out offers to remove the library, and keeps it unless the person chooses that', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await app.calls('signOut')).toEqual([[]]);
});

test('LEAVING-7 a library with waiting work is removed only after a second confirmation', async () => {
  await using app = await bench.open('/settings', { busy: true });
  const { page } = app;
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await dialog.getByText('Remove my library from this device').click();
  await dialog.getByText(/are on this device only\. Removing the library deletes them for good\.$/).waitFor();
  await dialog.getByRole('button', { name: 'Export all unsent work' }).click();
  await dialog.getByText(/^\d+ changes exported|exported/i).waitFor();
  expect(await app.calls('exportWaiting')).toHaveLength(1);
  const confirm = dialog.getByRole('button', { name: 'Sign out and remove' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByText('Delete my unsent changes too').click();
  await confirm.click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await app.calls('signOut')).toEqual([['remove-with-work']]);
});

test('a person is told that a storage was cleared, until they have read it', async () => {
  await using app = await bench.open('/', { loss: 'journal' });
  const words = app.page.getByText('The record of your work on this device was cleared');
  await words.waitFor();
  await app.page.getByRole('button', { name: 'OK', exact: true }).click();
  await expect.poll(() => words.count()).toBe(0);
});

test('the sign-in explains why it is needed when the journal was cleared', async () => {
  await using app = await bench.open('/', { loss: 'journal', signedOut: true });
  await app.page.getByText('The record of your work on this device was cleared').waitFor();
  await app.page.getByText(/Sign in to restore changes and drafts .* from a second copy/).waitFor();
});

test('OUTBOX-41 a person is told about unreadable work, can export it, and dismiss the notice', async () => {
  const [since, until] = [Date.UTC(2026, 10, 22, 10, 2), Date.UTC(2026, 10, 22, 10, 5)];
  await using app = await bench.open('/', {
    damage: { since, until, subjects: ['Belt', 'Radio'], hasCopies: false },
  });
  const { page } = app;
  const words = page.getByText('Couldn’t read some of what was saved on this device');
  await words.waitFor();
  await page.getByText(/saved between Nov 22, 2026, .* and Nov 22, 2026/).waitFor();
  await page.getByText(/Changes to these are missing: Belt, Radio\./).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export for support' }).click();
  expect((await download).suggestedFilename()).toBe('support.json');
  await page.getByRole('button', { name: 'OK', exact: true }).click();
  await expect.poll(() => words.count()).toBe(0);
});

test('LEAVING-7 a tab forgets its data of a home that left this device, and keeps the rest', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  await page.evaluate(() => {
    sessionStorage.setItem('benchbook.of.gone.page.7', 'Typed and never saved');
    sessionStorage.setItem('benchbook.of.home-of-ana.page.7', 'Typed by Ana');
    window.fixture.change(({ session }) => ({
      session: { ...session, homes: ['home-of-ana', 'home-of-ben'] },
    }));
  });
  const keys = (): Promise<string> => page.evaluate(() => Object.keys(sessionStorage).join());
  await expect.poll(keys).not.toContain('gone');
  expect(await keys()).toContain('benchbook.of.home-of-ana.page.7');
});
