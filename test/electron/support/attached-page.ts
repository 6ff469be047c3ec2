import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

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
export async function attachPage(app: DesktopApp, userData: string): Promise<AttachedPage> {
  await untilLoaded(app);
  return connect(userData);
}

async function untilLoaded({ app }: DesktopApp): Promise<void> {
  const state = (): Promise<string> =>
    app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      if (contents === undefined) return 'closed';
      if (contents.isCrashed()) return 'crashed';
      return contents.isLoading() ? `loading ${contents.getURL()}` : 'loaded';
    });
  await soon(state).toBe('loaded');
}

/** Connects to the page of an app that was started without the inspector. */
export async function attachWhenReady(userData: string): Promise<AttachedPage> {
  await soon(() => pagesOf(userData).catch(() => [])).toContainEqual(expect.stringMatching(/^benchbook:/));
  return connect(userData);
}

async function pagesOf(userData: string): Promise<string[]> {
  const answer = await fetch(`${debuggingAddress(userData)}/json/list`);
  return ((await answer.json()) as { url: string }[]).map(({ url }) => url);
}

/** Chromium writes its port there. */
function debuggingAddress(userData: string): string {
  const [port] = readFileSync(join(userData, 'DevToolsActivePort'), 'utf8').split('\n');
  return `http://127.0.0.1:${port}`;
}

async function connect(userData: string): Promise<AttachedPage> {
  const browser = await chromium.connectOverCDP(debuggingAddress(userData), { timeout: 0 });
  const page = must(browser.contexts()[0]?.pages()[0], 'the page of the window');
  page.setDefaultTimeout(180_000);
  return { page, [Symbol.asyncDispose]: () => browser.close() };
}

/** Kills the process of the page as soon as it is loaded. A window has another process while it opens. */
export async function killPage(app: DesktopApp): Promise<void> {
  await untilLoaded(app);
  await kill(() =>
    app.app.evaluate(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
    ),
  );
}

/** Kills one process of this type, as Electron's metrics name it. Waits for one that is still starting. */
export function killOne({ app }: DesktopApp, type: 'Tab' | 'GPU' | 'Utility'): Promise<void> {
  return kill(() =>
    app.evaluate(
      (electron, given) => electron.app.getAppMetrics().find((one) => one.type === given)?.pid ?? 0,
      type,
    ),
  );
}

/** Kills the process with the number that `find` gives. 0: there is none yet. */
async function kill(find: () => Promise<number>): Promise<void> {
  let pid = 0;
  // Playwright sometimes loses an answer of the main process, so it is asked again.
  await soon(async () => (pid = await find())).toBeGreaterThan(0);
  process.kill(pid, 'SIGKILL');
}

/** From now on, somebody presses this button of each message box that the app shows. */
export async function answerMessageBoxes({ app }: DesktopApp, button: number): Promise<void> {
  await app.evaluate(({ dialog }, response) => {
    dialog.showMessageBox = async () => ({ response, checkboxChecked: false });
  }, button);
}
