import { afterAll, beforeAll, expect, test } from 'vitest';

import { answerWords } from '#desktop/renderer/screens/administration/answer-words.ts';

import type { Privilege } from '#shared/model/user.ts';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';

declare global {
  interface Window {
    /** Invitations that were asked for, and what lets the last one be answered. */
    made?: { count: number; finish: () => void };
    /** Lets the list of accounts arrive. */
    answer?: () => void;
  }
}

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const administrator = { administrator: true };

/** Proves to be the administrator in the dialog of this title. */
async function prove({ page }: AppPage, title: string, confirm: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByLabel('Current password').fill('a long password');
  await dialog.getByRole('button', { name: confirm }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('ADMIN-6 people are found by name, role, team and state, with their last use', async () => {
  await using app = await bench.open('/administration/people', administrator);
  const { page } = app;
  const names = () => page.getByRole('table', { name: 'Accounts' }).getByRole('link').allInnerTexts();
  await page.getByText('6 accounts · 2 not used yet').waitFor();
  const row = page.getByRole('row', { name: /Chloé Martin/ });
  expect(await row.innerText()).toMatch(/Worker[\s\S]*Never[\s\S]*Invited/);
  await page.getByLabel('Find a person, role or team').fill('author');
  expect(await names()).toEqual(['Ben Okafor']);
  await page.getByLabel('Find a person, role or team').fill('line b');
  expect(await names()).toEqual(['Ana Ruiz', 'Ben Okafor']);
  await page.getByLabel('Find a person, role or team').fill('');
  await page
    .getByRole('button', { name: /Show$/ })
    .or(page.getByLabel('Show', { exact: true }))
    .first()
    .click();
  await page.getByRole('option', { name: 'Deactivated (1)' }).click();
  expect(await names()).toEqual(['Emre Yıldız']);
});

test('ADMIN-6 ADMIN-7 an account is created with a printed code, which is shown once with a QR code', async () => {
  await using app = await bench.open('/administration/people', administrator);
  const { page } = app;
  await page.getByRole('button', { name: 'Add a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a person' });
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await dialog.getByText('Enter a name').waitFor();
  await dialog.getByText('Enter an e-mail address').waitFor();
  await dialog.getByLabel('Name').fill('Fay');
  await dialog.getByLabel('E-mail address').fill('taken@example.com');
  await dialog.getByText('Printed code').click();
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await prove(app, 'Confirm your identity', 'Confirm');
  await dialog.getByText('This e-mail address has an account already').waitFor();
  await dialog.getByLabel('E-mail address').fill('fay@example.com');
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await prove(app, 'Confirm your identity', 'Confirm');
  await page.getByRole('heading', { name: 'Code for Fay' }).waitFor();
  await page.getByText('7Q4XM-R2KD9', { exact: true }).waitFor();
  await page.getByRole('img', { name: 'QR code that opens the page for this code' }).waitFor();
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes');
  });
  await page.getByRole('button', { name: 'Print sheet' }).click();
  expect(await page.locator('body').getAttribute('data-printed')).toBe('yes');
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('table', { name: 'Accounts' }).isVisible()).toBe(false);
  expect(await page.getByText('7Q4XM-R2KD9', { exact: true }).isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await page.getByText('7Q4XM-R2KD9').count()).toBe(0);
  await page.getByRole('link', { name: 'Fay' }).waitFor();
  expect((await app.calls('createAccount')).at(-1)?.[0]).toEqual({
    username: 'Fay',
    email: 'fay@example.com',
  });
  expect((await app.calls('inviteAccount')).at(-1)?.slice(1)).toEqual([
    'code',
    { password: 'a long password' },
  ]);
});

test('ADMIN-8 a link or a code replaces a forgotten password, after a question in words', async () => {
  await using app = await bench.open('/administration/people/9102', administrator);
  const { page } = app;
  await page.getByRole('button', { name: 'Send a link by mail' }).click();
  await page.getByText('It works for a week. Earlier links and codes end.').waitFor();
  await prove(app, 'Send Ben Okafor a link?', 'Send a link by mail');
  await page.getByText('Invitation sent').waitFor();
  await page.getByRole('button', { name: 'Print a code' }).click();
  await prove(app, 'Make a code for Ben Okafor?', 'Print a code');
  await page.getByRole('heading', { name: 'Code for Ben Okafor' }).waitFor();
  expect((await app.calls('inviteAccount')).map(([userid, by]) => [userid, by])).toEqual([
    [9102, 'mail'],
    [9102, 'code'],
  ]);
});

