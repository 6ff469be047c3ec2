import { afterAll, beforeAll, expect, test } from 'vitest';

import { groupsOf } from '#desktop/renderer/screens/site/site-groups.ts';
import { editOf, typedOf } from '#desktop/renderer/screens/site/typed-site.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { siteEdit } from '#shared/api/site.ts';
import { demoSite as unsetSite } from '#test/support/fixture-site.ts';

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

/** Opens a section of the administration from the main navigation. */
async function openSection({ page }: AppPage, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Administration' }).click();
  await page
    .getByRole('navigation', { name: 'Administration sections' })
    .getByRole('link', { name, exact: true })
    .click();
}

/** Saves the address of the server in its section and comes back; what was not saved is left. */
async function giveAddress(app: AppPage): Promise<void> {
  const { page } = app;
  await page.getByRole('button', { name: 'Discard' }).click();
  await openSection(app, 'Site');
  await page.getByLabel('Address of this server').fill('https://guides.example.org/');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await prove(app);
  await openSection(app, 'Sign-in');
}

/** Proves to be the administrator, as the server requires for changes that let others in. */
async function prove({ page }: AppPage): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
  await dialog.getByLabel('Current password').fill('a long password');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('an administrator finds and changes the settings of the site, and is told about errors', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
  await asAdministrator(app);
  await openSection(app, 'Site');
  await page.getByLabel('Address of this server').fill('guides');
  await page.getByLabel('Requests per minute').fill('600');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Must be an address such as').waitFor();
  expect(await app.calls('changeSite')).toEqual([]);
  await page.getByLabel('Address of this server').fill('https://guides.example.org');
  await page.getByText('Guides are released in versions').click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await prove(app);
  await page.getByText('Settings saved').waitFor();
  expect((await app.calls('changeSite')).slice(1)).toEqual([
    [
      {
        address: 'https://guides.example.org',
        releases: true,
        requests_per_minute: 600,
      },
      { password: 'a long password' },
    ],
  ]);
});

test('mail is configured with a password that is never shown again, and kept when left empty', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  await asAdministrator(app);
  await openSection(app, 'Mail');
  await page.getByText('Send e-mail through a mail server').click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Must not be empty').first().waitFor();
  await page.getByLabel('Mail server', { exact: true }).fill('mail.example.org');
  await page.getByLabel('Password for the mail server').fill('open sesame');
  await page.getByLabel('Sender').fill('guides@example.org');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await prove(app);
  await page.getByText('Already set. Leave it empty to keep it.').waitFor();
  expect(await page.getByLabel('Password for the mail server').inputValue()).toBe('');
  await page.getByLabel('Port of the mail server').fill('25');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await prove(app);
  await expect.poll(async () => (await app.calls('changeSite')).length).toBe(4);
  await page.getByText('Remove the stored password').click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await prove(app);
  await expect.poll(() => page.getByText('Remove the stored password').count()).toBe(0);
  const smtp = { host: 'mail.example.org', port: 25, tls: false, user: null, from: 'guides@example.org' };
  const proved = (await app.calls('changeSite')).filter(([, proof]) => proof !== undefined);
  expect(proved.map(([edit]) => (edit as { smtp: unknown }).smtp)).toEqual([
    { ...smtp, port: 587, password: 'open sesame' },
    smtp,
    { ...smtp, password: null },
  ]);
});

test.for([
  { width: 1280, height: 800 },
  { width: 1920, height: 1080, density: 'kiosk' as const },
  { width: 390, height: 844, density: 'touch' as const },
])('saving stays visible and covers no field that the keyboard reaches: %o', async (look) => {
  await using app = await bench.open('/settings/site', { administrator: true }, look);
  const { page } = app;
  await page.getByLabel('Short name').fill('Hall 3');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const bar = await save.locator('..').evaluate((element) => element.getBoundingClientRect().top);
  expect(bar).toBeLessThan(look.height);
  for (const field of await page.locator('main').getByRole('textbox').all()) {
    await field.focus();
    const label = await field.evaluate(({ labels }: HTMLInputElement) => labels?.[0]?.textContent ?? '');
    const bottom = await field.evaluate((element) => element.getBoundingClientRect().bottom);
    expect([label, bottom, bottom < bar]).toEqual([label, bottom, true]);
  }
});

