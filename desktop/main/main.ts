import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';

import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  net,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
} from 'electron';

import { IpcError } from '#desktop/ipc.ts';

import {
  argumentsAgain,
  argumentsRefusal,
  asksForKiosk,
  fileArguments,
  keepsKeyInFile,
  serverArgument,
} from './arguments.ts';
import { careForCrashes } from './crashes.ts';
import { dataFolderRefusal, isLockedByAnother } from './data-folder.ts';
import { DeviceKey } from './device-key.ts';
import { ClosableDialogs, dialogHandlers, pdfHandlers } from './dialogs.ts';
import type { Relaunch, Window } from './electron.ts';
import { holdData } from './held-data.ts';
import { type IpcHandlers, IpcRouter } from './ipc.ts';
import { surviveClosedOutputs, writeLog as report } from './log.ts';
import { menuTemplate } from './menu.ts';
import { Notices } from './notices.ts';
import { Lockdown } from './lockdown.ts';
import { OpenedFiles } from './opened-files.ts';
import { appUrl } from './origin.ts';
import { journalHandlers, releaseBallasts } from './journals.ts';
import { registerAppScheme, serveApp } from './protocol.ts';
import { RemoteFiles } from './remote-files.ts';
import { systemResolve } from './remote-request.ts';
import { refuseStart, type Refusal } from './refused-start.ts';
import { sandboxRefusal } from './sandbox.ts';
import { SignInReturn } from './sign-in-return.ts';
import { MainLanguage, type MainTexts } from './text/main-language.ts';
import { restartAfterErrors } from './unexpected-errors.ts';
import { forgetTry } from './updates/linux-folder.ts';
import { Updates } from './updates/updates.ts';
import { closeSaved, guardContents, guardSession, isAborted, openWindow, showAgain } from './window.ts';
import { followWindow, openingBounds, WindowPlaces } from './window-places.ts';

surviveClosedOutputs(process);
const language: MainLanguage = new MainLanguage({
  file: join(app.getPath('userData'), 'language.json'),
  system: () => app.getPreferredSystemLanguages(),
  changed: () => renewMenu(),
  report,
});
const texts = (): MainTexts => language.texts;
/** Shows the menu in the present language. */
let renewMenu = (): void => undefined;
const refusal =
  (app.isPackaged ? sandboxRefusal(app.commandLine) : null) ??
  argumentsRefusal(process.argv, process.platform);
if (refusal !== null) refuse(refusal);
// Two processes would overwrite each other's journal (ELECTRON-90).
else if (app.requestSingleInstanceLock()) start();
else withoutLock(app.getPath('userData'));

function withoutLock(data: string): void {
  const unusable = dataFolderRefusal(data);
  if (unusable !== null) return refuse(unusable);
  if (!isLockedByAnother(data, process.platform)) return start();
  // The first one may be the version before an update, which still saves what was typed.
  forgetTry(process.execPath, process.pid);
  app.quit();
}

function refuse(why: Refusal): void {
  forgetTry(process.execPath, process.pid);
  void refuseStart(why, { app, dialog, texts, report });
}

/**
 * Starts the program.
 *
 * - ELECTRON-85 A start while the program still ends shows a window with the opened files as soon as it has ended.
 *   Ending waits neither for servers nor for longer than 35 s for a disk that does not answer.
 */
