import { afterAll, beforeAll, expect, test } from 'vitest';

import { insecureHost } from '#test/support/browser.ts';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('a page served by a server offers that server', async () => {
  await using app = await bench.open('/', { signedOut: true });
  expect(await app.page.getByRole('combobox', { name: 'Server address' }).inputValue()).toBe(bench.url);
});

test('a server used before is offered first, the others in the list', async () => {
  await using app = await bench.open('/', {
    signedOut: true,
    servers: ['https://a.example.org', 'https://b.example.org'],
  });
  const server = app.page.getByRole('combobox', { name: 'Server address' });
  expect(await server.inputValue()).toBe('https://a.example.org');
  await app.page.getByRole('button', { name: 'Show servers used before' }).click();
  await app.page.getByRole('option', { name: 'https://b.example.org' }).click();
  expect(await server.inputValue()).toBe('https://b.example.org');
});

test('signing in passes server, e-mail and password on and opens the library', async () => {
  await using app = await bench.open('/', { signedOut: true });
  await app.page.getByRole('combobox', { name: 'Server address' }).fill('guides.example.org/');
  await app.page.getByLabel('E-mail').fill(' ana@example.org ');
  await app.page.getByLabel('Password').fill('pass word');
  await app.page.keyboard.press('Enter');
  await app.page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
  expect(await app.calls('signIn')).toEqual([['https://guides.example.org', 'ana@example.org', 'pass word']]);
});

/** In the page: an app whose identity provider answers in the system browser, once for each event `code`. */
function actAsDesktop(): void {
  const opened: string[] = [];
  window.open = (address) => {
    opened.push(String(address));
    sessionStorage.setItem('opened', opened.join(' '));
    return null;
  };
  let count = 0;
  const nextCode = (): Promise<string> =>
    new Promise((resolve) => {
      addEventListener('code', () => resolve(`code-${(count += 1)}`), { once: true });
    });
  window.benchbook = {
    call: async (name) => ({
      ok: true,
      result:
        name === 'signInListen'
          ? 'http://127.0.0.1:5000/a'
          : name === 'signInWait'
            ? await nextCode()
            : undefined,
    }),
  };
}

test('SIGN-ON-9 the identity provider opens in the system browser, and the desktop app receives the code', async () => {
  await using app = await bench.open('/', { signedOut: true, provider: 'Example Works' });
  const { page } = app;
  const begin = page.getByRole('button', { name: 'Sign in with Example Works' });
  // In a browser the page itself navigates there and back; another origin would not have this one's storage.
  await begin.click();
  await page.getByText('Sign-in with your organisation works only at https://guides.example.org.').waitFor();
  await page.evaluate(actAsDesktop);
  await begin.click();
  await page.getByText('Continue in your browser').waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem('opened'))).toBe(
    'https://identity.example.org/sso?SAMLRequest=x',
  );
  expect((await app.calls('beginSignIn')).at(-1)).toEqual([bench.url, 'http://127.0.0.1:5000/a']);
  await page.evaluate(() => dispatchEvent(new Event('code')));
  await page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
  expect(await app.calls('signInWithCode')).toEqual([[bench.url, 'code-1', 'kept on this device', false]]);
});

test('ACCOUNT-4 a person who returns from the identity provider to an unproved address can start anew', async () => {
  await using app = await bench.open('/', { signedOut: true, provider: 'Example Works', unproved: true });
  const { page } = app;
  await page.evaluate(actAsDesktop);
  const answer = async (): Promise<void> => {
    await page.getByText('Continue in your browser').waitFor();
    await page.evaluate(() => dispatchEvent(new Event('code')));
  };
  await page.getByRole('button', { name: 'Sign in with Example Works' }).click();
  await answer();
  await page.getByText('4 changes on this device are waiting for http://bench.local:4020.').waitFor();
  await page.getByRole('button', { name: 'Sign in without these changes' }).click();
  await answer();
  await page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
  expect(await app.calls('signInWithCode')).toEqual([
    [bench.url, 'code-1', 'kept on this device', false],
    [bench.url, 'code-2', 'kept on this device', true],
  ]);
});

test('ACCOUNT-4 a page to which the identity provider returns remembers what the person chose', async () => {
  const kept = (apart: boolean) =>
    sessionStorage.setItem(
      'benchbook.sign-in',
      new URLSearchParams({
        server: 'https://guides.example.org',
        verifier: 'kept',
        apart: String(apart),
      }).toString(),
    );
  await using app = await bench.open('/', { signedOut: true, unproved: true });
  const { page } = app;
  const comeBack = async (apart: boolean): Promise<void> => {
    await page.evaluate(kept, apart);
    await page.goto('about:blank');
    await page.goto(`${bench.url}/sign-in#sign-on=a-code`);
  };
  await comeBack(false);
  await page.getByRole('button', { name: 'Sign in without these changes' }).waitFor();
  await comeBack(true);
  await page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
});

