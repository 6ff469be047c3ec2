import type { Dialog, Rectangle, Session, Shell, WebContents, Window, WindowOptions } from './electron.ts';
import type { Notices } from './notices.ts';
import { isAppUrl, isExternalUrl, isPlayerUrl } from './origin.ts';
import type { MainTexts } from './text/main-language.ts';
import { smallest } from './window-places.ts';

interface OpenOptions {
  bounds: Partial<Rectangle> & { width: number; height: number };
  isMaximized: boolean;
  /** Path of the preload script. */
  preload: string;
  /** Enabled when the app is not packaged. */
  devTools: boolean;
}

/** Opens the app's window, which shows itself when its page is ready. */
export function openWindow(
  BrowserWindow: new (options: WindowOptions) => Window,
  { bounds, isMaximized, preload, devTools }: OpenOptions,
): Window {
  const window = new BrowserWindow({
    ...bounds,
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    autoHideMenuBar: true,
    title: 'Benchbook',
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      devTools,
    },
  });
  window.once('ready-to-show', () => {
    if (isMaximized) window.maximize();
    window.show();
  });
  return window;
}

/** Brings the window to the front, when the app is started again. */
export function showAgain(window: Window): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

export interface ClosingCare {
  notices: Pick<Notices, 'close' | 'keepOpen'>;
  dialog: Pick<Dialog, 'showMessageBox'>;
  texts: () => MainTexts;
  /** Whether the window may be closed at all. */
  mayBegin: () => boolean;
  /** Called when the window begins to close. */
  closing: () => void;
  /** Called at the end. `isClosed`: false if the person keeps it open. */
  ended: (isClosed: boolean) => void;
}

/**
 * Closes the window only when its page has saved what was typed. The person sees it close at once. If something could not
 * be saved, they decide whether it closes.
 *
 * - ELECTRON-87 When something could not be stored, closing the window, quitting or updating asks before it is lost.
 *   The person can keep the app open, which goes on as before. A browser asks too.
 */
export function closeSaved(
  window: Window,
  { notices, dialog, texts, mayBegin, closing, ended }: ClosingCare,
): void {
  const mayClose = async (): Promise<boolean> => {
    if (await notices.close()) return true;
    const { closing: text } = texts();
    const buttons = [text.keepOpen, text.closeAnyway];
    const { response } = await dialog.showMessageBox({
      type: 'warning',
      message: text.unsaved,
      detail: text.unsavedHint,
      buttons,
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    return buttons[response] === text.closeAnyway;
  };
  let isClosing = false;
  window.on('close', (event) => {
    event.preventDefault();
    if (isClosing || !mayBegin()) return;
    isClosing = true;
    closing();
    window.hide();
    const decided = mayClose().catch(() => false);
    void decided.then((isClosed) => {
      isClosing = false;
      if (!isClosed && !window.isDestroyed()) {
        notices.keepOpen();
        window.show();
        return ended(false);
      }
      if (!window.isDestroyed()) window.destroy();
      ended(true);
    });
  });
}

/**
 * Keeps the main frame on the app's origin and embedded frames on the video players. Links to other sites open in the
 * system's browser.
 */
export function guardContents(contents: WebContents, shell: Shell): void {
  const openOutside = (url: string): void => {
    if (isExternalUrl(url)) void shell.openExternal(url).catch(() => undefined);
  };
  contents.on('will-navigate', (event) => {
    if (isAppUrl(event.url)) return;
    event.preventDefault();
    openOutside(event.url);
  });
  for (const kind of ['will-frame-navigate', 'will-redirect'] as const) {
    contents.on(kind, (event) => {
      const isPlayer = !event.isMainFrame && isPlayerUrl(event.url);
      if (!isAppUrl(event.url) && !isPlayer) event.preventDefault();
    });
  }
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url);
    return { action: 'deny' };
  });
}

const GRANTED = new Set(['clipboard-sanitized-write', 'fullscreen', 'persistent-storage']);

/** Whether a page asks for the camera alone: the viewfinder needs no microphone. */
function isCamera(permission: string, kinds: readonly string[] = []): boolean {
  return permission === 'media' && kinds.length > 0 && kinds.every((kind) => kind === 'video');
}

/**
 * Denies permissions that the app does not need, and all permissions to other pages. Refuses downloads: the app saves
 * files with its own calls, whose dialogs show a checked name.
 */
export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, mediaTypes }) => {
    const isGranted = GRANTED.has(permission) || isCamera(permission, mediaTypes);
    answer(isGranted && requestingUrl !== undefined && isAppUrl(requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin, { mediaType }) => {
    const kinds = mediaType === undefined ? [] : [mediaType];
    return (GRANTED.has(permission) || isCamera(permission, kinds)) && isAppUrl(origin);
  });
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
}

/** `ERR_ABORTED` of Chromium. */
const abortedNumber = -3;

/** Whether `error` says that the page was not loaded because its window was closed or began to load another. */
export function isAborted(error: unknown): boolean {
  // Electron names the number only in some cases.
  return error instanceof Error && 'errno' in error && error.errno === abortedNumber;
}