test('an identity provider is configured, with certificates pasted one after the other', async () => {
  await using app = await bench.open('/administration/sign-in', { administrator: true });
  const { page } = app;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: bench.url });
  // The window itself does not scroll, however long the form is: the bar at the top stays.
  expect(
    await page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight),
  ).toBe(0);
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await page.getByLabel('Passwords must be changed after').fill('ninety');
  await page.getByText('Approvals can be signed with an identity provider').click();
  await page.getByText('Enter the address of this server under “Site” first.').waitFor();
  await page.getByRole('heading', { name: text.site.tellProvider }).waitFor();
  await save.click();
  await page.getByText('Enter a whole number').waitFor();
  await page.getByText('Paste one to five different certificates').waitFor();
  expect(
    await page
      .getByLabel('Passwords must be changed after')
      .evaluate((field) => field === document.activeElement),
  ).toBe(true);
  await page.getByLabel('Passwords must be changed after').fill('90');
  const certificate = (name: string) => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----`;
  await page.getByLabel('Single sign-on address').fill('https://id.example.org/sso');
  await page.getByLabel('Certificates of the identity provider').fill(certificate('broken'));
  await save.click();
  await prove(app);
  await page.getByText('Must be an X.509 certificate of an RSA key, in PEM').waitFor();
  await page
    .getByLabel('Certificates of the identity provider')
    .fill(`${certificate('old')}\n\n${certificate('new')}`);
  await save.click();
  await prove(app);
  // The field of the address is in another section.
  await page.getByText('The identity provider answers to the address of the site').waitFor();
  await giveAddress(app);
  await page.getByText('Approvals can be signed with an identity provider').click();
  await page.getByLabel('Single sign-on address').fill('https://id.example.org/sso');
  await page
    .getByLabel('Certificates of the identity provider')
    .fill(`${certificate('old')}\n\n${certificate('new')}`);
  await page.getByLabel('Passwords must be changed after').fill('90');
  await page.getByRole('button', { name: 'Copy: Metadata address of this site' }).click();
  await page.getByText('Copied').first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'https://guides.example.org/api/2.0/sign_on/metadata',
  );
  await page.getByLabel('Name on the sign-in screen').fill('Example Works');
  await page.getByText('find accounts without a single sign-on id by their e-mail address').click();
  await save.click();
  await prove(app);
  await page.getByText('Settings saved').first().waitFor();
  expect((await app.calls('changeSite')).at(-1)?.slice(0, 1)).toMatchObject([
    {
      password_days: 90,
      sign_on: {
        entry_point: 'https://id.example.org/sso',
        certificates: [certificate('old'), certificate('new')],
        issuer: null,
        idp_issuer: null,
        attribute: null,
        sign_in_name: 'Example Works',
        match_email: true,
      },
    },
  ]);
  await page.getByText('Approvals can be signed with an identity provider').click();
  await save.click();
  await expect.poll(async () => (await app.calls('changeSite')).length).toBe(9);
  expect((await app.calls('changeSite')).at(-1)?.slice(0, 1)).toEqual([{ sign_on: null }]);
});

const mail = { host: 'mail', port: 25, tls: false, user: null, has_password: true, from: 'a@b' };
const setSite = { ...unsetSite, smtp: mail, translation: { url: 'https://t', has_key: true } };

test('every setting that an administrator may change has a field', async () => {
  const fields = Object.keys(typedOf(unsetSite));
  const shown = groupsOf(setSite).flatMap(({ lines }) => lines.map(({ line }) => line.field));
  expect(shown.toSorted()).toEqual(fields.toSorted());
  expect(Object.keys(siteEdit.shape).filter((name) => !shown.includes(name))).toEqual([]);
  for (const part of ['smtp', 'translation', 'sign_on'] as const) {
    const parts = Object.keys(siteEdit.shape[part].unwrap().unwrap().shape).map((name) => `${part}.${name}`);
    expect(parts.filter((field) => !shown.includes(field))).toEqual([]);
  }
});

test('unchanged fields stay as they are', () => {
  for (const site of [unsetSite, { ...setSite, requests_per_minute: 600, support_url: 'mailto:a@b' }]) {
    const { has_password: _password, ...smtp } = site.smtp ?? mail;
    const { has_key: _key, ...translation } = site.translation ?? { url: '', has_key: false };
    expect(siteEdit.parse(editOf(typedOf(site)))).toEqual({
      ...site,
      smtp: site.smtp && smtp,
      translation: site.translation && translation,
    });
  }
});

test('an administrator reads what changed on the server, who did it and when, and follows it to the record', async () => {
  await using app = await bench.open('/settings', { administrator: true });
  const { page } = app;
  await openSection(app, 'Audit log');
  await page.getByText('The 50 rows shown here form an unbroken chain').waitFor();
  await page.getByText('How to check the whole log').click();
  await page.getByText('benchbook audit verify').waitFor();
  await page.getByText('Rows 1 to 50 of 120').waitFor();
  const row = page.getByRole('listitem').filter({ hasText: 'Row 118' });
  expect(await row.innerText()).toContain('Command “benchbook site set”');
  const edit = page.getByRole('listitem').filter({ hasText: 'Row 117' });
  expect(await edit.innerText()).toContain('2026-05-04 11:57:00 UTC');
  expect(await edit.innerText()).toContain('Ana Ruiz · from 192.168.10.24 · Row 117');
  await page.getByRole('listitem').filter({ hasText: 'Row 116' }).getByText('What changed').click();
  const change = page.getByRole('table', { name: /^Changed in users/ });
  await change.getByRole('row', { name: 'location Graz Linz' }).waitFor();
  await change.getByText('hidden (secret)').first().waitFor();
  await page.getByRole('link', { name: 'Older' }).click();
  await page.getByText('Rows 51 to 100 of 120').waitFor();
  await page.goBack();
  await page.getByText('Rows 1 to 50 of 120').waitFor();
  expect(await edit.innerText()).toContain('Guide 9001');
  await edit.getByRole('link', { name: 'Bench Grinder Drive Belt Replacement' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bench Grinder Drive Belt Replacement' }).waitFor();
  expect(app.errors).toEqual([]);
});

test('the log is filtered by person, action, record, outcome and days; the address contains the filter', async () => {
  await using app = await bench.open('/settings/audit', { administrator: true });
  const { page } = app;
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('combobox', { name: 'Person' }).fill('nobody here');
  await page.getByLabel('Record number').fill('9001');
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByText('Choose a person, or enter an account number').waitFor();
  await page.getByText('Also choose the kind of record').waitFor();
  await page.getByRole('combobox', { name: 'Person' }).fill('Ana');
  await page.getByRole('option', { name: 'Ana Ruiz' }).click();
  await page.getByRole('combobox', { name: 'Action' }).fill('edit a guide');
  await page.getByRole('option', { name: /Edit a guide/ }).click();
  await page.getByRole('button', { name: /Kind of record/ }).click();
  await page.getByRole('option', { name: 'Guide', exact: true }).click();
  await page.getByLabel('From').fill('2026-05-04');
  await page.getByLabel('Up to and including').fill('2026-05-04');
  await page.getByRole('radiogroup', { name: 'Outcome' }).getByText('Refused').click();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByText(/^Rows 1 to \d+ of \d+$/).waitFor();
  await page.getByText('The filter hides rows').waitFor();
  expect((await app.calls('readAudit')).at(-1)).toEqual([
    {
      userid: 9101,
      action: 'PATCH /guides/{guideid}',
      object: 'guide',
      objectid: '9001',
      outcome: 'refused',
      from: await page.evaluate(() => new Date(2026, 4, 4).getTime() / 1000),
      until: await page.evaluate(() => new Date(2026, 4, 5).getTime() / 1000),
    },
    0,
  ]);
  await page.reload();
  await page.getByRole('button', { name: 'Filter, 6 active' }).click();
  expect(await page.getByRole('combobox', { name: 'Person' }).inputValue()).toBe('Ana Ruiz');
  await page.getByRole('link', { name: 'Show everything' }).click();
  await page.getByText('Rows 1 to 50 of 120').waitFor();
});

test('offline, the log says that it needs a connection, and loads when the connection is back', async () => {
  await using app = await bench.open('/settings', { administrator: true });
  const connect = (connection: 'online' | 'offline') =>
    app.page.evaluate(
      (next) => window.fixture.change(({ sync }) => ({ sync: { ...sync, connection: next } })),
      connection,
    );
  await connect('offline');
  await openSection(app, 'Audit log');
  await app.page.getByText('You need a connection to see the audit log').waitFor();
  expect(
    await app.page
      .getByRole('listitem')
      .filter({ hasText: /Row \d/ })
      .count(),
  ).toBe(0);
  expect(await app.calls('readAudit')).toEqual([]);
  await connect('online');
  await app.page.getByText('Rows 1 to 50 of 120').waitFor();
});

test('an app id is issued and revoked', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  await asAdministrator(app);
  await openSection(app, 'Apps');
  await page.getByRole('button', { name: 'Issue an app id' }).click();
  await page.getByText('Enter the name of the app').waitFor();
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
  await openSection(app, 'Webhooks');
  await page.getByText('2 deliveries failed').waitFor();
  await page.getByRole('button', { name: 'Retry failed deliveries' }).click();
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
  await app.page.getByRole('heading', { name: 'This is for administrators' }).waitFor();
  expect(await app.page.getByRole('button', { name: 'Add webhook' }).count()).toBe(0);
});
