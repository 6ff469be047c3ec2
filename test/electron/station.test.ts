import { describe, expect, it } from 'vitest';

import type { DesktopApp } from './support/desktop-app.ts';
import { desktopForTests } from './support/desktop-for-tests.ts';

const { prepared } = desktopForTests('the lockdown of stations');

/** Tells the main process whether the device is a station, as the page does. */
async function say({ page }: DesktopApp, isStation: boolean): Promise<void> {
  const answer = await page.evaluate((is) => window.benchbook?.call('stationLock', [is]), isStation);
  expect(answer).toMatchObject({ ok: true });
}

const isKiosk = ({ app }: DesktopApp): Promise<boolean> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isKiosk() === true);

describe('a station', () => {
  it('LOCKDOWN-1 LOCKDOWN-2 LOCKDOWN-4 keeps people in the app until it is none', async () => {
    await using app = await prepared().launch(prepared().userData());
    await app.page.getByRole('heading', { level: 1 }).waitFor();
    expect(await isKiosk(app)).toBe(false);
    // Until then the page may still say that the device is no station.
    await app.page.evaluate(() => new Promise((resolve) => void requestIdleCallback(resolve)).then(() => 0));
    await say(app, true);
    await expect.poll(() => isKiosk(app)).toBe(true);
    expect(await app.app.evaluate(({ powerSaveBlocker }) => powerSaveBlocker.isStarted(0))).toBe(true);

    await app.page.evaluate(() => Object.assign(window, { mark: 'not reloaded' }));
    // The keys go to the window as those of a person do, before the page gets them.
    await app.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      for (const [keyCode, modifiers] of [
        ['F5', []],
        ['R', ['control']],
        ['W', ['control']],
        ['F4', ['alt']],
        ['I', ['control', 'shift']],
      ] as const)
        contents?.sendInputEvent({ type: 'keyDown', keyCode, modifiers: [...modifiers] });
    });
    // As Alt+F4, where the system takes it first.
    await app.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    expect(await app.page.evaluate(() => Reflect.get(window, 'mark'))).toBe('not reloaded');
    const state = await app.app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return { isVisible: window?.isVisible(), hasTools: window?.webContents.isDevToolsOpened() };
    });
    expect(state).toEqual({ isVisible: true, hasTools: false });

    await say(app, false);
    await expect.poll(() => isKiosk(app)).toBe(false);
    const ended = new Promise((resolve) => void app.app.process().once('exit', resolve));
    await app.page.evaluate(() => window.close()).catch(() => undefined);
    expect(await ended).toBe(0);
  });
});
