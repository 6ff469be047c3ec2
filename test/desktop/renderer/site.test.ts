import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

async function asAdministrator(app: AppPage): Promise<void> {
  await app.page.evaluate(() =>
    window.fixture.change(({ session }) => ({
      session: { ...session, user: { userid: 9101, username: 'Ana Ruiz', privileges: ['Admin'] } },
    })),
  );
}

test('an administrator finds the settings of the site, changes them, and is told what is wrong', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  expect(await page.getByRole('link', { name: 'Site settings' }).count()).toBe(0);
  await asAdministrator(app);
  await page.getByRole('link', { name: 'Site settings' }).click();
  await page.getByLabel('Address of this server').fill('guides');
  await page.getByLabel('Requests per minute and caller').fill('600');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Must be an address such as').waitFor();
  expect(await app.calls('changeSite')).toEqual([]);
  await page.getByLabel('Address of this server').fill('https://guides.example.org');
  await page.getByText('Guides are released in versions').click();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('The server has the settings').waitFor();
  expect(await app.calls('changeSite')).toMatchObject([
    [
      {
        address: 'https://guides.example.org',
        releases: true,
        requests_per_minute: 600,
        languages: ['en', 'de'],
      },
    ],
  ]);
});

test('mail is switched on with a password that is never shown again, and kept when left empty', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  await asAdministrator(app);
  await page.getByRole('link', { name: 'Site settings' }).click();
  await page.getByText('Send mails through a mail server').click();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Too small').first().waitFor();
  await page.getByLabel('Mail server', { exact: true }).fill('mail.example.org');
  await page.getByLabel('Password for signing in there').fill('open sesame');
  await page.getByLabel('Sender').fill('guides@example.org');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('One is set. Leave it empty to keep it.').waitFor();
  expect(await page.getByLabel('Password for signing in there').inputValue()).toBe('');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect.poll(async () => (await app.calls('changeSite')).length).toBe(2);
  const smtp = { host: 'mail.example.org', port: 587, tls: false, user: null, from: 'guides@example.org' };
  expect((await app.calls('changeSite')).map(([edit]) => (edit as { smtp: unknown }).smtp)).toEqual([
    { ...smtp, password: 'open sesame' },
    smtp,
  ]);
});

test('an app id is issued and revoked', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  await asAdministrator(app);
  await page.getByRole('link', { name: 'Apps' }).click();
  await page.getByRole('button', { name: 'Issue an app id' }).click();
  await page.getByText('Write the name of the app').waitFor();
  await page.getByLabel('Name of the app').fill('Shop floor viewer');
  await page.getByRole('button', { name: 'Issue an app id' }).click();
  await page.getByText('app-1').waitFor();
  await page.getByRole('button', { name: 'Revoke app id' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke app id' }).click();
  await page.getByText(/^Revoked /).waitFor();
});

test('a webhook is added with its secret shown once, tested, delivered again and deleted', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  await asAdministrator(app);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByText('2 deliveries given up').waitFor();
  await page.getByRole('button', { name: 'Deliver again' }).click();
  await page.getByText('Everything was delivered').waitFor();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByText('Choose at least one event').waitFor();
  await page.getByLabel('Address').fill('https://hear.example.org/x');
  await page.getByText('Guide Published', { exact: true }).click();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByText('whsec-3141592653').waitFor();
  await page.getByRole('heading', { name: 'https://hear.example.org/x' }).waitFor();
  expect(await app.calls('addWebhook')).toEqual([['https://hear.example.org/x', ['guide.published'], '']]);
  await page.getByRole('button', { name: 'Delete webhook' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click();
  await expect.poll(() => page.getByText('https://orders.example.org/hook').count()).toBe(0);
});

test('nobody else sees them, not even by the address', async () => {
  await using app = await bench.open('/settings/webhooks');
  await app.page.getByRole('heading', { name: 'Only administrators see this.' }).waitFor();
  expect(await app.page.getByRole('button', { name: 'Add webhook' }).count()).toBe(0);
});
