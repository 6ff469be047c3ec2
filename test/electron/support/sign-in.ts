import type { Page } from 'playwright-core';

import type { Guide } from '#shared/model/guide-record.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import { stepKeyOf } from '#shared/rules/guide-content.ts';
import type { TestPerson, TestServer } from '#test/support/server.ts';
import { seenBy } from '#test/support/workshop.ts';

/** Sends the sign-in form of a test person. */
export async function sendSignIn(page: Page, server: string, email = 'ada@example.com'): Promise<void> {
  await page.getByRole('combobox', { name: 'Server address' }).fill(server);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('a long password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs a test person in at a server, and waits until the device has everything. */
export async function signInAt(page: Page, server: string, email?: string): Promise<void> {
  await sendSignIn(page, server, email);
  await page
    .getByLabel('Sync status')
    .filter({ hasText: /^Synced/ })
    .first()
    .waitFor();
}

/** The address of the second step of a guide in the editor. */
export async function editorPath(
  server: TestServer,
  person: TestPerson,
  { guideid }: Guide,
): Promise<string> {
  const rows = await seenBy(server, person, 'guides');
  const facts = rows.map(({ doc }) => doc as GuideFacts).find((doc) => doc.guideid === guideid);
  return `/guides/${guideid}/edit#s${stepKeyOf(must(facts?.steps[1], 'the second step'))}`;
}
