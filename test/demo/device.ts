import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BrowserContext, Locator, Page } from 'playwright-core';

import { launchProfile } from '#test/support/browser.ts';
import { layWire, type WireCut } from '#test/support/wire-cut.ts';

/** Maximum time for anything on the screen, ms. */
const patience = 90_000;

/** A technician's device: a browser with its own profile and its own connection to the server. */
export class Device {
  readonly name: string;
  readonly wire: WireCut;
  readonly #profile: string;
  readonly #shots: string;
  #context: BrowserContext;
  #page: Page;
  readonly troubles: string[] = [];

  private constructor(
    name: string,
    wire: WireCut,
    profile: string,
    shots: string,
    context: BrowserContext,
    page: Page,
  ) {
    this.name = name;
    this.wire = wire;
    this.#profile = profile;
    this.#shots = shots;
    this.#context = context;
    this.#page = page;
    this.#listen();
  }

  static async unpack(name: string, serverUrl: string, shots: string, watch: boolean): Promise<Device> {
    const wire = await layWire(serverUrl);
    const profile = mkdtempSync(join(tmpdir(), 'benchbook-demo-'));
    const context = await launchProfile(profile, { headless: !watch });
    context.setDefaultTimeout(patience);
    const page = context.pages()[0] ?? (await context.newPage());
    return new Device(name, wire, profile, shots, context, page);
  }

  get page(): Page {
    return this.#page;
  }

  #listen(): void {
    this.#page.on('pageerror', (error) => this.troubles.push(error.message));
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.#page.goto(this.wire.url);
    await this.#page.getByLabel('E-mail').fill(email);
    await this.#page.getByLabel('Password').fill(password);
    this.wire.resetCounters();
    await this.button('Sign in').click();
  }

  /** Cuts the connection and tells the browser; open sockets break too. */
  async goOffline(): Promise<void> {
    await this.#context.setOffline(true);
    this.wire.cut();
    await this.status('Offline');
  }

  async goOnline(): Promise<void> {
    this.wire.mend();
    await this.#context.setOffline(false);
  }

  /** Kills the page's process without a warning, and opens the same address again. */
  async killAndReopen(): Promise<void> {
    const address = this.#page.url();
    const session = await this.#context.newCDPSession(this.#page);
    const crashed = this.#page.waitForEvent('crash');
    void session.send('Page.crash').catch(() => undefined);
    await crashed;
    const fresh = await this.#context.newPage();
    await this.#page.close();
    this.#page = fresh;
    this.#listen();
    await fresh.goto(address);
  }

  button(name: string | RegExp, within: Page | Locator = this.#page): Locator {
    return within.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /** Waits until the status line contains `words`, and returns it; a failure names the actual text. */
  async status(words: string | RegExp): Promise<string> {
    const status = this.#page.getByLabel('Sync status');
    try {
      return await status.filter({ hasText: words }).first().innerText();
    } catch (cause) {
      await this.shot('broken').catch(() => undefined);
      const said = await status.first().innerText();
      throw new Error(`The status of ${this.name} says "${said}" instead of "${words}"`, { cause });
    }
  }

  async go(path: string): Promise<void> {
    // Like a click on a link; opening an address would reload the page.
    await this.#page.evaluate((to) => history.pushState(null, '', to), path);
  }

  async shot(name: string): Promise<void> {
    await this.#page.screenshot({ path: join(this.#shots, `${name}.png`) });
  }

  async put(): Promise<void> {
    await this.#context.close();
    await this.wire[Symbol.asyncDispose]();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  /** Downloads everything a guide needs offline, like a person. */
  async download(guideid: number): Promise<void> {
    await this.go(`/guides/${guideid}`);
    const ready = this.#page.getByRole('main').getByText('Ready offline').first();
    const fetchIt = this.button('Download for offline use');
    // Opening a guide may have started the download already: then the button is gone before it can be pressed.
    const fetching = fetchIt.click().catch(() => undefined);
    await Promise.race([fetching, ready.waitFor()]);
    await ready.waitFor();
    await this.go('/');
  }

  /** The guide in the player: its title, and the title and lines of each step. */
  async readGuide(guideid: number): Promise<{ title: string; steps: { title: string; lines: string[] }[] }> {
    const heading = this.#page.getByRole('main').getByRole('heading', { level: 1 });
    await this.go('/');
    await heading.filter({ hasText: 'All guides' }).waitFor();
    await this.go(`/guides/${guideid}`);
    const entries = this.#page.getByRole('navigation', { name: 'Steps' }).getByRole('button');
    await entries.first().waitFor();
    const title = await heading.innerText();
    const steps: { title: string; lines: string[] }[] = [];
    const count = (await entries.count()) - 2;
    for (let number = 1; number <= count; number += 1) {
      await entries.nth(number).click();
      await this.#page.waitForFunction(() => location.hash.startsWith('#s'));
      const lines = this.#page.getByRole('list', { name: 'What to do' });
      await lines.waitFor();
      steps.push({
        title: await heading.innerText(),
        lines: await lines.getByRole('listitem').allInnerTexts(),
      });
    }
    return { title, steps };
  }
}
