import type { Page } from 'playwright-core';

/** Signs Ada in at a server, and waits until the device has everything. */
export async function signInAt(page: Page, server: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Server address' }).fill(server);
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password').fill('a long password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page
    .getByLabel('Sync status')
    .filter({ hasText: /^Synced/ })
    .first()
    .waitFor();
}
