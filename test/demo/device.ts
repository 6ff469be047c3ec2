import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { layWire, type WireCut } from '#test/support/wire-cut.ts';

import type { AppWindow, OpenWindow } from './app-window.ts';

/** Maximum time for anything on the screen, ms. */
const patience = 90_000;

/** A technician's device: the app with its own data and its own connection to the server. */
export class Device {
  readonly name: string;
  readonly wire: WireCut;
  readonly #shots: string;
  readonly #window: AppWindow;
  readonly troubles: string[] = [];

  private constructor(name: string, wire: WireCut, shots: string, window: AppWindow) {
    this.name = name;
    this.wire = wire;
    this.#shots = shots;
    this.#window = window;
    this.#listen();
  }

  static async unpack(name: string, serverUrl: string, shots: string, open: OpenWindow): Promise<Device> {
    return new Device(name, await layWire(serverUrl), shots, await open(patience));
  }

  get page(): Page {
    return this.#window.page;
  }

  #listen(): void {
    this.page.on('pageerror', (error) => this.troubles.push(error.message));
  }

  /** Shows the sign-in screen for the server. */
  enter(): Promise<void> {
    return this.#window.enter(this.wire.url);
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.enter();
    await this.page.getByLabel('E-mail').fill(email);
    await this.page.getByLabel('Password').fill(password);
    this.wire.resetCounters();
    await this.button('Sign in').click();
  }

  /** Cuts the connection and tells the browser; open sockets break too. */
  async goOffline(): Promise<void> {
    await this.#window.setOffline(true);
    this.wire.cut();
    await this.status('Offline');
  }

  async goOnline(): Promise<void> {
    this.wire.mend();
    await this.#window.setOffline(false);
  }

  /** Kills the app without a warning, and opens the same screen again. */
  async killAndReopen(): Promise<void> {
    await this.#window.killAndReopen();
    this.#listen();
  }

  /** Kills every process of the app together, as a power cut does, and starts it again without a network. */
  async cutPower(): Promise<void> {
    await this.#window.cutPower();
    this.#listen();
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /** Waits until the status line contains `words`, and returns it; a failure names the actual text. */
  async status(words: string | RegExp): Promise<string> {
    const status = this.page.getByLabel('Sync status');
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
    await this.page.evaluate((to) => history.pushState(null, '', to), path);
  }

  async shot(name: string): Promise<void> {
    await this.page.screenshot({ path: join(this.#shots, `${name}.png`) });
  }

  async put(): Promise<void> {
    await this.#window.close();
    await this.wire[Symbol.asyncDispose]();
  }

  /** Downloads everything a guide needs offline, like a person. */
  async download(guideid: number): Promise<void> {
    await this.go(`/guides/${guideid}`);
    // Until the guide is shown, the library is, where other guides may be ready.
    await this.page.getByRole('navigation', { name: 'Steps' }).waitFor();
    const ready = this.page.getByRole('main').getByText('Ready offline').first();
    const fetchIt = this.button('Download for offline use');
    await ready.or(fetchIt).first().waitFor();
    // Opening a guide may have started the download already: then the button is gone before it can be pressed. A press
    // that waited for longer would hit the button of another guide.
    if (!(await ready.isVisible())) await fetchIt.click({ timeout: 5000 }).catch(() => undefined);
    await ready.waitFor();
    await this.go('/');
    await this.page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
  }

  /** The guide in the player: its title, and the title and lines of each step. */
  async readGuide(guideid: number): Promise<{ title: string; steps: { title: string; lines: string[] }[] }> {
    const heading = this.page.getByRole('main').getByRole('heading', { level: 1 });
    await this.go('/');
    await heading.filter({ hasText: 'All guides' }).waitFor();
    await this.go(`/guides/${guideid}`);
    const entries = this.page
      .getByRole('navigation', { name: 'Steps' })
      .getByRole('button')
      .filter({ hasNotText: /^(?:Overview|All steps on one page|Conclusion)$/ });
    await entries.first().waitFor();
    const title = await heading.innerText();
    const steps: { title: string; lines: string[] }[] = [];
    const count = await entries.count();
    for (let index = 0; index < count; index += 1) {
      await entries.nth(index).click();
      await this.page.waitForFunction(() => location.hash.startsWith('#s'));
      const lines = this.page.getByRole('list', { name: 'What to do' });
      await lines.waitFor();
      steps.push({
        title: await heading.innerText(),
        lines: await lines.getByRole('listitem').allInnerTexts(),
      });
    }
    return { title, steps };
  }
}