test('ADMIN-16 roles and teams are saved together; making an administrator needs a proof', async () => {
  await using app = await bench.open('/administration/people/9102', administrator);
  const { page } = app;
  await page.getByText('Moderator', { exact: true }).click();
  await page.getByText('Administrator', { exact: true }).click();
  await page.getByText('2 changes not saved').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await prove(app, 'Confirm your identity', 'Confirm');
  await page.getByText('Account saved').waitFor();
  const edit = { privileges: ['User', 'Author', 'Moderator', 'Admin'] };
  const seen = { privileges: ['User', 'Author'], teams: [3] };
  expect(await app.calls('changeAccount')).toEqual([
    [9102, edit, { seen }],
    [9102, edit, { seen, proof: { password: 'a long password' } }],
  ]);
  await expect.poll(() => page.getByText('not saved').count()).toBe(0);
});

/** Changes the account of Ben Okafor as another administrator does, and tells this device. */
async function changeElsewhere(app: AppPage, privileges: Privilege[], teams: number[]): Promise<void> {
  await app.page.evaluate(
    ([roles, teamids]) => window.fixture.actions.changeAccount(9102, { privileges: roles, teams: teamids }),
    [privileges, teams] as const,
  );
  await app.page.evaluate(
    (held) =>
      window.fixture.change(({ people }) => ({
        people: people.map((one) => (one.userid === 9102 ? { ...one, privileges: held } : one)),
      })),
    privileges,
  );
}

test('ADMIN-17 ADMIN-18 ticks stay when somebody else changes the account, which a notice tells, and saving keeps both', async () => {
  await using app = await bench.open('/administration/people/9102', administrator);
  const { page } = app;
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
  await page.getByText('Night shift', { exact: true }).click();
  await page.getByText('1 change not saved').waitFor();
  await changeElsewhere(app, ['User', 'Author', 'Moderator'], []);
  await page.getByText('Somebody else changed this account meanwhile').waitFor();
  await page.getByText('Now: Author, Moderator; no team.').waitFor();
  expect(await box('Night shift').isChecked()).toBe(true);
  expect(await box('Moderator').isChecked()).toBe(true);
  expect(await box('Line B').isChecked()).toBe(false);
  await page.getByText('1 change not saved').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Account saved').waitFor();
  expect((await app.calls('changeAccount')).at(-1)).toEqual([
    9102,
    { teams: [4] },
    { seen: { privileges: ['User', 'Author', 'Moderator'], teams: [] } },
  ]);
  await expect.poll(() => page.getByText('meanwhile').count()).toBe(0);
});

test('ADMIN-18 saving is refused if the account is not as it is shown, and shows what it is now', async () => {
  await using app = await bench.open('/administration/people/9102', administrator);
  const { page } = app;
  await page.getByText('Moderator', { exact: true }).click();
  await page.evaluate(() => window.fixture.actions.changeAccount(9102, { privileges: ['User', 'Kiosk'] }));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Not saved: somebody else changed this account meanwhile.').waitFor();
  await page.getByText('Now: Kiosk; teams: Line B.').waitFor();
  await page.getByText('1 change not saved').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  expect(await page.getByRole('checkbox', { name: 'Moderator' }).isChecked()).toBe(false);
  expect(await page.getByRole('checkbox', { name: 'Kiosk' }).isChecked()).toBe(true);
});

