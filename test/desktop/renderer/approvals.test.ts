import { afterAll, beforeAll, expect, test } from 'vitest';

import { signOnActions } from '#desktop/engine/actions/sign-on.ts';
import { ok, openShop } from '#test/support/approvals.ts';
import { waitingFor } from '#test/support/fixture-approvals.ts';
import { answering } from '#test/support/fixture-sign-on.ts';
import { serveProvider } from '#test/support/identity-provider.ts';
import { coreOf } from '#test/support/person-core.ts';

import { openWorkbench, type Workbench } from './app-page.ts';
import { looks, offences } from './axe.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('APPROVAL-14 waiting requests are listed, with signer, date and meaning of each signature', async () => {
  await using app = await bench.open('/', { approvals: true });
  const { page } = app;
  await page.getByRole('link', { name: 'Approvals, 1 waiting for you' }).click();
  // The library has links of the same names.
  await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
  await page.getByText('Quality: 0 of 1 signed').waitFor();
  await page.getByRole('link', { name: 'Bench Grinder Drive Belt Replacement' }).click();
  await page.getByText('Tom Okafor').first().waitFor();
  await page.getByText('Reviewed · 2026-05-04 09:00:00 UTC').waitFor();
  await page.getByRole('region', { name: 'Step 2 · Lock the switch' }).getByText('added').waitFor();
  await page.getByText('Change the belt safely.').waitFor();
  await page.getByRole('heading', { name: 'Form of step 1' }).waitFor();
  await page.getByText('Torque (Numeric Input) · ≤ 30').waitFor();
  expect(app.errors).toEqual([]);
});

test('APPROVAL-5 APPROVAL-7 APPROVAL-APP-1 nothing is chosen beforehand, and signing asks for the password, and a rejection for its reason', async () => {
  await using app = await bench.open('/approvals/9001', { approvals: true });
  const { page } = app;
  await page.getByRole('button', { name: 'Sign' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('radio', { checked: true }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
  await dialog.getByText('Choose your decision').waitFor();
  await dialog.getByText('Enter your password').waitFor();
  await dialog.getByText('Rejected').click();
  await dialog.getByLabel('Your password').fill('wrong');
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
  await dialog.getByText('Enter the reason for the rejection').waitFor();
  expect(await app.calls('signApproval')).toEqual([]);
  await dialog.getByLabel('Reason for rejection').fill('Wrong torque');
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
  await dialog.getByText('This is not your password').waitFor();
  expect(await dialog.getByLabel('Your password').inputValue()).toBe('');
  await dialog.getByText('Approved', { exact: true }).click();
  await dialog.getByLabel('Your password').fill('open sesame');
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByText('You have signed').waitFor();
  await page.getByText('Approved · 2026-05-04 10:00:00 UTC').waitFor();
  const [, last] = await app.calls('signApproval');
  expect(last).toEqual([
    9,
    { decision: 'approve', comment: 'Wrong torque', revisionHash: '6a1f'.repeat(16) },
    'open sesame',
  ]);
  expect(await page.getByRole('button', { name: 'Sign' }).count()).toBe(0);
});

test('APPROVAL-7 SIGN-ON-3 SIGN-ON-8 a signature is confirmed by single sign-on in another window, and the decision is still there on return', async () => {
  await using provider = await serveProvider('tom@corp');
  await using shop = await openShop();
  const sign_on = { entry_point: provider.entryPoint, certificates: [provider.certificate] };
  await ok(
    shop.mira.call('PATCH', '/site', {
      current_password: 'a long password',
      address: shop.server.url,
      sign_on,
    }),
  );
  await ok(
    shop.mira.call('PATCH', `/users/${shop.tom.userid}`, {
      sso_userid: 'tom@corp',
      current_password: 'a long password',
    }),
  );
  const { guideid } = await shop.guide({ public: true });
  const asked = await shop.request(guideid);
  await using app = await bench.open('/', { approvals: true });
  const { page } = app;
  await page.exposeFunction('askSignOn', answering(signOnActions(coreOf(shop.server, shop.tom))));
  await app.change({ approvals: waitingFor(asked) });
  await page.getByRole('link', { name: 'Approvals, 1 waiting for you' }).click();
  // The library has links of the same names.
  await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
  await page.getByRole('link', { name: 'Bench Grinder Drive Belt Replacement' }).click();
  await page.getByRole('button', { name: 'Sign' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Rejected').click();
  await dialog.getByRole('button', { name: 'Confirm with single sign-on' }).click();
  await dialog.getByText('Enter the reason for the rejection').waitFor();
  await dialog.getByLabel('Reason for rejection').fill('Wrong torque');
  const [first] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('button', { name: 'Confirm with single sign-on' }).click(),
  ]);
  await first.getByRole('button', { name: 'It is me' }).waitFor();
  expect(await first.evaluate(() => window.opener)).toBeNull();
  await dialog.getByText('Waiting for your organisation to confirm your identity').waitFor();
  expect(await dialog.getByRole('button', { name: 'Sign', exact: true }).isDisabled()).toBe(true);

  // A person who authenticates as another is told so, and starts again.
  provider.says = 'lea@corp';
  await first.getByRole('button', { name: 'It is me' }).click();
  await first.getByText('You are not confirmed').waitFor();
  await dialog.getByText('You authenticated as somebody else').waitFor();
  await first.close();

  provider.says = 'tom@corp';
  const [second] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('button', { name: 'Confirm with single sign-on' }).click(),
  ]);
  await second.getByRole('button', { name: 'It is me' }).waitFor();
  // Meanwhile the app's page is discarded, as on a phone: it continues with the same request.
  await page.goto(`${bench.url}/approvals`);
  await app.change({ approvals: waitingFor(asked) });
  await page.getByRole('link', { name: 'Bench Grinder Drive Belt Replacement' }).click();
  await dialog.getByText('Waiting for your organisation to confirm your identity').waitFor();
  await dialog.getByRole('link', { name: 'Open the sign-in page again' }).waitFor();
  expect(await dialog.getByLabel('Reason for rejection').inputValue()).toBe('Wrong torque');
  await dialog.getByRole('button', { name: 'Use the password instead' }).click();
  await second.close();

  const [third] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('button', { name: 'Confirm with single sign-on' }).click(),
  ]);
  await third.getByRole('button', { name: 'It is me' }).click();
  await third.getByText('You are confirmed').waitFor();
  await dialog.getByText('Your organisation confirmed your identity').waitFor();
  expect(
    await dialog
      .getByRole('button', { name: 'Sign', exact: true })
      .evaluate((button) => button === document.activeElement),
  ).toBe(true);
  expect(await dialog.getByLabel('Reason for rejection').inputValue()).toBe('Wrong torque');
  await dialog.getByText('Reviewed', { exact: true }).click();
  await dialog.getByLabel('Comment').fill('Torque is right');
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByText('You have signed').waitFor();
  const [check] = (await shop.request(guideid)).stages;
  expect(check?.signatures).toMatchObject([
    { name: 'Tom', meaning: 'reviewed', method: 'token', comment: 'Torque is right' },
  ]);
  expect(await page.evaluate(() => Object.keys(sessionStorage).join())).not.toContain('sign-on');
  expect(app.errors).toEqual([]);
});

