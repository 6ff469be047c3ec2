import { join } from 'node:path';
import { inspect } from 'node:util';

import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  net,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
} from 'electron';

import { fileArguments, keepsKeyInFile, serverArgument } from './arguments.ts';
import { careForCrashes } from './crashes.ts';
import { DeviceKey } from './device-key.ts';
import { ClosableDialogs, dialogHandlers } from './dialogs.ts';
import type { Window } from './electron.ts';
import { type IpcHandlers, IpcRouter } from './ipc.ts';
import { Notices } from './notices.ts';
import { OpenedFiles } from './opened-files.ts';
import { appUrl } from './origin.ts';
import { journalHandlers, releaseBallasts } from './journals.ts';
import { registerAppScheme, serveApp } from './protocol.ts';
import { RemoteFiles } from './remote-files.ts';
import { systemResolve } from './remote-request.ts';
import { SignInReturn } from './sign-in-return.ts';
import { restartAfterErrors } from './unexpected-errors.ts';
import { Updates } from './updates/updates.ts';
import { closeSaved, guardContents, guardSession, openWindow, showAgain } from './window.ts';
import { followWindow, openingBounds, WindowPlaces } from './window-places.ts';

// Two processes would overwrite each other's journal.
if (app.requestSingleInstanceLock()) start();
else app.quit();

function start(): void {
  const out = join(import.meta.dirname, '..');
  const data = app.getPath('userData');
  const dialogs = new ClosableDialogs(dialog);
  const journalsFolder = join(data, 'journals');
  const journals = journalHandlers(journalsFolder, dialogs);
  const deviceKey = new DeviceKey({
    folder: data,
    safeStorage,
    keepInFile: keepsKeyInFile(process.argv),
    closeJournals: () => journals.closeAll(),
    freeReserve: () => releaseBallasts(journalsFolder),
  });
  const places = new WindowPlaces(join(data, 'window-places.json'));
  const opened = new OpenedFiles();
  opened.add(fileArguments(process.argv, process.cwd()));
  const report = (line: string): void => void process.stderr.write(`${line}\n`);
  const notices = new Notices(report);
  restartAfterErrors(process, {
    app,
    dialog,
    age: () => performance.now(),
    save: async () => {
      await notices.close();
      // The next start shows the same page.
      places.freeze();
    },
    report,
  });
  const remote = new RemoteFiles(dialogs, systemResolve);
  const updates = new Updates({
    app,
    dialog: dialogs,
    fetch: (input, init) => net.fetch(input instanceof URL ? input.href : input, init),
    folder: join(data, 'updates'),
    keysFile: join(import.meta.dirname, 'update-keys.json'),
  });
  let window: Window | undefined;
  let isQuitting = false;
  const signIn = new SignInReturn(() => window !== undefined && showAgain(window));
  const handlers: IpcHandlers = {
    appInfo: async () => ({
      version: app.getVersion(),
      platform: process.platform,
      packaged: app.isPackaged,
      server: serverArgument(process.argv),
    }),
    ...journals,
    ...deviceKey.handlers,
    ...dialogHandlers(dialogs),
    ...opened.handlers,
    ...notices.handlers,
    ...remote.handlers,
    ...signIn.handlers,
    ...updates.handlers,
  };
  const router = new IpcRouter(handlers, (call, error) => {
    report(`${String(call)}: ${inspect(error)}`);
  });
  const show = async (): Promise<void> => {
    const last = places.read();
    const workAreas = screen.getAllDisplays().map(({ workArea }) => workArea);
    const opened = openWindow(BrowserWindow, {
      bounds: openingBounds(last?.bounds ?? null, workAreas),
      isMaximized: last?.isMaximized ?? false,
      preload: join(out, 'preload', 'preload.cjs'),
      devTools: !app.isPackaged,
    });
    // A page that ends the program is not shown at the next start again.
    if (last !== null) places.write({ ...last, address: null });
    followWindow(opened, places);
    closeSaved(opened, notices, () => isQuitting && app.quit());
    opened.once('closed', () => {
      window = undefined;
    });
    window = opened;
    careForCrashes(opened, {
      dialog: dialogs,
      now: () => performance.now(),
      release: async () => {
        notices.end();
        remote.close();
        await journals.closeAll();
      },
      report,
    });
    await opened.loadURL(last?.address ?? appUrl).catch((error: unknown) => {
      // Somebody closed the window while it was loading. The window may still exist when this is reported.
      if (!opened.isDestroyed() && !isAborted(error)) report(`load: ${inspect(error)}`);
    });
  };

  registerAppScheme(protocol);
  app.enableSandbox();
  // Chromium starts its GPU process, network service and other helpers again by itself.
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) =>
    report(`child-process-gone: ${name ?? type} ${reason} (${exitCode})`),
  );
  app.on('web-contents-created', (_event, contents) => guardContents(contents, shell));
  const showOpened = (): void => void (window === undefined ? show() : showAgain(window));
  app.on('second-instance', (_event, argv, folder) => {
    opened.add(fileArguments(argv, folder));
    showOpened();
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    opened.add([path]);
    if (app.isReady()) showOpened();
  });
  app.on('activate', () => void (window === undefined ? show() : showAgain(window)));
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('before-quit', () => {
    isQuitting = true;
  });
  app.once('will-quit', (event) => {
    event.preventDefault();
    dialogs.close();
    notices.end();
    opened.close();
    remote.close();
    signIn.close();
    updates.close();
    void router
      .drain()
      .then(() => journals.closeAll())
      // Electron ignores `quit` while this event is handled, which includes the promises that it resolves.
      .finally(() => setImmediate(() => app.quit()));
  });

  void app.whenReady().then(() => {
    guardSession(session.defaultSession);
    powerMonitor.on('resume', () => notices.wake());
    powerMonitor.on('unlock-screen', () => notices.wake());
    serveApp(protocol, join(out, 'renderer'));
    router.register(ipcMain);
    return show();
  });
}

/** `ERR_ABORTED` of Chromium. */
const abortedNumber = -3;

/** Whether loading was given up, by whoever closed the window or led it elsewhere. */
function isAborted(error: unknown): boolean {
  // Electron names the number only in some cases.
  return error instanceof Error && 'errno' in error && error.errno === abortedNumber;
}
