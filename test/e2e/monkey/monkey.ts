import type { BrowserContext, ElementHandle, Page } from 'playwright-core';

import { must } from '#shared/must.ts';
import { go, type Device } from '#test/e2e/whole-app.ts';
import { browserPatience } from '#test/support/browser.ts';

import { breachesIn, type Breach } from './laws.ts';
import type { Action } from './plan.ts';

/** The first law that a plan broke, and after how many actions. */
export interface Failure {
  breach: Breach;
  done: number;
  /** The performed actions, for readers of the failure. */
  log: string[];
}

export interface Playground {
  device: Device;
  /** Addresses that the monkey may open. */
  paths: readonly string[];
  /** A small photo, for every file chooser. */
  photo: Buffer;
}

/** Not pressed: these end the session or leave the app. */
const untouched = /^(?:Sign out|Print|Download|Export|Save the log)/;

const keys = [
  'Tab',
  'Tab',
  'Enter',
  'Escape',
  'ArrowDown',
  'ArrowUp',
  'Space',
  'Control+z',
  'Control+a',
  'Delete',
];

/** Plays the actions and checks the laws after each; null: all held. */
export async function playMonkey(playground: Playground, plan: readonly Action[]): Promise<Failure | null> {
  const monkey = await Monkey.start(playground);
  try {
    for (const [index, action] of plan.entries()) {
      const breach = await monkey.act(action);
      if (breach !== null) return { breach, done: index + 1, log: monkey.log };
    }
    return null;
  } finally {
    await monkey.stop();
  }
}

class Monkey {
  readonly log: string[] = [];
  readonly #playground: Playground;
  readonly #tabs: Page[];
  readonly #thrown: string[] = [];
  #words = 0;

  private constructor(playground: Playground, tabs: Page[]) {
    this.#playground = playground;
    this.#tabs = tabs;
  }

  static async start(playground: Playground): Promise<Monkey> {
    const tabs: Page[] = [];
    const monkey = new Monkey(playground, tabs);
    tabs.push(await monkey.#open(), await monkey.#open());
    return monkey;
  }

  async stop(): Promise<void> {
    await this.#playground.device.goOnline();
    for (const tab of this.#tabs) await tab.close();
  }

  async act(action: Action): Promise<Breach | null> {
    const tab = must(this.#tabs[action.tab], 'a tab');
    // A background tab draws nothing.
    await tab.bringToFront();
    const told = await this.#perform(action, tab);
    if (typeof told !== 'string') return told;
    this.log.push(`${action.tab} ${action.kind} ${told}`);
    return this.#brokenIn(must(this.#tabs[action.tab], 'a tab'));
  }

  get #context(): BrowserContext {
    return this.#playground.device.context;
  }

  /** The performed action in words, or the law that it broke. */
  async #perform({ kind, tab: number, pick }: Action, tab: Page): Promise<string | Breach> {
    const { device, paths } = this.#playground;
    switch (kind) {
      case 'tap':
        return this.#tap(tab, pick);
      case 'type':
        return this.#type(tab, pick);
      case 'key': {
        const key = chosen(keys, pick);
        await tab.keyboard.press(key);
        return key;
      }
      case 'visit': {
        const path = chosen(paths, pick);
        await go(tab, path);
        return path;
      }
      case 'back':
        return tab.evaluate(() => {
          // Before its first screen the tab was empty.
          if (!navigation.canGoBack) return 'to nowhere';
          history.back();
          return '';
        });
      case 'reload':
        return this.#reload(tab);
      case 'reopen':
        await tab.close();
        this.#tabs[number] = await this.#open();
        return '';
      case 'offline':
        await device.goOffline();
        return '';
      case 'online':
        await device.goOnline();
        return '';
    }
  }

  async #open(): Promise<Page> {
    const tab = await this.#context.newPage();
    tab.setDefaultTimeout(browserPatience);
    tab.on('pageerror', (error) => this.#thrown.push(error.stack ?? error.message));
    tab.on('dialog', (dialog) => void dialog.accept());
    tab.on('popup', (other) => void other.close());
    const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: this.#playground.photo };
    tab.on('filechooser', (chooser) => void chooser.setFiles(photo).catch(() => undefined));
    await tab.goto(this.#playground.device.wire.url);
    await ready(tab);
    return tab;
  }

  async #tap(tab: Page, pick: number): Promise<string> {
    const pressable = await shownOf(
      tab,
      'a[href^="/"]:not([target]):not([download]), button, [role="menuitem"], [role="option"], [role="tab"], label',
    );
    const names = await Promise.all(pressable.map((one) => nameOf(one)));
    const left = pressable.flatMap((one, index) => {
      const name = names[index] ?? '';
      return untouched.test(name) ? [] : [{ one, name }];
    });
    if (left.length === 0) return 'nothing';
    const { one, name } = chosen(left, pick);
    // A person cannot tap a removed or covered element either.
    await one.click({ timeout: 1000 }).catch(() => undefined);
    return `"${name}"`;
  }

  async #type(tab: Page, pick: number): Promise<string> {
    const fields = await shownOf(
      tab,
      'input:not([type="file"]):not([type="checkbox"]):not([type="radio"]), textarea, [contenteditable="true"]',
    );
    if (fields.length === 0) return 'nowhere';
    this.#words += 1;
    const word = `m${this.#words}`;
    const field = chosen(fields, pick);
    const name = await nameOf(field);
    await field.click({ timeout: 1000 }).catch(() => undefined);
    await tab.keyboard.type(word);
    return `${word} in "${name}"`;
  }

