import { join } from 'node:path';
import { inspect } from 'node:util';

import { app, BrowserWindow, dialog, ipcMain, net, protocol, safeStorage, session, shell } from 'electron';

import { fileArguments, keepsKeyInFile, serverArgument } from './arguments.ts';
import { DeviceKey } from './device-key.ts';
import { ClosableDialogs, dialogHandlers } from './dialogs.ts';
import type { Window } from './electron.ts';
import { type IpcHandlers, IpcRouter } from './ipc.ts';
import { OpenedFiles } from './opened-files.ts';
import { journalHandlers } from './journals.ts';
import { registerAppScheme, serveApp } from './protocol.ts';
import { RemoteFiles } from './remote-files.ts';
import { systemResolve } from './remote-request.ts';
import { SignInReturn } from './sign-in-return.ts';
import { Updates } from './updates/updates.ts';
import { guardContents, guardSession, loadApp, openWindow, showAgain } from './window.ts';

// Two processes would overwrite each other's journal.
if (app.requestSingleInstanceLock()) start();
else app.quit();

function start(): void {
  const out = join(import.meta.dirname, '..');
  const data = app.getPath('userData');
  const dialogs = new ClosableDialogs(dialog);
  const journals = journalHandlers(join(data, 'journals'), dialogs);
  const deviceKey = new DeviceKey({
    folder: data,
    safeStorage,
    keepInFile: keepsKeyInFile(process.argv),
    closeJournals: () => journals.closeAll(),
  });
  const opened = new OpenedFiles();
  opened.add(fileArguments(process.argv, process.cwd()));
  const remote = new RemoteFiles(dialogs, systemResolve);
  const updates = new Updates({
    app,
    dialog: dialogs,
    fetch: (input, init) => net.fetch(input instanceof URL ? input.href : input, init),
    folder: join(data, 'updates'),
    keysFile: join(import.meta.dirname, 'update-keys.json'),
  });
  let window: Window | undefined;
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
    ...remote.handlers,
    ...signIn.handlers,
    ...updates.handlers,
  };
  const router = new IpcRouter(handlers, (call, error) => {
    process.stderr.write(`${String(call)}: ${inspect(error)}\n`);
  });
  const show = async (): Promise<void> => {
    const opened = openWindow(BrowserWindow, join(out, 'preload', 'preload.cjs'), !app.isPackaged);
    opened.once('closed', () => {
      window = undefined;
    });
    window = opened;
    await loadApp(opened).catch((error: unknown) => {
      // Somebody closed the window while it was loading. The window may still exist when this is reported.
      if (!opened.isDestroyed() && !isAborted(error)) throw error;
    });
  };

  registerAppScheme(protocol);
  app.enableSandbox();
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
  app.once('will-quit', (event) => {
    event.preventDefault();
    dialogs.close();
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
    serveApp(protocol, join(out, 'renderer'));
    router.register(ipcMain);
    return show();
  });
}

/** Whether loading was given up, by whoever closed the window or led it elsewhere. */
function isAborted(error: unknown): boolean {
  // -3 is ERR_ABORTED of Chromium. Electron does not always add its name.
  return error instanceof Error && 'errno' in error && error.errno === -3;
}