function start(): void {
  const out = join(import.meta.dirname, '..');
  const data = app.getPath('userData');
  const held = holdData(data, process.platform);
  forgetSessionStorage(data);
  const lockdown = new Lockdown({
    file: join(data, 'station.json'),
    isAsked: asksForKiosk(process.argv),
    menu: () => Menu.getApplicationMenu(),
    powerSaveBlocker,
    report,
  });
  renewMenu = () => {
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(texts(), process.platform)));
    // Electron gives it to all windows, those of a station too.
    lockdown.renewMenu();
  };
  const dialogs = new ClosableDialogs(lockdown.dialogs(dialog));
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
  const opened = new OpenedFiles(() => lockdown.takesFiles);
  opened.add(fileArguments(process.argv, process.cwd()));
  const notices = new Notices(report);
  restartAfterErrors(process, {
    app,
    dialog,
    texts,
    age: () => performance.now(),
    save: async () => {
      await notices.close();
      // The next start shows the same page.
      places.freeze();
    },
    report,
  });
  const remote = new RemoteFiles(dialogs, texts, systemResolve);
  let window: Window | undefined;
  let isQuitting = false;
  /** From the moment when the window begins to close. */
  let isEnding = false;
  /** Somebody started the app while it was ending. */
  let isWanted = false;
  /** The program that an update starts at the end. */
  let updated: Relaunch | null = null;
  const updates = new Updates({
    app: {
      getVersion: () => app.getVersion(),
      relaunch: (program) => (updated = program),
      quit: () => app.quit(),
    },
    dialog: dialogs,
    fetch: (input, init) => net.fetch(input instanceof URL ? input.href : input, init),
    folder: join(data, 'updates'),
    keysFile: join(import.meta.dirname, 'update-keys.json'),
  });
  const signIn = new SignInReturn(() => window !== undefined && !isEnding && showAgain(window), language);
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
    ...pdfHandlers(dialogs, async () => {
      if (window === undefined) throw new IpcError('invalid', 'The window is closed');
      return window.webContents.printToPDF({ printBackground: true, pageSize: 'A4' });
    }),
    ...opened.handlers,
    ...notices.handlers,
    ...remote.handlers,
    ...signIn.handlers,
    ...updates.handlers,
    ...lockdown.handlers,
    ...language.handlers,
  };
  const router = new IpcRouter(handlers, (call, error) => {
    report(`${String(call)}: ${inspect(error)}`);
  });
  /** A disk that does not answer does not hold it up. */
  const closeJournals = (): Promise<void> => {
    const late = new Promise<void>((resolve) => setTimeout(resolve, longestJournals));
    return Promise.race([journals.closeAll(), late]);
  };
  /** Releases what the page had open. */
  const release = async (): Promise<void> => {
    notices.end();
    remote.close();
    await closeJournals();
  };
  const show = async (): Promise<void> => {
    isEnding = false;
    isWanted = false;
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
    lockdown.keep(opened);
    closeSaved(opened, {
      notices,
      dialog: dialogs,
      texts,
      // Quitting, for an update or with the computer, goes on.
      mayBegin: () => isQuitting || !lockdown.isLocked,
      closing: () => (isEnding = true),
      ended: (isClosed) => {
        if (!isClosed) stay();
        else if (isQuitting) app.quit();
      },
    });
    opened.once('closed', () => {
      window = undefined;
    });
    window = opened;
    careForCrashes(opened, {
      dialog: dialogs,
      texts,
      now: () => performance.now(),
      release,
      report,
    });
    await opened.loadURL(last?.address ?? appUrl).catch((error: unknown) => {
      // Somebody closed the window while it was loading. The window may still exist when this is reported.
      if (!opened.isDestroyed() && !isAborted(error)) report(`load: ${inspect(error)}`);
    });
  };

  /** The person keeps the app open, because it could not save everything. */
  const stay = (): void => {
    isEnding = false;
    isWanted = false;
    isQuitting = false;
    if (updated !== null) updates.keptOpen();
    updated = null;
  };

  registerAppScheme(protocol);
  app.enableSandbox();
  // Chromium starts its GPU process, network service and other helpers again by itself.
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) =>
    report(`child-process-gone: ${name ?? type} ${reason} (${exitCode})`),
  );
  app.on('web-contents-created', (_event, contents) => guardContents(contents, lockdown.shell(shell)));
  const showOpened = (): void => {
    // The window that closes must not be shown any more, and a new one would find the program closed.
    if (isEnding) isWanted = true;
    else if (window === undefined) void show();
    else showAgain(window);
  };
  app.on('second-instance', (_event, argv, folder) => {
    opened.add(fileArguments(argv, folder));
    showOpened();
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    opened.add([path]);
    if (app.isReady()) showOpened();
  });
  app.on('activate', showOpened);
  app.on('window-all-closed', () => {
    // A page can close its window past `close`, and so can a person after crashes.
    if ((isWanted || lockdown.isLocked) && !isQuitting) {
      isEnding = true;
      void release().then(() => (isQuitting ? undefined : show()));
    } else if (process.platform !== 'darwin') app.quit();
    else isEnding = isQuitting;
  });
  app.on('before-quit', () => {
    isQuitting = true;
  });
  app.once('will-quit', (event) => {
    event.preventDefault();
    isEnding = true;
    dialogs.close();
    notices.end();
    opened.close();
    remote.close();
    signIn.close();
    updates.close();
    void router
      .drain()
      .then(closeJournals)
      .catch((error: unknown) => report(`end: ${inspect(error)}`))
      .then(() => {
        const files = isWanted ? opened.paths : [];
        if (updated !== null) app.relaunch({ ...updated, args: [...updated.args, ...files] });
        else if (isWanted) app.relaunch({ args: argumentsAgain(process.argv, files) });
        // Electron ignores `quit` while this event is handled, which includes the promises that it resolves.
        setImmediate(() => app.quit());
      });
  });

  void app.whenReady().then(async () => {
    const running = await held;
    if (running !== null) return refuse(running);
    renewMenu();
    guardSession(session.defaultSession);
    powerMonitor.on('resume', () => notices.wake());
    powerMonitor.on('unlock-screen', () => notices.wake());
    serveApp(protocol, join(out, 'renderer'));
    router.register(ipcMain);
    return show();
  });
}

/** Deletes what earlier versions let the browser engine store unencrypted (FORM-5). It is of no use after the program's end. */
function forgetSessionStorage(data: string): void {
  try {
    rmSync(join(data, 'Session Storage'), { recursive: true, force: true });
  } catch (error) {
    report(`session storage: ${inspect(error)}`);
  }
}

/** Journals that are not closed by then are left to the end of the program, ms. */
const longestJournals = 5000;
