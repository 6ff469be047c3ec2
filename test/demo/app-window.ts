import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BrowserContext, Page } from 'playwright-core';

import type { Desktop, DesktopApp } from '#test/electron/support/desktop-app.ts';
import { processesOf } from '#test/electron/support/processes.ts';
import { killBrowser, launchProfile } from '#test/support/browser.ts';

/** The program in which a technician uses the app, with its own data. */
export interface AppWindow {
  /** The page of the app; another one after a kill. */
  readonly page: Page;
  /** Shows the sign-in screen for a server. */
  enter(server: string): Promise<void>;
  /** Tells the app that it is offline or online. */
  setOffline(isOffline: boolean): Promise<void>;
  /** Kills the app without a warning and shows the same screen again. */
  killAndReopen(): Promise<void>;
  /** Kills every process of the program together, as a power cut does, and starts it again without a network. */
  cutPower(): Promise<void>;
  /** Ends the program and deletes its data. */
  close(): Promise<void>;
}

/** Opens a window on new data. `slowest`: how long anything on the screen may take, ms. */
export type OpenWindow = (slowest: number) => Promise<AppWindow>;

/** Windows of Chromium. */
export function browserWindows(isVisible: boolean): OpenWindow {
  return async (slowest) => {
    const profile = mkdtempSync(join(tmpdir(), 'benchbook-demo-'));
    const launch = async (): Promise<BrowserContext> => {
      const context = await launchProfile(profile, { headless: !isVisible });
      context.setDefaultTimeout(slowest);
      return context;
    };
    const context = await launch();
    return new BrowserTab(profile, launch, context, await firstPage(context));
  };
}

async function firstPage(context: BrowserContext): Promise<Page> {
  return context.pages()[0] ?? context.newPage();
}

class BrowserTab implements AppWindow {
  readonly #profile: string;
  readonly #launch: () => Promise<BrowserContext>;
  #context: BrowserContext;
  #page: Page;

  constructor(profile: string, launch: () => Promise<BrowserContext>, context: BrowserContext, page: Page) {
    this.#profile = profile;
    this.#launch = launch;
    this.#context = context;
    this.#page = page;
  }

  get page(): Page {
    return this.#page;
  }

  async enter(server: string): Promise<void> {
    await this.#page.goto(server);
  }

  setOffline(isOffline: boolean): Promise<void> {
    return this.#context.setOffline(isOffline);
  }

  /** Kills the process of the page. */
  async killAndReopen(): Promise<void> {
    const address = this.#page.url();
    const session = await this.#context.newCDPSession(this.#page);
    const crashed = this.#page.waitForEvent('crash');
    void session.send('Page.crash').catch(() => undefined);
    await crashed;
    const fresh = await this.#context.newPage();
    await this.#page.close();
    this.#page = fresh;
    await fresh.goto(address);
  }

  async cutPower(): Promise<void> {
    const { origin } = new URL(this.#page.url());
    const ended = new Promise((resolve) => this.#context.once('close', resolve));
    killBrowser(this.#profile);
    await ended;
    this.#context = await this.#launch();
    await this.setOffline(true);
    this.#page = await firstPage(this.#context);
    await this.#page.goto(origin);
  }

  async close(): Promise<void> {
    await this.#context.close();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Windows of the desktop app. */
export function desktopWindows(desktop: Desktop): OpenWindow {
  return async (slowest) => {
    const data = desktop.userData();
    // Without a keyring, a new device would ask for a PIN.
    const launch = async (): Promise<DesktopApp> => {
      const app = await desktop.launch(data, ['--keep-key-in-file']);
      app.app.context().setDefaultTimeout(slowest);
      return app;
    };
    return new DesktopWindow(data, launch, await launch());
  };
}

class DesktopWindow implements AppWindow {
  readonly #data: string;
  readonly #launch: () => Promise<DesktopApp>;
  #app: DesktopApp;

  constructor(data: string, launch: () => Promise<DesktopApp>, app: DesktopApp) {
    this.#data = data;
    this.#launch = launch;
    this.#app = app;
  }

  get page(): Page {
    return this.#app.page;
  }

  async enter(server: string): Promise<void> {
    await this.page.getByRole('combobox', { name: 'Server address' }).fill(server);
  }

  setOffline(isOffline: boolean): Promise<void> {
    return this.#app.app.context().setOffline(isOffline);
  }

  async killAndReopen(): Promise<void> {
    const { pathname, hash } = new URL(this.page.url());
    await this.cutPower();
    await this.page.getByLabel('Sync status').first().waitFor();
    await this.page.evaluate((to) => history.pushState(null, '', to), pathname + hash);
  }

  async cutPower(): Promise<void> {
    const running = this.#app.app.process();
    const ended = new Promise((resolve) => running.once('exit', resolve));
    for (const pid of processesOf(this.#data)) process.kill(pid, 'SIGKILL');
    await ended;
    this.#app = await this.#launch();
    await this.setOffline(true);
  }

  close(): Promise<void> {
    return this.#app.app.close();
  }
}
