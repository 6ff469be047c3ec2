import { once } from 'node:events';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { isLongRun } from '#test/support/long-run.ts';
import { soon } from '#test/support/soon.ts';

import type { DesktopApp } from './support/desktop-app.ts';
import { desktopForTests } from './support/desktop-for-tests.ts';
import type { Flip } from './support/flip.ts';
import { openSites, type Sites } from './support/sites.ts';
import { systemOpener, type SystemOpener } from './support/system-opener.ts';
import { ownedFolder } from './support/unprivileged.ts';

const archive = join(import.meta.dirname, '../fixtures/omanual/own/minimal-1.0.omanual');

interface Attacked extends Pick<DesktopApp, 'app'> {
  data: string;
  /** An archive that the program may read. */
  file: string;
  sites: Sites;
  opener: SystemOpener;
  /** How long to wait for what an attempt should not reach, ms. */
  patience: number;
}

/** The page of the window that is open now. */
const pageOf = ({ app }: Attacked) => app.firstWindow();

/** Whether something happens while the patience lasts. */
async function happens({ patience }: Attacked, look: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = performance.now() + patience;
  while (performance.now() < end) {
    if (await look()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

const windowId = ({ app }: Attacked): Promise<number> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.id ?? 0);

/** Whether an archive is shown. The next attempt begins elsewhere. */
async function showsArchive(attacked: Attacked): Promise<boolean> {
  const page = await pageOf(attacked);
  const isShown = await happens(attacked, () => page.url().includes('/archives/'));
  await page.evaluate(() => history.pushState(null, '', '/'));
  return isShown;
}

/** Tries of a person to leave a station, or to bring something into it. The page has no guards of its own here. */
const attempts = {
  /** Keys reach the page, or the program, which would reload, print, show tools or leave the screen. */
  keys: async (attacked) => {
    const page = await pageOf(attacked);
    await page.evaluate(() => {
      Object.assign(window, { pressed: [] });
      window.addEventListener('keydown', ({ key }) => (Reflect.get(window, 'pressed') as string[]).push(key));
    });
    await attacked.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const held = (name: 'control' | 'alt', keys: string[]) => keys.map((key) => [key, [name]] as const);
      for (const [keyCode, modifiers] of [
        ...held('control', ['N', 'T', 'P', 'S', 'O', 'R', 'W', 'Q']),
        ...held('alt', ['Left', 'F4']),
        ['I', ['control', 'shift']],
        ...['F5', 'F11', 'F12'].map((key) => [key, []] as const),
        ['z', []],
      ] as const)
        contents?.sendInputEvent({ type: 'keyDown', keyCode, modifiers: [...modifiers] });
    });
    const pressed = () => page.evaluate(() => Reflect.get(window, 'pressed') as string[]);
    // A letter reaches the page, after the others.
    await soon(pressed).toContain('z');
    return (await pressed()).length > 1;
  },

  /** A link opens in the browser of the system, with each button and key of the mouse. */
  links: async (attacked) => {
    const { sites, opener } = attacked;
    const page = await pageOf(attacked);
    for (const [index, href] of [`${sites.url}/out`, 'mailto:a@example.org'].entries()) {
      const at = { x: 40, y: 20 + 60 * index };
      await page.evaluate(
        ([to, { x, y }]) => {
          const link = Object.assign(document.createElement('a'), { href: to, target: '_blank', text: to });
          link.style.cssText = `position: fixed; z-index: 99999; inset: ${y - 10}px auto auto ${x - 10}px`;
          document.body.append(link);
        },
        [href, at] as const,
      );
      await page.mouse.click(at.x, at.y);
      await page.mouse.click(at.x, at.y, { button: 'middle' });
      await page.mouse.click(at.x, at.y, { button: 'right' });
      for (const key of ['Shift', 'Control']) {
        await page.keyboard.down(key);
        await page.mouse.click(at.x, at.y);
        await page.keyboard.up(key);
      }
    }
    await page.evaluate((to) => window.open(to), `${sites.url}/out`);
    const isOut = await happens(attacked, () => opener.opened().length > 0);
    expect([attacked.app.windows().length, sites.asked]).toEqual([1, []]);
    return isOut;
  },

  /** The system shows its files, to open one or to save one. */
  dialogs: async (attacked) => {
    const page = await pageOf(attacked);
    await attacked.app.evaluate(({ dialog }) => {
      const asked: string[] = [];
      Object.assign(globalThis, { asked });
      dialog.showOpenDialog = async () => (asked.push('open'), { canceled: true, filePaths: [] });
      dialog.showSaveDialog = async () => (asked.push('save'), { canceled: true, filePath: '' });
    });
    await page.evaluate(async () => {
      const filters = [{ name: 'PDF', extensions: ['pdf'] }];
      const title = 'A file';
      const file = { title, suggestedName: 'a.pdf' };
      for (const [name, options] of [
        ['openFiles', { title, filters, several: true }],
        ['saveFile', { ...file, filters, bytes: new Uint8Array(1) }],
        ['savePdf', file],
      ] as const)
        await window.benchbook?.call(name, [options]);
    });
    const asked = await attacked.app.evaluate(() => Reflect.get(globalThis, 'asked') as string[]);
    if (asked.length > 0) expect(asked).toEqual(['open', 'save', 'save']);
    return asked.length > 0;
  },

  /** Somebody starts the program again, with a file and addresses. */
  secondStart: async (attacked) => {
    const { data, file } = attacked;
    for (const args of [
      [file],
      ['--kiosk', `file://${file}`, 'benchbook://app/settings', attacked.sites.url],
    ]) {
      expect((await once(prepared().start(data, args), 'exit'))[0]).toBe(0);
    }
    return showsArchive(attacked);
  },

  /** The system asks the program to open a file. */
  openFile: async (attacked) => {
    await attacked.app.evaluate(
      ({ app }, path) => app.emit('open-file', { preventDefault: () => undefined }, path),
      attacked.file,
    );
    return showsArchive(attacked);
  },

  /** The window is closed, as by Alt+F4 where the system takes the key. */
  close: async (attacked) => {
    const before = await windowId(attacked);
    await attacked.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    const isGone = await happens(attacked, async () => (await windowId(attacked)) !== before);
    await soon(() => windowId(attacked)).toBeGreaterThan(0);
    return isGone;
  },

  /** The page closes itself, for which the window is not asked. The last one: the program may be gone after it. */
  closedPage: async ({ app }) => {
    const ended = once(app.process(), 'exit').then(() => true);
    const isOver = async (close: () => Promise<unknown>): Promise<boolean> => {
      const opened = app.waitForEvent('window').then(
        () => false,
        () => true,
      );
      await close().catch(() => undefined);
      return Promise.race([ended, opened]);
    };
    const last = async () => app.windows().at(-1) ?? (await app.firstWindow());
    if (await isOver(async () => (await last()).evaluate(() => window.close()))) return true;
    if (await isOver(async () => (await last()).close())) return true;
    const state = () =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window) => [window.isVisible(), window.isKiosk()]),
      );
    await soon(state).toEqual([[true, true]]);
    return false;
  },
} satisfies Record<string, (attacked: Attacked) => Promise<boolean>>;

