import type { Page } from 'playwright-core';

/**
 * Waits until the open editor says that everything typed is saved on this device. The header's words about changes that
 * wait to be sent do not count.
 */
export async function savedDraft(page: Page): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /^Saved on this device/ })
    .waitFor();
}