  /** Reloads the tab: text that the editor called saved must be there afterwards. */
  async #reload(tab: Page): Promise<string | Breach> {
    const before = await savedWords(tab);
    await tab.reload();
    await ready(tab);
    if (before === null) return '';
    const after = await settles(
      () => savedWords(tab),
      (words) => words !== null && words.join('\n') === before.join('\n'),
    );
    if (after !== null && after.join('\n') === before.join('\n')) return 'of the editor';
    const what = `the editor had ${JSON.stringify(before)} and has ${JSON.stringify(after)}`;
    return { rule: 'MONKEY-6', what };
  }

  async #brokenIn(tab: Page): Promise<Breach | null> {
    // A loading screen may be incomplete; only a lasting flaw is a breach.
    const breaches = await settles(
      () => breachesIn(tab),
      (found) => found.length === 0,
    );
    const [thrown] = this.#thrown;
    if (thrown !== undefined) return { rule: 'MONKEY-1', what: thrown };
    return breaches[0] ?? null;
  }
}

/** The texts in the fields of the editor if it says that they are saved; null: it does not, or this is no editor. */
async function savedWords(tab: Page): Promise<string[] | null> {
  return tab.evaluate(() => {
    const says = [...document.querySelectorAll('p[role="status"]')].some((one) =>
      /Saved on this device|On the server/.test(one.textContent ?? ''),
    );
    if (!says || !location.pathname.endsWith('/edit')) return null;
    return [...document.querySelectorAll('main input, main textarea, main [contenteditable="true"]')].map(
      (one) => ('value' in one ? String(one.value) : (one.textContent ?? '')),
    );
  });
}

/** Asks until `isFine`, or until even a slow and busy machine would have finished; returns the last result. */
async function settles<T>(ask: () => Promise<T>, isFine: (value: T) => boolean): Promise<T> {
  const ends = performance.now() + browserPatience;
  for (;;) {
    const value = await ask().catch(onNavigation);
    if (value !== undefined && (isFine(value) || performance.now() > ends)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A page that is being reloaded cannot be queried. */
function onNavigation(error: unknown): undefined {
  if (error instanceof Error && /context was destroyed|navigat/i.test(error.message)) return undefined;
  throw error;
}

function ready(tab: Page): Promise<void> {
  return tab.locator('main, [role="main"]').first().waitFor();
}

function chosen<T>(items: readonly T[], pick: number): T {
  return must(items[Math.floor(pick * items.length)], 'something');
}

async function shownOf(tab: Page, selector: string): Promise<ElementHandle<HTMLElement | SVGElement>[]> {
  const dialog = tab.locator('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]').last();
  const root = (await dialog.isVisible().catch(() => false)) ? dialog : tab.locator('body');
  return root.locator(selector).filter({ visible: true }).elementHandles() as Promise<
    ElementHandle<HTMLElement | SVGElement>[]
  >;
}

function nameOf(element: ElementHandle<HTMLElement | SVGElement>): Promise<string> {
  return element
    .evaluate((one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 60))
    .catch(() => '');
}
