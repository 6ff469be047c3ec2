import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { chromium, type Page } from 'playwright-core';

import { must } from '#shared/must.ts';
import { soon } from '#test/support/soon.ts';

import type { DesktopApp } from './desktop-app.ts';

/** A page of the app, through a connection of its own. */
export interface AttachedPage extends AsyncDisposable {
  page: Page;
}

/**
 * Connects to the page of the app with this folder for user data as soon as it is loaded. Playwright gives up a page
 * whose process ended, also when the app shows it again; a new connection does not.
 */
export async function attachPage({ app }: DesktopApp, userData: string): Promise<AttachedPage> {
  const isLoaded = (): Promise<boolean> =>
    app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return window !== undefined && !window.webContents.isCrashed() && !window.webContents.isLoading();
    });
  await soon(isLoaded).toBe(true);
  // Chromium writes its port there.
  const [port] = readFileSync(join(userData, 'DevToolsActivePort'), 'utf8').split('\n');
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { timeout: 0 });
  const page = must(browser.contexts()[0]?.pages()[0], 'the page of the window');
  page.setDefaultTimeout(180_000);
  return { page, [Symbol.asyncDispose]: () => browser.close() };
}

/** From now on, somebody presses this button of each message box that the app shows. */
export async function answerMessageBoxes({ app }: DesktopApp, button: number): Promise<void> {
  await app.evaluate(({ dialog }, response) => {
    dialog.showMessageBox = async () => ({ response, checkboxChecked: false });
  }, button);
}