test('where no window opens, as in the desktop app, the system opens the identity provider', async () => {
  await using app = await bench.open('/', { approvals: true });
  const { page } = app;
  await page.evaluate((url) => {
    const request = { sign_onid: 'one', status: 'waiting', url, error: null, expires_date: 1 };
    window.askSignOn = (action) =>
      Promise.resolve({ ok: true, value: action === 'offersSignOn' ? true : request });
    const opened: string[] = [];
    window.open = (address) => {
      opened.push(String(address));
      sessionStorage.setItem('opened', opened.join(' '));
      return null;
    };
  }, 'https://identity.example.org/sso?SAMLRequest=x');
  await page.getByRole('link', { name: 'Approvals, 1 waiting for you' }).click();
  // The library has links of the same names.
  await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
  await page.getByRole('link', { name: 'Bench Grinder Drive Belt Replacement' }).click();
  await page.getByRole('button', { name: 'Sign' }).click();
  await page.getByRole('dialog').getByText('Approved', { exact: true }).click();
  await page.getByRole('button', { name: 'Confirm with single sign-on' }).click();
  const link = page.getByRole('link', { name: 'Open the sign-in page again' });
  await link.waitFor();
  expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  expect(await page.evaluate(() => sessionStorage.getItem('opened'))).toBe(
    'about:blank https://identity.example.org/sso?SAMLRequest=x',
  );
});

test('offline, a signature is prepared, survives a reload without the password, and is not sent', async () => {
  await using app = await bench.open('/approvals/9001', { approvals: true });
  const { page } = app;
  const offline = () =>
    page.evaluate(() =>
      window.fixture.change(({ sync }) => ({ sync: { ...sync, connection: 'offline' as const } })),
    );
  await offline();
  await page.getByRole('button', { name: 'Sign' }).click();
  await page.getByText('You need a connection to sign').waitFor();
  await page.getByRole('dialog').getByText('Approved', { exact: true }).click();
  await page.getByLabel('Comment').fill('Checked at line B');
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).isDisabled()).toBe(
    true,
  );
  expect(await page.getByLabel('Your password').isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Keep for later' }).click();
  await page.goto(`${bench.url}/approvals`);
  await page.getByText('Decision prepared').waitFor();
  await page.getByRole('link', { name: 'Bench Grinder Drive Belt Replacement' }).click();
  await page.getByRole('button', { name: 'Sign' }).click();
  expect(await page.getByLabel('Comment').inputValue()).toBe('Checked at line B');
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  expect(kept).not.toContain('password');
});

