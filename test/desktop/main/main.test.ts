import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { must } from '#shared/must.ts';
import { soon } from '#test/support/soon.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { ourPage, preventable, standInElectron } from './electron-stand-in.ts';
import { keepListeners } from './keep-listeners.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let electron: ReturnType<typeof standInElectron>;
let removeListeners: () => void;

beforeEach(async () => {
  removeListeners = keepListeners();
  folder = await temporaryFolder('main');
  electron = standInElectron(folder.path);
  vi.resetModules();
  vi.doMock('electron', () => electron);
});

afterEach(async () => {
  removeListeners();
  vi.doUnmock('electron');
  await folder[Symbol.asyncDispose]();
});

async function start(): Promise<void> {
  await import('#desktop/main/main.ts');
  electron.app.ready.resolve();
}

async function opened(count: number): Promise<void> {
  await soon(() => electron.windows).toHaveLength(count);
}

describe('the main process', () => {
  it('quits immediately when the app runs already', async () => {
    electron.app.firstInstance = false;
    // Electron's lock: a link to the name of the computer and the number of the process, which is no file.
    await symlink('bench-4711', join(folder.path, 'SingletonLock'));
    await start();
    expect(electron.app.did).toEqual(['quit']);
    expect(electron.handled.size).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('ELECTRON-91 starts if Electron can make no lock', async () => {
    electron.app.firstInstance = false;
    await start();
    await opened(1);
    expect(electron.app.did).not.toContain('quit');
  });

  it('shows the window when its page is ready, and again at a second start', async () => {
    await start();
    await opened(1);
    const window = must(electron.windows[0], 'a window');
    window.fire('ready-to-show');
    window.minimized = true;
    electron.app.fire('second-instance', {}, ['electron', '.'], '/');
    expect(window.did).toEqual(['load benchbook://app/', 'show', 'restore', 'show', 'focus']);
    window.fire('closed');
    electron.app.fire('second-instance', {}, ['electron', '.'], '/');
    await opened(2);
  });

  it.each([
    [['--server=http://127.0.0.1:4711/'], 'http://127.0.0.1:4711'],
    [['--server=file:///etc/passwd'], null],
    [[], null],
  ])('passes the page the server that it was started for: %j', async (given, server) => {
    vi.spyOn(process, 'argv', 'get').mockReturnValue(['electron', '.', ...given]);
    await start();
    await opened(1);
    const answer = must(electron.handled.get('benchbook'), 'a handler');
    expect(await answer(ourPage, 'appInfo', [])).toEqual({
      ok: true,
      result: { version: '1.2.3', platform: process.platform, packaged: true, server },
    });
    vi.restoreAllMocks();
  });

  it('passes the page the archives that it was started with, opened with, and started again with', async () => {
    await writeFile(join(folder.path, 'first.omanual'), 'first');
    await writeFile(join(folder.path, 'second.omanual'), 'the second');
    vi.spyOn(process, 'argv', 'get').mockReturnValue(['electron', join(folder.path, 'first.omanual')]);
    await start();
    await opened(1);
    const answer = must(electron.handled.get('benchbook'), 'a handler');
    const first = { ticket: 1, name: 'first.omanual', size: 5 };
    expect(await answer(ourPage, 'openedFiles', [0])).toEqual({ ok: true, result: [first] });
    const waiting = answer(ourPage, 'openedFiles', [1]);
    electron.app.fire('second-instance', {}, ['electron', 'second.omanual'], folder.path);
    const second = { ticket: 2, name: 'second.omanual', size: 10 };
    expect(await waiting).toEqual({ ok: true, result: [second] });
    const part = { ok: true, result: new TextEncoder().encode('second') };
    expect(await answer(ourPage, 'openedFileRead', [2, 4, 6])).toEqual(part);
    await answer(ourPage, 'openedFileDone', [2]);
    expect(await answer(ourPage, 'openedFileRead', [2, 4, 6])).toMatchObject({ ok: false });
    const event = preventable();
    electron.app.fire('open-file', event, join(folder.path, 'gone.omanual'));
    electron.app.fire('open-file', event, join(folder.path, 'first.omanual'));
    expect(event.prevented).toBe(true);
    expect(await answer(ourPage, 'openedFiles', [1])).toEqual({
      ok: true,
      result: [
        { ticket: 3, name: 'gone.omanual', size: 0 },
        { ...first, ticket: 4 },
      ],
    });
    vi.restoreAllMocks();
  });

  it.each([
    [[], 'system'],
    [['--keep-key-in-file'], 'file'],
  ])('ELECTRON-41 makes the key of a new device when it is started with %j', async (given, protection) => {
    vi.spyOn(process, 'argv', 'get').mockReturnValue(['electron', '.', ...given]);
    await start();
    await opened(1);
    const answer = must(electron.handled.get('benchbook'), 'a handler');
    const first = await answer(ourPage, 'keyState', []);
    expect(first).toMatchObject({ ok: true, result: { state: 'open', protection } });
    expect(await answer(ourPage, 'keyState', [])).toEqual(first);
    const files = (await readdir(folder.path)).filter((name) => name !== 'running.sock');
    expect(files).toEqual(['device-key.json', 'journals']);
    vi.restoreAllMocks();
  });

  it('FORM-5 deletes what the browser engine stored for forms of earlier versions', async () => {
    const stored = join(folder.path, 'Session Storage');
    await mkdir(stored);
    await writeFile(join(stored, '000003.log'), 'Typed and not saved');
    await start();
    await opened(1);
    expect(await readdir(folder.path)).not.toContain('Session Storage');
  });

  it('ELECTRON-23 a window that is closed while it loads is no error', async () => {
    const aborted = Object.assign(new Error(" (-3) loading 'benchbook://app/'"), { errno: -3, code: '' });
    const loading = vi.spyOn(electron.BrowserWindow.prototype, 'loadURL').mockRejectedValue(aborted);
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      await start();
      await opened(1);
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
      loading.mockRestore();
    }
  });

  it('finishes the requests of the page before it quits', async () => {
    await start();
    await opened(1);
    const answer = must(electron.handled.get('benchbook'), 'a handler');
    const { result: lease } = (await answer(ourPage, 'journalOpen', ['person'])) as { result: number };
    const written = answer(ourPage, 'journalAppend', [
      lease,
      'segment-00000001',
      0,
      new Uint8Array(1_000_000),
    ]);
    const event = preventable();
    electron.app.fire('will-quit', event);
    expect(event.prevented).toBe(true);
    expect(electron.app.did).not.toContain('quit');
    await soon(() => electron.app.did).toContain('quit');
    expect(await written).toEqual({ ok: true, result: undefined });
    expect(await answer(ourPage, 'appInfo', [])).toMatchObject({ ok: false, kind: 'closing' });
  });

  /** The app with a page that listens, whose window begins to close. `argv`: arguments of the program. */
  async function closing(argv: string[] = ['electron', '.']) {
    vi.spyOn(process, 'argv', 'get').mockReturnValue(argv);
    await start();
    await opened(1);
    const answer = must(electron.handled.get('benchbook'), 'a handler');
    const window = must(electron.windows[0], 'a window');
    const notice = answer(ourPage, 'notice', []);
    await new Promise((resolve) => setImmediate(resolve));
    window.fire('close', preventable());
    expect(await notice).toEqual({ ok: true, result: 'close' });
    return { answer, window };
  }

  /** What Electron does when the last window is destroyed. */
  async function destroyed(window: (typeof electron.windows)[number]): Promise<void> {
    await soon(() => window.destroyed).toBe(true);
    window.fire('closed');
    electron.app.fire('window-all-closed');
  }

  it('ELECTRON-85 a start while the page saves opens a new window afterwards, with its files', async () => {
    const { answer, window } = await closing();
    await writeFile(join(folder.path, 'lamp.omanual'), 'lamp');
    electron.app.fire('second-instance', {}, ['electron', 'lamp.omanual'], folder.path);
    electron.app.fire('activate');
    expect(window.did).toEqual(['load benchbook://app/', 'hide']);
    await answer(ourPage, 'readyToClose', [true]);
    await destroyed(window);
    await opened(2);
    expect(electron.app.did).not.toContain('quit');
    const found = { ticket: 1, name: 'lamp.omanual', size: 4 };
    expect(await answer(ourPage, 'openedFiles', [0])).toEqual({ ok: true, result: [found] });
    vi.restoreAllMocks();
  });

  it('ELECTRON-85 a start while the program ends starts it again afterwards, with its files', async () => {
    const { answer, window } = await closing(['electron', '.', '--keep-key-in-file', 'old.omanual']);
    await answer(ourPage, 'openedFileDone', [1]);
    await answer(ourPage, 'readyToClose', [true]);
    await soon(() => window.destroyed).toBe(true);
    window.fire('closed');
    if (process.platform !== 'darwin') electron.app.fire('window-all-closed');
    electron.app.fire('will-quit', preventable());
    electron.app.fire('second-instance', {}, ['electron', 'lamp.omanual'], folder.path);
    electron.app.fire('open-file', preventable(), join(folder.path, 'next.omanual'));
    const again = ['.', '--keep-key-in-file', join(folder.path, 'lamp.omanual')];
    await soon(() => electron.app.did).toContain(
      `relaunch ${again.join(' ')} ${join(folder.path, 'next.omanual')}`,
    );
    expect(electron.windows).toHaveLength(1);
    await soon(() => electron.app.did.at(-1)).toBe('quit');
    vi.restoreAllMocks();
  });

  it('LOCKDOWN-1 LOCKDOWN-5 at a station a closed window opens again, files do not open, and quitting ends', async () => {
    await writeFile(join(folder.path, 'station.json'), JSON.stringify({ isStation: true }));
    await start();
    await opened(1);
    const answer = must(electron.handled.get('benchbook'), 'a handler');
    electron.app.fire('second-instance', {}, ['electron', 'lamp.omanual'], folder.path);
    electron.app.fire('open-file', preventable(), join(folder.path, 'lamp.omanual'));
    expect(await answer(ourPage, 'openedFileRead', [1, 0, 1])).toMatchObject({ kind: 'unavailable' });
    must(electron.windows[0], 'a window').fire('closed');
    electron.app.fire('window-all-closed');
    // A start in this moment opens no second one.
    electron.app.fire('second-instance', {}, ['electron', '.'], folder.path);
    await opened(2);
    expect(electron.app.did).not.toContain('quit');
    electron.app.fire('before-quit');
    must(electron.windows[1], 'a window').fire('closed');
    electron.app.fire('window-all-closed');
    expect(electron.windows).toHaveLength(2);
  });

  it('ELECTRON-23 a program that nobody started again just ends', async () => {
    await start();
    await opened(1);
    electron.app.fire('will-quit', preventable());
    await soon(() => electron.app.did).toContain('quit');
    expect(electron.app.did.join(' ')).not.toContain('relaunch');
  });

  it('ELECTRON-87 a program that the person keeps open does not end, and opens files as before', async () => {
    const { answer, window } = await closing();
    electron.app.fire('before-quit');
    electron.app.fire('second-instance', {}, ['electron', 'lamp.omanual'], folder.path);
    expect(await answer(ourPage, 'readyToClose', [false])).toEqual({ ok: true, result: 'stay' });
    electron.app.fire('second-instance', {}, ['electron', 'lamp.omanual'], folder.path);
    expect(window.did.slice(1)).toEqual(['hide', 'show', 'show', 'focus']);
    expect(electron.app.did).not.toContain('quit');
    vi.restoreAllMocks();
  });

  it('ELECTRON-23 does not wait for a server that does not answer when it quits', async () => {
    const silent = createServer((request, response) => {
      if (request.url === '/silent') asked.resolve();
      else response.end();
    });
    const asked = Promise.withResolvers<void>();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${must(silent.address() as AddressInfo | null, 'an address').port}`;
    electron.dialog.showMessageBox = async () => ({ response: 1 });
    await start();
    await opened(1);
    const answer = must(electron.handled.get('benchbook'), 'a handler');
    expect(await answer(ourPage, 'remoteAllow', [url])).toEqual({ ok: true, result: true });
    const opening = answer(ourPage, 'remoteOpen', [`${url}/silent`, { range: null, ifRange: null }]);
    await asked.promise;
    // The limit of the wait for calls never comes.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      electron.app.fire('will-quit', preventable());
      await vi.waitFor(() => expect(electron.app.did).toContain('quit'));
      expect(await opening).toMatchObject({ ok: false });
    } finally {
      vi.useRealTimers();
      silent.close();
      silent.closeAllConnections();
    }
  });

  it('ELECTRON-23 does not wait forever for a disk that does not answer when it quits', async () => {
    const disk = Promise.withResolvers<Uint8Array>();
    vi.doMock('node:fs/promises', async (original) => {
      const real = await original<typeof import('node:fs/promises')>();
      const readFile: unknown = (path: string, ...rest: []) =>
        basename(path) === 'silent' ? disk.promise : real.readFile(path, ...rest);
      return { ...real, readFile };
    });
    await start();
    await opened(1);
    const answer = must(electron.handled.get('benchbook'), 'a handler');
    const { result: lease } = (await answer(ourPage, 'journalOpen', ['person'])) as { result: number };
    const reading = answer(ourPage, 'journalRead', [lease, 'silent']);
    await new Promise((resolve) => setImmediate(resolve));
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      electron.app.fire('will-quit', preventable());
      await vi.advanceTimersByTimeAsync(30_000);
      expect(electron.app.did).not.toContain('quit');
      await vi.advanceTimersByTimeAsync(5000);
      await vi.waitFor(() => expect(electron.app.did).toContain('quit'));
    } finally {
      vi.useRealTimers();
      vi.doUnmock('node:fs/promises');
      disk.resolve(new Uint8Array());
      await reading;
    }
  });

  it('ELECTRON-51 does not wait for a dialog when it quits', async () => {
    electron.dialog.showSaveDialog = () => new Promise(() => undefined);
    await start();
    await opened(1);
    const answer = must(electron.handled.get('benchbook'), 'a handler');
    // The limit of the wait for calls never comes.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const file = { title: 'Export', suggestedName: 'a.txt', filters: [], bytes: new Uint8Array(1) };
      const saved = answer(ourPage, 'saveFile', [file]);
      electron.app.fire('will-quit', preventable());
      await vi.waitFor(() => expect(electron.app.did).toContain('quit'));
      expect(await saved).toEqual({ ok: true, result: false });
    } finally {
      vi.useRealTimers();
    }
  });
});
