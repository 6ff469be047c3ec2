import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { screenList } from '#shared/rules/screens.ts';
import { builtApp } from '#test/support/production-build.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { serveProvider } from '#test/support/identity-provider.ts';

import { go, keptOffline, signIn, startWholeApp, startWithForm, status, type WholeApp } from './whole-app.ts';

/** Every screen of members whose address has no parameters, and a category. */
const screens = [
  ...screenList.flatMap(([, { path, sees, isAlone }]) =>
    path.includes(':') || sees === 'administrator' || isAlone === true ? [] : [path],
  ),
  '/library/Bench%20Grinder',
];

/** Signs Ada in at an identity provider, after a person unknown to the site has tried. */
async function signInAtProvider({ server, ada }: WholeApp, page: Page, address: string): Promise<void> {
  await using provider = await serveProvider('eve@corp');
  const admin = await server.person('Mira', ['User', 'Admin']);
  const { entryPoint: entry_point, certificate } = provider;
  const sign_on = { entry_point, certificates: [certificate], sign_in_name: 'Example Works' };
  expect(
    (
      await admin.call('PATCH', '/site', {
        current_password: 'a long password',
        address,
        sign_on,
        private: true,
      })
    ).status,
  ).toBe(200);
  await admin.call('PATCH', `/users/${ada.userid}`, {
    sso_userid: 'ada@corp',
    current_password: 'a long password',
  });
  await page.goto(address);
  const begin = page.getByRole('button', { name: 'Sign in with Example Works' });
  await begin.click();
  await page.getByRole('button', { name: 'It is me' }).click();
  await page.getByText('Ask an administrator to enter the single sign-on id eve@corp').waitFor();
  await page.getByRole('link', { name: 'Go on to the app' }).click();
  provider.says = 'ada@corp';
  await begin.click();
  await page.getByRole('button', { name: 'It is me' }).click();
  await status(page, /^Synced/);
  // The code is in no visible address and in none of the history.
  expect(page.url()).toBe(`${address}/`);
}

test('SIGN-ON-9 after single sign-on, every screen opens by its address offline and with a hanging server', async () => {
  await using resources = new AsyncDisposableStack();
  const app = await startWholeApp(resources);
  const device = await app.openDevice();
  const { context, wire } = device;
  const page = await context.newPage();
  await signInAtProvider(app, page, wire.url);
  await keptOffline(page);
  // A page loaded without the service worker, as while the worker starts, gets it anyway.
  const browserSide = await context.newCDPSession(page);
  await browserSide.send('Page.reload', { ignoreCache: true });
  await page.waitForLoadState();
  await keptOffline(page);

  await device.goOffline();
  for (const screen of screens) {
    await page.goto(`${wire.url}${screen}`);
    await status(page, /^Offline/);
    expect(new URL(page.url()).pathname).toBe(screen);
  }

  await device.goOnline();
  wire.hang();
  await page.goto(`${wire.url}/work-orders`);
  await page.getByRole('heading', { level: 1, name: 'Work orders' }).waitFor();
});

test('VIEW-5 a guide is ready offline once the app itself is, and then every screen opens offline', async () => {
  await using resources = new AsyncDisposableStack();
  const { guide, device } = await startWithForm(resources);
  const { context, wire } = device;
  const release = wire.hold('/assets/inter-greek');
  const page = await context.newPage();
  await page.goto(wire.url);
  await signIn(page);
  await status(page, /^Synced/);
  await go(page, `/guides/${guide.guideid}`);
  await page.getByRole('heading', { level: 1, name: guide.title }).waitFor();
  const main = page.getByRole('main');
  await main.getByText('Downloading · 0 of 1 files').first().waitFor();

  release();
  await main.getByText('Ready offline').first().waitFor();
  await device.goOffline();
  await go(page, `/guides/${guide.guideid}/edit`);
  await page.getByRole('navigation', { name: 'Parts of the guide' }).waitFor();
});

/** Replaces the app by another version: the files of its lazy screens have other names. */
function update(appDir: string): void {
  const assets = join(appDir, 'assets');
  const worker = join(appDir, 'service-worker.js');
  const late = readdirSync(assets).filter((file) => file.startsWith('screens-'));
  expect(late).not.toEqual([]);
  let code = readFileSync(worker, 'utf8').replace(/version:"[^"]*"|"version":"[^"]*"/, '"version":"next"');
  for (const file of late) {
    rmSync(join(assets, file));
    code = code.replace(`"/assets/${file}",`, '');
  }
  writeFileSync(worker, code);
  for (const ending of ['br', 'gz']) rmSync(`${worker}.${ending}`, { force: true });
}

test('VIEW-5 a page left open during an update of the app still opens every screen', async () => {
  await using resources = new AsyncDisposableStack();
  const appDir = resources.use(await temporaryFolder('app')).path;
  cpSync(await builtApp(), appDir, { recursive: true });
  const { openDevice } = await startWholeApp(resources, appDir);
  const { context, wire } = await openDevice();
  const page = await context.newPage();
  await page.goto(wire.url);
  await signIn(page);
  await status(page, /^Synced/);
  await keptOffline(page);

  update(appDir);
  await page.evaluate(async () => {
    const next = new Promise((resolve) => {
      navigator.serviceWorker.addEventListener('controllerchange', resolve);
    });
    await (await navigator.serviceWorker.ready).update();
    await next;
  });
  await go(page, '/archives');
  await page.getByRole('heading', { level: 1, name: 'Archives' }).waitFor();
});