test('a decision prepared by an earlier version stays, unless a newer one was prepared', async () => {
  await using app = await bench.open('/approvals', { approvals: true });
  const { page } = app;
  const prepare = (comment: string) =>
    page.evaluate((remark) => {
      const decision = JSON.stringify({ decision: 'reject', comment: remark });
      localStorage.setItem('benchbook.signature.9101.9', decision);
      localStorage.setItem('benchbook.signature.9102.9', decision);
    }, comment);
  const keys = () => page.evaluate(() => Object.keys(localStorage).join());
  for (const comment of ['Worn belt', 'Another belt']) {
    await prepare(comment);
    await page.reload();
    await expect.poll(keys).not.toContain('signature.9101');
    // It is stored for the person with that number.
    expect(await keys()).toContain('benchbook.signature.9102.9');
  }
  await page.reload();
  await page.getByText('Decision prepared').waitFor();
  await page.getByRole('link', { name: 'Bench Grinder Drive Belt Replacement' }).click();
  await page.getByRole('button', { name: 'Sign' }).click();
  expect(await page.getByLabel('Reason for rejection').inputValue()).toBe('Worn belt');
});

test('APPROVAL-12 APPROVAL-15 the guide shows beside its steps who signed the version and when, and asks for missing signatures', async () => {
  await using app = await bench.open('/guides/9001', { approvals: true });
  const panel = app.page.getByRole('region', { name: 'Approval' });
  await panel.getByText('Waiting for approval').waitFor();
  await panel.getByText('Tom Okafor').waitFor();
  await panel.getByText('Reviewed · 2026-05-04 09:00:00 UTC').waitFor();
  expect(await panel.getByRole('button').count()).toBe(0);
  await app.page.evaluate(() =>
    window.fixture.change(({ approvals }) => ({
      approvals: {
        ...approvals,
        guides: approvals.guides.map((one) => ({ ...one, state: 'unapproved' as const, canAsk: true })),
      },
    })),
  );
  await panel.getByText('This version is not approved').waitFor();
  await panel.getByRole('button', { name: 'Request approval' }).click();
  await app.page
    .getByText('Approval requested. The signers are notified once the request is on the server.')
    .waitFor();
  expect(await app.calls('publish')).toEqual([['9001', true]]);
});

test('APPROVAL-1 APPROVAL-3 an administrator creates a process with stages and chooses the default for new guides', async () => {
  await using app = await bench.open('/administration', { administrator: true });
  const { page } = app;
  const sections = page.getByRole('navigation', { name: 'Administration sections' });
  await sections.getByRole('link', { name: 'Approvals' }).click();
  await page.getByRole('button', { name: 'New process' }).click();
  await page.getByRole('button', { name: 'Save process' }).click();
  await page.getByText('Give every stage a name and at least one signer').waitFor();
  await page.getByRole('textbox', { name: /^Name/ }).fill('Machine safety');
  await page.getByRole('textbox', { name: /^Stage name/ }).fill('Check');
  await page.getByText('Reviewed').click();
  await page.getByRole('button', { name: /Add a person or team/ }).click();
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Save process' }).click();
  await page.getByText('Process saved').waitFor();
  const [[processid, made]] = (await app.calls('saveProcess')) as [[null, { stages: unknown[] }]];
  expect(processid).toBeNull();
  expect(made).toMatchObject({ name: 'Machine safety', stages: [{ name: 'Check', meaning: 'reviewed' }] });
  await page.getByRole('button', { name: /Add a category/ }).click();
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: /^Stop using this process/ }).waitFor();
  expect((await app.calls('setDefaultProcess'))[0]?.[1]).toBe(1);
});

test('ADMIN-3 ADMIN-19 an edited process asks before it is left, and is not saved over what somebody else saved', async () => {
  await using app = await bench.open('/administration/mail', { administrator: true });
  const { page } = app;
  const sections = page.getByRole('navigation', { name: 'Administration sections' });
  await page.evaluate(() =>
    window.fixture.actions.saveProcess(null, { name: 'Machine safety', description: '', stages: [] }),
  );
  await sections.getByRole('link', { name: 'Approvals' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Description' }).fill('For every machine');
  await sections.getByRole('link', { name: 'Mail' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByText('Stay here').click();
  await page.evaluate(async () => {
    const { actions } = window.fixture;
    const [first] = await actions.listProcesses();
    if (first !== undefined)
      await actions.saveProcess(first, { name: 'Renamed', description: 'Theirs', stages: [] });
  });
  await page.getByRole('button', { name: 'Save process' }).click();
  await page.getByText('Not saved: somebody else changed this process meanwhile.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('For every machine');
  await page.getByRole('button', { name: 'Save process' }).click();
  await page.getByText('Process saved').waitFor();
  await page.getByText('For every machine').waitFor();
  await sections.getByRole('link', { name: 'Mail' }).click();
  await page.getByRole('heading', { level: 1, name: 'Mail' }).waitFor();
});

test.each(looks)('%s: approvals have no accessibility issue that axe finds', async (_, look) => {
  await using app = await bench.open('/approvals', { approvals: true }, look);
  expect(await offences(app.page, look)).toEqual([]);
  await app.page.getByRole('link', { name: 'Bench Grinder Drive Belt Replacement' }).click();
  await app.page.getByRole('button', { name: 'Sign' }).waitFor();
  expect(await offences(app.page, look)).toEqual([]);
  await app.page.getByRole('button', { name: 'Sign' }).click();
  await app.page.getByRole('dialog').waitFor();
  expect(await offences(app.page, look)).toEqual([]);
});
