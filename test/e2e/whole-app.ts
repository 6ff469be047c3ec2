import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';

import type { Guide } from '#shared/model/guide-record.ts';
import { launchProfile } from '#test/support/browser.ts';
import { builtApp } from '#test/support/production-build.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { layWire, type WireCut } from '#test/support/wire-cut.ts';
import { makeForm, makeGuide } from '#test/support/workshop.ts';

/** The built app, served by a real server, and Ada, who can sign in. */
export interface WholeApp {
  server: TestServer;
  ada: TestPerson;
  /** `options`: of the browser, such as a screen that is touched. */
  openDevice: (options?: Parameters<typeof launchProfile>[1]) => Promise<Device>;
}

/** A browser with its own profile and its own connection to the server. */
export interface Device {
  wire: WireCut;
  context: BrowserContext;
  /** Cuts the connection and tells the browser. */
  goOffline(): Promise<void>;
  goOnline(): Promise<void>;
}

/** `resources` closes all of it. */
export async function startWholeApp(resources: AsyncDisposableStack, appDir?: string): Promise<WholeApp> {
  const server = resources.use(await startServer({ appDir: appDir ?? (await builtApp()) }));
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const openDevice: WholeApp['openDevice'] = async (options) => {
    const wire = resources.use(await layWire(server.url));
    const profile = resources.use(await temporaryFolder('device-profile')).path;
    const context = await launchProfile(profile, options);
    resources.defer(() => context.close());
    return {
      wire,
      context,
      async goOffline() {
        await context.setOffline(true);
        wire.cut();
      },
      async goOnline() {
        wire.mend();
        await context.setOffline(false);
      },
    };
  };
  return { server, ada, openDevice };
}

/** The whole app with a guide that has a form, and a device of Ada on which nobody has signed in. */
export async function startWithForm(
  resources: AsyncDisposableStack,
): Promise<WholeApp & { guide: Guide; device: Device }> {
  const app = await startWholeApp(resources);
  const guide = await makeGuide(app.ada);
  await makeForm(app.ada, guide);
  return { ...app, guide, device: await app.openDevice() };
}

/** Signs in on the open page. */
export async function signIn(page: Page, name = 'ada'): Promise<void> {
  await page.getByLabel('E-mail').fill(`${name}@example.com`);
  await page.getByLabel('Password').fill('a long password');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Waits until the app itself can be opened offline: until then a screen may be available only online. */
export async function keptOffline(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Waits until the status line matches; the error names the actual text. */
export async function status(page: Page, words: RegExp | string): Promise<void> {
  const line = page.getByLabel('Sync status');
  try {
    await line.filter({ hasText: words }).first().waitFor();
  } catch (error) {
    throw new Error(`The status line says: ${(await line.allInnerTexts()).join(' / ')}`, { cause: error });
  }
}

/** Like a click on a link; opening an address would reload the page. */
export function go(page: Page, path: string): Promise<void> {
  return page.evaluate((to) => history.pushState(null, '', to), path);
}

/** Starts a work order on the open guide, and goes to the step named `Open`. */
export async function startOrder(page: Page, number: string): Promise<void> {
  await page.getByRole('button', { name: 'Start work order' }).first().click();
  await page.getByLabel('Work order number').fill(number);
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Open' }).click();
}

/** Records a small photo at the open step. */
export async function takePhoto(page: Page): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Take or choose a photo' }).click();
  const photo = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#c33' } })
    .jpeg()
    .toBuffer();
  await (await chooser).setFiles({ name: 'belt.jpg', mimeType: 'image/jpeg', buffer: photo });
  await page.getByText('belt.jpg').waitFor();
}