type Attempt = keyof typeof attempts;

const main = (from: string, to: string): Flip => ({ file: 'main/main.cjs', from, to });

/** What must be changed in the built app so that an attempt succeeds. */
const guards: Record<Attempt, Flip[]> = {
  keys: [main('this.#isKiosk && leaves(input)', 'false')],
  links: [main('if (!this.#isKiosk) await shell', 'await shell')],
  dialogs: [
    main(
      'this.#isStation ? {\n\t\t\t\tcanceled: true,\n\t\t\t\tfilePaths',
      'false ? {\n\t\t\t\tcanceled: true,\n\t\t\t\tfilePaths',
    ),
    main(
      'this.#isStation ? {\n\t\t\t\tcanceled: true,\n\t\t\t\tfilePath:',
      'false ? {\n\t\t\t\tcanceled: true,\n\t\t\t\tfilePath:',
    ),
  ],
  secondStart: [main('return !this.#isKiosk;', 'return true;')],
  openFile: [main('return !this.#isKiosk;', 'return true;')],
  close: [main('isQuitting || !lockdown.isLocked', 'true')],
  closedPage: [main('isWanted || lockdown.isLocked', 'isWanted')],
};

const { prepared, isThere } = desktopForTests('attacks on a station');
let sites: Sites;
let folder: string;
beforeAll(async () => {
  sites = await openSites();
  if (!isThere()) return;
  folder = ownedFolder('/tmp', 'benchbook-station');
  copyFileSync(archive, join(folder, 'lamp.omanual'));
});
afterAll(async () => {
  await sites[Symbol.asyncDispose]();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** The attempts that succeed at a station without the guards of these. */
async function reached(without: readonly Attempt[]): Promise<Attempt[]> {
  const opener = systemOpener(ownedFolder(folder, 'opener'));
  const data = prepared().userData();
  const flips = [
    ...new Map(without.flatMap((name) => guards[name]).map((flip) => [flip.from, flip])).values(),
  ];
  const args = [...sites.args, '--kiosk', '--keep-key-in-file'];
  const { app, page } = await prepared().launch(data, args, { env: opener.env, flips });
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Until then the page may still say that the device is no station.
  await page.evaluate(() => new Promise((resolve) => void requestIdleCallback(resolve)).then(() => 0));
  await page.evaluate(() => window.benchbook?.call('stationLock', [true]));
  const file = join(folder, 'lamp.omanual');
  const found: Attempt[] = [];
  for (const name of Object.keys(attempts) as Attempt[]) {
    const patience = without.includes(name) ? 120_000 : 1000;
    if (await attempts[name]({ app, data, file, sites, opener, patience })) found.push(name);
  }
  // A broken build need not close properly, and has ended after the last attempt.
  if (!found.includes('closedPage')) app.process().kill('SIGKILL');
  return found;
}

it('LOCKDOWN-1 LOCKDOWN-2 LOCKDOWN-3 LOCKDOWN-5 nobody leaves a station, or brings a file into it', async () => {
  expect(await reached([])).toEqual([]);
});

const names = Object.keys(guards) as Attempt[];
const most = names.filter((name) => name !== 'closedPage');
it.each([most, ['closedPage'] as Attempt[], ...(isLongRun ? most.map((name) => [name]) : [])])(
  'LOCKDOWN-1 LOCKDOWN-2 LOCKDOWN-3 LOCKDOWN-5 nothing but its guard stops an attempt: %s …',
  async (...without) => {
    const found = await reached(without);
    // One guard stops both.
    const files: Attempt[] = ['secondStart', 'openFile'];
    const expected = without.some((name) => files.includes(name)) ? [...without, ...files] : without;
    expect(new Set(found)).toEqual(new Set(expected));
  },
);
