/* The parts of Electron that the app uses. `main.ts` passes the real modules; tests pass stand-ins. */

export interface PreventableEvent {
  preventDefault(): void;
}

export interface WindowOpenDetails {
  url: string;
}

export interface WebContents {
  on(
    event: 'will-navigate' | 'will-frame-navigate' | 'will-redirect',
    listener: (event: PreventableEvent & { url: string; isMainFrame: boolean }) => void,
  ): unknown;
  on(event: 'before-input-event', listener: (event: PreventableEvent, input: KeyInput) => void): unknown;
  on(event: 'zoom-changed', listener: () => void): unknown;
  setZoomLevel(level: number): void;
  on(event: 'will-attach-webview', listener: (event: PreventableEvent) => void): unknown;
  on(event: 'did-navigate' | 'did-navigate-in-page', listener: () => void): unknown;
  on(event: 'render-process-gone', listener: (event: unknown, details: ProcessGone) => void): unknown;
  setWindowOpenHandler(handler: (details: WindowOpenDetails) => { action: 'deny' }): void;
  /** Empty before the first page. */
  getURL(): string;
  reload(): void;
  /** The page as it would be printed. */
  printToPDF(options: { printBackground: boolean; pageSize: 'A4' }): Promise<Uint8Array>;
  forcefullyCrashRenderer(): void;
}

/** A key before the page gets it. `key`: as in `KeyboardEvent`. */
export interface KeyInput {
  key: string;
  shift: boolean;
  control: boolean;
  meta: boolean;
  alt: boolean;
}

export interface PowerSaveBlocker {
  start(type: 'prevent-display-sleep'): number;
  stop(id: number): unknown;
}

export interface ProcessGone {
  /** `clean-exit`, `abnormal-exit`, `killed`, `crashed`, `oom`, … */
  reason: string;
  exitCode: number;
}

export interface Session {
  setPermissionRequestHandler(
    handler: (
      contents: unknown,
      permission: string,
      answer: (granted: boolean) => void,
      details: { requestingUrl?: string; mediaTypes?: ('video' | 'audio')[] },
    ) => void,
  ): void;
  setPermissionCheckHandler(
    handler: (
      contents: unknown,
      permission: string,
      requestingOrigin: string,
      details: { mediaType?: 'video' | 'audio' | 'unknown' },
    ) => boolean,
  ): void;
  setDevicePermissionHandler(handler: () => boolean): void;
  on(event: 'will-download', listener: (event: PreventableEvent) => void): unknown;
}

export interface WebPreferences {
  preload: string;
  contextIsolation: boolean;
  sandbox: boolean;
  nodeIntegration: boolean;
  nodeIntegrationInWorker: boolean;
  nodeIntegrationInSubFrames: boolean;
  webSecurity: boolean;
  allowRunningInsecureContent: boolean;
  experimentalFeatures: boolean;
  webviewTag: boolean;
  navigateOnDragDrop: boolean;
  devTools: boolean;
}

type MenuRole =
  | 'about'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide'
  | 'quit'
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'pasteAndMatchStyle'
  | 'delete'
  | 'selectAll'
  | 'reload'
  | 'forceReload'
  | 'toggleDevTools'
  | 'resetZoom'
  | 'zoomIn'
  | 'zoomOut'
  | 'togglefullscreen'
  | 'minimize'
  | 'zoom'
  | 'front'
  | 'close';

/** An item of a menu. With a role, Electron gives it its key and its effect. */
export interface MenuItem {
  role?: MenuRole;
  type?: 'separator';
  label?: string;
  submenu?: MenuItem[];
}

/** Device-independent pixels. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Screen {
  getAllDisplays(): { workArea: Rectangle }[];
}

export interface WindowOptions {
  x?: number;
  y?: number;
  width: number;
  height: number;
  minWidth: number;
  minHeight: number;
  show: boolean;
  autoHideMenuBar: boolean;
  title: string;
  webPreferences: WebPreferences;
}

export interface Window {
  webContents: WebContents;
  on(
    event: 'unresponsive' | 'responsive' | 'resize' | 'move' | 'maximize' | 'unmaximize' | 'close',
    listener: () => void,
  ): unknown;
  on(event: 'close', listener: (event: PreventableEvent) => void): unknown;
  on(event: 'minimize' | 'leave-full-screen', listener: () => void): unknown;
  hide(): void;
  loadURL(url: string): Promise<void>;
  destroy(): void;
  once(event: 'ready-to-show' | 'closed', listener: () => void): unknown;
  /** The bounds when it is neither maximized nor minimized. */
  getNormalBounds(): Rectangle;
  isMaximized(): boolean;
  maximize(): void;
  setKiosk(isKiosk: boolean): void;
  setMenuBarVisibility(isVisible: boolean): void;
  /** Null: the window has no menu, nor the keys of one. */
  setMenu(menu: unknown): void;
  show(): void;
  focus(): void;
  isDestroyed(): boolean;
  isMinimized(): boolean;
  restore(): void;
}

export interface Shell {
  openExternal(url: string): Promise<void>;
}

export interface Dialog {
  showOpenDialog(options: {
    title: string;
    filters: { name: string; extensions: string[] }[];
    properties: ('openFile' | 'multiSelections' | 'openDirectory')[];
  }): Promise<{ canceled: boolean; filePaths: string[] }>;
  showSaveDialog(options: {
    title: string;
    defaultPath: string;
    filters: { name: string; extensions: string[] }[];
  }): Promise<{ canceled: boolean; filePath: string }>;
  /** `response`: the index of the chosen button; `cancelId` when `signal` closed the dialog. */
  showMessageBox(options: MessageBoxOptions): Promise<{ response: number }>;
}

export interface MessageBoxOptions {
  type: 'error' | 'warning';
  title?: string;
  message: string;
  detail: string;
  buttons: string[];
  defaultId: number;
  cancelId: number;
  noLink: boolean;
  signal?: AbortSignal;
}

export interface IpcEvent {
  senderFrame: { url: string; parent: unknown } | null;
}

export interface IpcMain {
  handle(channel: string, listener: (event: IpcEvent, ...args: unknown[]) => Promise<unknown>): void;
}

export interface Protocol {
  handle(scheme: string, handler: (request: Request) => Promise<Response>): void;
}

export interface SchemeRegistry {
  registerSchemesAsPrivileged(
    schemes: {
      scheme: string;
      privileges: {
        standard: boolean;
        secure: boolean;
        supportFetchAPI: boolean;
        corsEnabled: boolean;
        codeCache: boolean;
      };
    }[],
  ): void;
}

export interface SafeStorage {
  isEncryptionAvailable(): boolean;
  /** Only on Linux. */
  getSelectedStorageBackend(): string;
  encryptString(text: string): Buffer;
  decryptString(encrypted: Buffer): string;
}

/** The switches of the program's own command line, and those that Electron added. */
export interface CommandLine {
  hasSwitch(name: string): boolean;
}

export interface ErrorBox {
  showErrorBox(title: string, content: string): void;
}

export interface Restartable {
  /** Starts the program again with its arguments, or with these, when it has ended. */
  relaunch(options?: Relaunch): void;
  exit(code: number): void;
}

export interface Relaunch {
  /** The program to start; the present one if it is absent. */
  execPath?: string;
  args: string[];
}
