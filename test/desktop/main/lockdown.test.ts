import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import type { Shell } from '#desktop/main/electron.ts';
import { leaves, Lockdown } from '#desktop/main/lockdown.ts';
import { guardSession } from '#desktop/main/window.ts';
import { must } from '#shared/must.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { preventable, standInDialog, StandInSession, StandInWindow } from './electron-stand-in.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder('lockdown');
});
afterEach(() => folder[Symbol.asyncDispose]());

function opened({ isAsked = false } = {}) {
  const screen = new Set<number>();
  const lockdown = new Lockdown({
    file: join(folder.path, 'station.json'),
    isAsked,
    menu: () => 'the menu',
    powerSaveBlocker: { start: () => (screen.add(7), 7), stop: (id) => screen.delete(id) },
    report: (line) => expect.unreachable(line),
  });
  const window = new StandInWindow({} as never);
  lockdown.keep(window);
  return { lockdown, window, screen };
}

it('LOCKDOWN-1 LOCKDOWN-4 a station fills the screen and keeps it on, also after a restart, until it is none', async () => {
  const first = opened();
  expect([first.window.kiosk, first.screen.size]).toEqual([false, 0]);
  await first.lockdown.handlers.stationLock(true);
  expect([first.window.kiosk, first.screen.size, first.window.hasMenu]).toEqual([true, 1, false]);
  // The system took it out of the way.
  first.window.kiosk = false;
  first.window.fire('leave-full-screen');
  first.window.minimized = true;
  first.window.fire('minimize');
  expect([first.window.kiosk, first.window.minimized]).toEqual([true, false]);
  const second = opened();
  expect([second.lockdown.isLocked, second.window.kiosk, second.screen.size]).toEqual([true, true, 1]);
  await second.lockdown.handlers.stationLock(false);
  expect([second.window.kiosk, second.screen.size, second.window.hasMenu]).toEqual([false, 0, true]);
  expect(opened().lockdown.isLocked).toBe(false);
});

it('LOCKDOWN-1 with --kiosk the window fills the screen before the device is a station, and can be closed', () => {
  const { lockdown, window } = opened({ isAsked: true });
  expect([window.kiosk, lockdown.isLocked]).toEqual([true, false]);
});

it('LOCKDOWN-2 keys that leave the app reach nothing, and keys of people do', async () => {
  const { lockdown, window } = opened();
  const press = (
    key: string,
    held: Partial<Record<'control' | 'alt' | 'meta' | 'shift', boolean>> = {},
  ): boolean => {
    const event = preventable();
    window.webContents.fire('before-input-event', event, {
      key,
      control: false,
      alt: false,
      meta: false,
      shift: false,
      ...held,
    });
    return event.prevented;
  };
  expect(press('r', { control: true })).toBe(false);
  await lockdown.handlers.stationLock(true);
  for (const key of ['r', 'R', 'w', 'p', 'o', 'I', '+', '0', 'F4', 'm', 'Tab', 'Escape', 'PageUp'])
    expect({ key, kept: press(key, { control: true }) }).toEqual({ key, kept: true });
  for (const key of ['F1', 'F5', 'F10', 'F11', 'F12', 'BrowserBack', 'Alt', 'PrintScreen', 'ContextMenu'])
    expect({ key, kept: press(key) }).toEqual({ key, kept: true });
  for (const key of ['F4', 'ArrowLeft', 'f', ' ', 'Alt', 'Tab']) expect(press(key, { alt: true })).toBe(true);
  for (const key of ['c', 'v', 'z', 'a', 'ArrowLeft', 'Backspace'])
    expect(press(key, { control: true })).toBe(false);
  // Ctrl+Shift+C and J open tools; Ctrl+Shift+Z is redo.
  for (const key of ['C', 'J', 'I']) expect(press(key, { control: true, shift: true })).toBe(true);
  expect(press('Z', { control: true, shift: true })).toBe(false);
  for (const key of ['a', 'Enter', 'Escape', 'Tab', 'Backspace', 'ArrowUp', 'Shift', 'Dead'])
    expect({ key, kept: press(key) }).toEqual({ key, kept: false });
  // AltGr is Ctrl and Alt: an @ on a German keyboard.
  expect(leaves({ key: 'q', control: true, alt: true, meta: false, shift: false })).toBe(false);
  expect(press('r')).toBe(false);
  window.webContents.fire('zoom-changed');
  expect(window.webContents.did).toContain('zoom 0');
});

it('LOCKDOWN-3 ELECTRON-5 nothing opens outside of a station, and the page may use the camera alone', async () => {
  const { lockdown } = opened();
  const outside: string[] = [];
  const shell: Shell = lockdown.shell({ openExternal: async (url) => void outside.push(url) });
  const dialogs = lockdown.dialogs(standInDialog(['/etc/passwd']));
  const session = new StandInSession();
  guardSession(session);
  const asks = (kinds: ('video' | 'audio')[], requestingUrl = 'benchbook://app/'): boolean => {
    let answer = false;
    must(session.request, 'the handler')({}, 'media', (granted) => (answer = granted), {
      requestingUrl,
      mediaTypes: kinds,
    });
    return answer;
  };
  await shell.openExternal('https://example.org/');
  expect([outside.length, asks(['video'])]).toEqual([1, true]);
  await lockdown.handlers.stationLock(true);
  await shell.openExternal('https://example.org/');
  expect(outside.length).toBe(1);
  const open = await dialogs.showOpenDialog({ title: '', filters: [], properties: ['openFile'] });
  const save = await dialogs.showSaveDialog({ title: '', defaultPath: 'a.pdf', filters: [] });
  expect([open.canceled, save.canceled]).toEqual([true, true]);
  expect([asks(['video']), asks(['audio']), asks(['video', 'audio']), asks([])]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(asks(['video'], 'http://127.0.0.1:4021/')).toBe(false);
});

it('LOCKDOWN-5 files that the program is started with open neither at a station nor with --kiosk', async () => {
  const { lockdown } = opened();
  expect(lockdown.takesFiles).toBe(true);
  await lockdown.handlers.stationLock(true);
  expect(lockdown.takesFiles).toBe(false);
  await lockdown.handlers.stationLock(false);
  expect([lockdown.takesFiles, opened({ isAsked: true }).lockdown.takesFiles]).toEqual([true, false]);
});
