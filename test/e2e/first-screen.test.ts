import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { makeGuide } from '#test/support/workshop.ts';

import { keptOffline, startWholeApp, type WholeApp } from './whole-app.ts';

/** The file of the engine and of most screens. */
const appCode = /assets\/app-.*\.js/;

/** The worker that writes the journal. */
const journalCode = /assets\/opfs-worker-.*\.js/;

/** Holds the code of the app back until the returned function is called. */
async function holdBack(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(appCode, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

async function fill(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password').fill('a long password');
}

async function openPage({ openDevice, server }: WholeApp): Promise<{ page: Page; url: string }> {
  const device = await openDevice();
  return { page: await device.context.newPage(), url: server.url };
}

test('FIRST-2 what is typed before the engine is there is kept, and signs the person in when it is', async () => {
  await using resources = new AsyncDisposableStack();
  const { page, url } = await openPage(await startWholeApp(resources));
  const release = await holdBack(page);
  await page.goto(url);
  await fill(page);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Signing in…' }).waitFor();
  expect(await page.getByLabel('E-mail').inputValue()).toBe('ada@example.com');
  release();
  await page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
});

test('FIRST-2 the form keeps what is typed, and the focus, while the engine arrives', async () => {
  await using resources = new AsyncDisposableStack();
  const { page, url } = await openPage(await startWholeApp(resources));
  const release = await holdBack(page);
  await page.goto(url);
  await page.getByLabel('E-mail').waitFor();
  await page.keyboard.type('ada@exam');
  release();
  // The engine is there when the service worker is.
  await keptOffline(page);
  await page.keyboard.type('ple.com');
  expect(await page.getByLabel('E-mail').inputValue()).toBe('ada@example.com');
});

test('FIRST-2 code that does not arrive is reported at the form, and loaded on request', async () => {
  await using resources = new AsyncDisposableStack();
  const { page, url } = await openPage(await startWholeApp(resources));
  await page.route(appCode, (route) => route.abort());
  await page.goto(url);
  const missing = page.getByText('Couldn’t load the rest of the app');
  await missing.waitFor();
  await fill(page);
  // A sign-in tries it again, and fails as well.
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await missing.waitFor();
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await missing.waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await missing.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Password').inputValue()).toBe('a long password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
});

test('FIRST-2 the code of the journal that does not arrive is reported like the rest, and what is typed stays', async () => {
  await using resources = new AsyncDisposableStack();
  const { page, url } = await openPage(await startWholeApp(resources));
  await page.route(journalCode, (route) => route.abort());
  await page.goto(url);
  await fill(page);
  await page.getByText('Couldn’t load the rest of the app').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
});

test('FIRST-2 on a page that needs the engine, code that does not arrive is reported, and loaded on request', async () => {
  await using resources = new AsyncDisposableStack();
  const { page, url } = await openPage(await startWholeApp(resources));
  await page.route(appCode, (route) => route.abort());
  await page.goto(`${url}/archives`);
  await page.getByText('Couldn’t load the app').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Archives' }).waitFor();
});

test('FIRST-3 if the server has another version by now, the page is loaded again, with what was typed but the password', async () => {
  await using resources = new AsyncDisposableStack();
  const { page, url } = await openPage(await startWholeApp(resources));
  await page.route(appCode, (route) => route.fulfill({ status: 404 }));
  await page.goto(url);
  await page.getByText('Couldn’t load the rest of the app').waitFor();
  await fill(page);
  await page.route(`${url}/`, async (route) => {
    if (route.request().isNavigationRequest()) return route.fallback();
    await page.unroute(appCode);
    await route.fulfill({
      contentType: 'text/html',
      body: '<script src="/assets/index-of-another.js"></script>',
    });
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await keptOffline(page);
  expect(await page.getByLabel('E-mail').inputValue()).toBe('ada@example.com');
  expect(await page.getByLabel('Password').inputValue()).toBe('');
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('password');
});

test('FIRST-5 the code that arrives later breaks no rule of the content security policy', async () => {
  await using resources = new AsyncDisposableStack();
  const { page, url } = await openPage(await startWholeApp(resources));
  const complaints: string[] = [];
  await page.exposeFunction('complain', (directive: string) => void complaints.push(directive));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
      const complain: unknown = Reflect.get(window, 'complain');
      if (typeof complain === 'function') complain(effectiveDirective);
    });
  });
  await page.goto(url);
  await keptOffline(page);
  expect(complaints).toEqual([]);
});

test('FIRST-1 the next start shows the frame of the app to whoever is signed in, and the sign-in to nobody', async () => {
  await using resources = new AsyncDisposableStack();
  const { page, url } = await openPage(await startWholeApp(resources));
  await page.goto(url);
  await fill(page);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
  await keptOffline(page);

  // Without the worker, which has the code.
  await page.evaluate(async () => {
    for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();
  });
  const release = await holdBack(page);
  await page.reload();
  await page.getByText('Starting Benchbook').waitFor();
  expect(await page.getByText('Benchbook', { exact: true }).isVisible()).toBe(true);
  expect(await page.getByLabel('E-mail').count()).toBe(0);
  release();
  await page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
  await page.unrouteAll();

  await page.getByRole('button', { name: /account and display/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail').waitFor();
  await page.evaluate(async () => {
    for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();
  });
  await holdBack(page);
  await page.reload();
  await page.getByLabel('E-mail').waitFor();
});

test('FIRST-6 a guide that is to be edited opens when it arrives, after a first sign-in at its address', async () => {
  await using resources = new AsyncDisposableStack();
  const app = await startWholeApp(resources);
  const { guideid } = await makeGuide(app.ada);
  const { page, url } = await openPage(app);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/sync\/1\/(?:pull|bootstrap)/, async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(`${url}/guides/${guideid}/edit`);
  await fill(page);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('This guide cannot be edited here').waitFor();
  resolve();
  await page.getByRole('navigation', { name: 'Parts of the guide' }).waitFor();
});