test('ADMIN-3 ADMIN-17 going back asks first; ticks that were not given up are there again', async () => {
  await using app = await bench.open('/administration/people', administrator);
  const { page } = app;
  const open = () => page.getByRole('link', { name: 'Ben Okafor' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await open();
  await page.getByText('Moderator', { exact: true }).click();
  await page.evaluate(() => history.back());
  await question.getByText('Stay here').click();
  await question.waitFor({ state: 'detached' });
  await page.getByText('1 change not saved').waitFor();
  expect(new URL(page.url()).pathname).toBe('/administration/people/9102');
  await page.evaluate(() => history.back());
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await page.getByRole('table', { name: 'Accounts' }).waitFor();
  await open();
  await page.getByText('Roles and teams').waitFor();
  expect(await page.getByRole('checkbox', { name: 'Moderator' }).isChecked()).toBe(false);
  await page.getByText('Moderator', { exact: true }).click();
  await page.getByText('1 change not saved').waitFor();
  // The app ends without an answer, as after a crash.
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain('role:Moderator');
  const address = page.url();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('about:blank');
  await page.goto(address);
  await page.getByText('1 change not saved').waitFor();
  expect(await page.getByRole('checkbox', { name: 'Moderator' }).isChecked()).toBe(true);
});

test('ADMIN-23 a code is made once, however often Enter is pressed and the button is tapped', async () => {
  await using app = await bench.open('/administration/people/9102', administrator);
  const { page } = app;
  await page.evaluate(() => {
    const made = { count: 0, finish: (): void => undefined };
    window.made = made;
    window.fixture.actions.inviteAccount = async () => {
      made.count += 1;
      await new Promise<void>((resolve) => {
        made.finish = resolve;
      });
      return { code: `CODE-${made.count}`, until_date: 1_900_000_000 };
    };
  });
  const made = () => page.evaluate(() => window.made?.count);
  await page.getByRole('button', { name: 'Print a code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make a code for Ben Okafor?' });
  await dialog.getByLabel('Current password').fill('a long password');
  await dialog.getByLabel('Current password').evaluate((field: HTMLInputElement) => {
    field.form?.requestSubmit();
    field.form?.requestSubmit();
  });
  await dialog.getByLabel('Current password').press('Enter');
  await dialog.getByRole('button', { name: 'Print a code' }).dblclick({ force: true });
  expect(await made()).toBe(1);
  await page.evaluate(() => window.made?.finish());
  await page.getByText('CODE-1', { exact: true }).waitFor();
  expect(await made()).toBe(1);
});

test('ADMIN-24 giving up the own administrator role is asked first; the last administrator cannot', async () => {
  await using app = await bench.open('/administration/people/9101', administrator);
  const { page } = app;
  const role = page.getByRole('checkbox', { name: 'Administrator', exact: true });
  await page.getByText('This is the only administrator.').waitFor();
  expect(await role.isDisabled()).toBe(true);
  await page.evaluate(() =>
    window.fixture.actions.changeAccount(
      9102,
      { privileges: ['User', 'Admin'] },
      { proof: { password: 'a long password' } },
    ),
  );
  await page.getByRole('navigation', { name: 'Administration sections' }).getByText('Teams').click();
  await page.getByRole('heading', { level: 1, name: 'Teams' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Ana Ruiz' }).waitFor();
  expect(await page.getByText('This is the only administrator.').count()).toBe(0);
  await page.locator('label').getByText('Administrator', { exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Give up your administrator role?' });
  await question.getByText('Only another administrator can give the role back').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).first().click();
  expect((await app.calls('changeAccount')).length).toBe(1);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await question.getByRole('button', { name: 'Give up the role' }).click();
  await page.getByText('Account saved').waitFor();
  expect((await app.calls('changeAccount')).at(-1)?.slice(0, 2)).toEqual([9101, { privileges: ['User'] }]);
});

test('ADMIN-25 an invitation that the mail server refused is shown, with its reason and a way to send it again', async () => {
  await using app = await bench.open('/administration/people', administrator);
  const { page } = app;
  await page.evaluate(async () => {
    const { actions } = window.fixture;
    const accounts = await actions.listAccounts();
    let isSent = false;
    actions.listAccounts = async () =>
      accounts.map((one) =>
        one.userid === 9103 && !isSent ? { ...one, invitation_failure: '550 No such mailbox' } : one,
      );
    let tries = 0;
    actions.inviteAccount = async () => {
      tries += 1;
      isSent = tries > 1;
      return { code: null, until_date: 1_900_000_000, ...(!isSent && { failure: '550 No such mailbox' }) };
    };
  });
  const sections = page.getByRole('navigation', { name: 'Administration sections' });
  await sections.getByText('Mail', { exact: true }).click();
  // Only a list that was left is read again.
  await page.getByRole('heading', { level: 1, name: 'Mail' }).waitFor();
  await sections.getByText('People', { exact: true }).click();
  const row = page.getByRole('row', { name: /Chloé Martin/ });
  await row.getByText('Invitation not delivered').waitFor();
  await row.getByRole('link').click();
  await page.getByText('It said: 550 No such mailbox.').waitFor();
  await page.getByRole('button', { name: 'Send a link by mail' }).click();
  await prove(app, 'Send Chloé Martin a link?', 'Send a link by mail');
  await page.getByRole('status').getByText('The mail server did not take the invitation').waitFor();
  await page.getByRole('button', { name: 'Send a link by mail' }).click();
  await prove(app, 'Send Chloé Martin a link?', 'Send a link by mail');
  await page.getByText('Invitation sent').waitFor();
  await expect.poll(() => page.getByText('It said').count()).toBe(0);
});

test('ADMIN-25 a person who was created, but could not be invited, is in the list', async () => {
  await using app = await bench.open('/administration/people', administrator);
  const { page } = app;
  await page.evaluate(() => {
    window.fixture.actions.inviteAccount = () => Promise.reject(new Error('This server sends no e-mail'));
  });
  await page.getByRole('button', { name: 'Add a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a person' });
  await dialog.getByLabel('Name').fill('Fay');
  await dialog.getByLabel('E-mail address').fill('fay@example.com');
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await prove(app, 'Confirm your identity', 'Confirm');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('row', { name: /Fay/ }).getByText('No sign-in yet').waitFor();
});

test('ADMIN-26 more sessions than are listed are announced, and listed on request', async () => {
  await using app = await bench.open('/administration/mail', administrator);
  const { page } = app;
  await page.evaluate(async () => {
    const { actions } = window.fixture;
    const { sessions } = await actions.listSiteSessions(1);
    actions.listSiteSessions = async (most) => ({
      sessions: Array.from({ length: Math.min(most, 1003) }, (_, index) => ({
        ...(sessions[0] as (typeof sessions)[number]),
        sessionid: `s${index}`,
        is_current: false,
      })),
      more: most < 1003,
    });
  });
  await page
    .getByRole('navigation', { name: 'Administration sections' })
    .getByText('Sessions and devices')
    .click();
  await page.getByText('These are the 1,000 sessions that were used last.').waitFor();
  const rows = page.getByRole('table', { name: 'Sessions and devices' }).locator('tbody tr');
  expect(await rows.count()).toBe(1000);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows.count()).toBe(1003);
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
});

test('ADMIN-20 the values of one account are never shown at the address of another', async () => {
  await using app = await bench.open('/administration/people/9102', administrator);
  const { page } = app;
  await page.getByRole('heading', { level: 1, name: 'Ben Okafor' }).waitFor();
  await page.evaluate(async () => {
    const { actions } = window.fixture;
    const accounts = await actions.listAccounts();
    actions.listAccounts = async () => {
      await new Promise<void>((resolve) => {
        window.answer = resolve;
      });
      return accounts;
    };
    history.pushState(null, '', '/administration/people/9103');
  });
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await page.evaluate(() => window.answer?.());
  await page.getByRole('heading', { level: 1, name: 'Chloé Martin' }).waitFor();
  expect(await page.getByRole('checkbox', { name: 'Author' }).isChecked()).toBe(false);
});

test('ADMIN-9 an account is closed and opened again after a question; nobody closes their own', async () => {
  await using app = await bench.open('/administration/people/9102', administrator);
  const { page } = app;
  await page.getByRole('button', { name: 'Deactivate account' }).click();
  const question = page.getByRole('dialog', { name: 'Deactivate the account of Ben Okafor?' });
  await question.getByText('1 session ends now.').waitFor();
  await question.getByRole('button', { name: 'Deactivate account' }).click();
  await page.getByText('Ben Okafor is deactivated').waitFor();
  await page.getByRole('button', { name: 'Reactivate account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reactivate account' }).click();
  await page.getByRole('button', { name: 'Deactivate account' }).waitFor();
  expect(await app.calls('changeAccount')).toEqual([
    [9102, { enabled: false }],
    [9102, { enabled: true }],
  ]);
  await page.goto(`${bench.url}/administration/people/9101`);
  await page.getByText('This is your own account.').waitFor();
  expect(await page.getByRole('button', { name: 'Deactivate account' }).count()).toBe(0);
});

test('ADMIN-10 sessions of all people are found and ended, one or all others, after a question', async () => {
  await using app = await bench.open('/administration/sessions', administrator);
  const { page } = app;
  const rows = page.getByRole('table', { name: 'Sessions and devices' }).getByRole('row');
  await page.getByLabel('Find a person, device or address').fill('ipad');
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('button', { name: 'Sign out Safari · iPad of Ben Okafor' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect.poll(() => app.calls('endSignIn')).toEqual([[9102, 'ben']]);
  await page.getByLabel('Find a person, device or address').fill('');
  await page.getByRole('button', { name: 'Sign everyone out' }).click();
  const question = page.getByRole('dialog', { name: 'Sign everyone out?' });
  await question.getByText('Unsent changes stay on the devices').waitFor();
  await question.getByRole('button', { name: 'Sign everyone out' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByText('This device').waitFor();
});

test('ADMIN-11 jobs are listed with their state, progress and failure', async () => {
  await using app = await bench.open('/administration/jobs', administrator);
  const job = (name: string) => app.page.getByRole('listitem').filter({ hasText: name });
  await job('Running').getByText('for Ana Ruiz · 30 of 120').waitFor();
  await job('Failed').getByText('The disk of the server is full').waitFor();
  await job('Import a training module').getByText('Done').waitFor();
});

test('ADMIN-12 a test mail says in words why it could not be sent', async () => {
  await using app = await bench.open('/administration/mail', administrator);
  const { page } = app;
  await page.getByRole('heading', { level: 1, name: 'Mail' }).waitFor();
  expect(await page.getByRole('button', { name: 'Send a test mail to me' }).count()).toBe(0);
  await page.getByText('Send e-mail through a mail server').click();
  await page.getByLabel('Mail server', { exact: true }).fill('mail.example.org');
  await page.getByLabel('Sender').fill('guides@example.org');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await prove(app, 'Confirm your identity', 'Confirm');
  await page.getByRole('button', { name: 'Send a test mail to me' }).click();
  await page.getByText('The test mail wasn’t sent').waitFor();
  await page.getByText('The mail server did not take it: Invalid login: 535 Refused').waitFor();
});

test('ADMIN-13 the state of the backups says where and when, and one is made now', async () => {
  await using app = await bench.open('/administration/backups', administrator);
  const { page } = app;
  await page.getByText(/^Last backup: .+, 1\.2 GB$/).waitFor();
  await page.getByText('In the folder /mnt/backup of the server').waitFor();
  await page.getByText('No backup has passed a restore test yet.').first().waitFor();
  await page.getByText(/^Next backup: /).waitFor();
  await page.getByRole('button', { name: 'Make a backup now' }).click();
  await page.getByText('The backup has begun.').waitFor();
  expect(await app.calls('makeBackup')).toEqual([[]]);
});

test('ADMIN-14 each delivery of a webhook says in words what the receiver answered, and is sent again', async () => {
  await using app = await bench.open('/settings/webhooks', administrator);
  const { page } = app;
  await page.getByText('Show deliveries').click();
  await page.getByText('the receiver has a fault (503)').waitFor();
  await page.getByText('the address can’t be reached').waitFor();
  await page.getByText('accepted (204)').waitFor();
  await page.getByRole('button', { name: 'Send again: Work Order Status Changed' }).first().click();
  await page.getByText('Sending it again').waitFor();
  expect(await app.calls('replayDelivery')).toEqual([[1, 71]]);
});

test('ADMIN-14 statuses and errors in words', () => {
  const said = (last_status: number | null, last_error: string | null = null) =>
    answerWords({ last_status, last_error });
  expect([301, 401, 404, 418, 422, 429, 500].map((status) => said(status))).toEqual([
    'redirected to another address, which is not followed (301)',
    'the receiver refused it: check its access settings (401)',
    'nothing is at this address (404)',
    'the receiver refused it (418)',
    'the receiver didn’t understand it (422)',
    'the receiver is busy and asked for fewer calls (429)',
    'the receiver has a fault (500)',
  ]);
  expect(said(null)).toBe('no answer');
  expect(said(null, 'The connection timed out')).toBe('the receiver took too long');
  expect(said(null, 'self-signed certificate')).toBe('the certificate of the receiver is not valid');
  expect(said(null, 'Something else')).toBe('Something else');
});

test('ADMIN-15 a person with a code chooses a password, and the code does not stay in the address', async () => {
  await using app = await bench.open('/redeem#7Q4XM-AAAAA', { signedOut: true });
  const { page } = app;
  const code = page.getByLabel('Code', { exact: true });
  expect(await code.inputValue()).toBe('7Q4XM-AAAAA');
  expect(new URL(page.url()).hash).toBe('');
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Save password' }).click();
  expect(await app.calls('redeemCode')).toEqual([]);
  await page.getByLabel('New password').fill('my own password');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByText('This code is wrong, used or too old.').waitFor();
  await code.fill('7Q4XM-R2KD9');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByText('Sign in with chloe@example.com and your new password.').waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'I have a printed code' }).waitFor();
});

test('LANGUAGE-12 an administrator chooses the language of the mails of another person', async () => {
  await using app = await bench.open('/administration/people/9102', { administrator: true });
  const { page } = app;
  const field = page.getByRole('button', { name: /E-mails are in/ });
  await field.filter({ hasText: 'English' }).click();
  await page.getByRole('option', { name: 'German' }).click();
  await field.filter({ hasText: 'German' }).waitFor();
  expect(await app.calls('changeAccount')).toEqual([[9102, { langid: 'de' }]]);
});