test('SIGN-ON-10 a code for a page that did not ask for it signs nobody in', async () => {
  await using app = await bench.open('/sign-in#sign-on=of-somebody-else', { signedOut: true });
  await app.page.getByText('This sign-in was started in another window').waitFor();
  expect(app.page.url()).not.toContain('of-somebody-else');
  expect(await app.calls('signInWithCode')).toEqual([]);
});

test('missing values are reported at their fields, and nothing is sent', async () => {
  await using app = await bench.open('/', { signedOut: true });
  await app.page.getByRole('button', { name: 'Sign in' }).click();
  await app.page.getByText('Enter your e-mail address').waitFor();
  await app.page.getByText('Enter your password').waitFor();
  expect(await app.page.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true');
  expect(await app.calls('signIn')).toEqual([]);
});

test('a wrong password is reported in plain words, and the input stays', async () => {
  await using app = await bench.open('/', {
    signedOut: true,
    refuseSignIn: 'No',
    refuseSignInCode: 'wrong-login',
  });
  await app.page.getByLabel('E-mail').fill('ana@example.org');
  await app.page.getByLabel('Password').fill('wrong');
  await app.page.getByRole('button', { name: 'Sign in' }).click();
  expect(await app.page.getByRole('alert').innerText()).toContain(
    'The e-mail address or the password is wrong. Check both and try again.',
  );
  expect(await app.page.getByLabel('E-mail').inputValue()).toBe('ana@example.org');
});

test('an expired password is reported, with a link to set a new one', async () => {
  const flaw = 'This password is older than the 90 days that this site allows; set a new one';
  await using app = await bench.open('/', { signedOut: true, refuseSignIn: flaw });
  await app.page.getByLabel('E-mail').fill('ana@example.org');
  await app.page.getByLabel('Password').fill('the right one');
  await app.page.getByRole('button', { name: 'Sign in' }).click();
  expect(await app.page.getByRole('alert').innerText()).toContain(flaw);
  await app.page.getByRole('link', { name: 'Forgot password?' }).waitFor();
});

test('with an expired session the app still reads, and asks to sign in again at the notice', async () => {
  await using app = await bench.open('/', { expired: true });
  await app.page.getByRole('link', { name: 'Sign in to sync' }).click();
  await app.page.getByText('Your session has ended').waitFor();
});

test('a page from an insecure origin says that it cannot store work', async () => {
  const context = await bench.browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    window.fixtureOptions = { signedOut: true };
  });
  await page.goto(bench.url.replace('127.0.0.1', insecureHost));
  await page.getByText('This page cannot keep your work').waitFor();
  await context.close();
});

test('a page from a secure origin shows no such warning', async () => {
  await using app = await bench.open('/', { signedOut: true });
  expect(await app.page.getByText('This page cannot keep your work').count()).toBe(0);
});

test('a password reset is requested by e-mail, with the same response for every address', async () => {
  await using app = await bench.open('/', { signedOut: true });
  await app.page.getByRole('link', { name: 'Forgot password?' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Set a new password' }).waitFor();
  await app.page.getByRole('button', { name: 'Send the link' }).click();
  await app.page.getByText('Enter your e-mail address').waitFor();
  await app.page.getByLabel('Server address').fill('guides.example.org/');
  await app.page.getByLabel('E-mail').fill(' ana@example.org ');
  await app.page.getByRole('button', { name: 'Send the link' }).click();
  await app.page.getByRole('status').getByText('Check your e-mail').waitFor();
  expect(await app.calls('forgotPassword')).toEqual([['https://guides.example.org', 'ana@example.org']]);
  await app.page.getByRole('link', { name: 'Back to sign-in' }).click();
  await app.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
});

test('the link in the e-mail sets a new password, and its token leaves the address', async () => {
  await using app = await bench.open('/reset-password?token=fresh', { signedOut: true });
  const save = app.page.getByRole('button', { name: 'Save the password' });
  await save.waitFor();
  expect(app.page.url()).not.toContain('fresh');
  await app.page.getByLabel('New password').fill('short');
  await save.click();
  await app.page.getByText('Enter ten characters or more').waitFor();
  await app.page.getByLabel('New password').fill('a quite long password');
  await save.click();
  await app.page.getByRole('status').getByText('Your new password is saved').waitFor();
  expect(await app.calls('resetPassword')).toEqual([[bench.url, 'fresh', 'a quite long password']]);
  await app.page.getByRole('link', { name: 'Sign in' }).click();
  await app.page.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('a used link says so, and leads to a new one', async () => {
  await using app = await bench.open('/reset-password?token=used', { signedOut: true });
  await app.page.getByLabel('New password').fill('a quite long password');
  await app.page.getByRole('button', { name: 'Save the password' }).click();
  expect(await app.page.getByRole('alert').innerText()).toContain(
    'This link was already used or has expired',
  );
  await app.page.getByRole('link', { name: 'Request a new link' }).click();
  await app.page.getByRole('button', { name: 'Send the link' }).waitFor();
});
