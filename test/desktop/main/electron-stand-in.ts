import type {
  Dialog,
  IpcEvent,
  MenuItem,
  PreventableEvent,
  Rectangle,
  SafeStorage,
  Session,
  WebContents,
  Window,
  WindowOptions,
  WindowOpenDetails,
} from '#desktop/main/electron.ts';

type Listener = (...args: never[]) => void;

/** Listeners by event name, which a test can fire. */
export class Emitter {
  readonly #listeners = new Map<string, Listener[]>();

  on(event: string, listener: Listener): this {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
    return this;
  }

  once(event: string, listener: Listener): this {
    return this.on(event, listener);
  }

  fire(event: string, ...args: unknown[]): void {
    for (const listener of this.#listeners.get(event) ?? [])
      (listener as (...given: unknown[]) => void)(...args);
  }
}

export class StandInContents extends Emitter implements WebContents {
  openHandler: ((details: WindowOpenDetails) => { action: 'deny' }) | undefined;

  readonly did: string[] = [];
  url = '';

  setWindowOpenHandler(handler: (details: WindowOpenDetails) => { action: 'deny' }): void {
    this.openHandler = handler;
  }

  getURL(): string {
    return this.url;
  }

  async printToPDF(): Promise<Uint8Array> {
    return new Uint8Array();
  }

  setZoomLevel(level: number): void {
    this.did.push(`zoom ${level}`);
  }

  reload(): void {
    this.did.push('reload');
  }

  forcefullyCrashRenderer(): void {
    this.did.push('crash');
  }
}

export class StandInWindow extends Emitter implements Window {
  readonly options: WindowOptions;
  readonly did: string[] = [];
  readonly webContents = new StandInContents();
  minimized = false;
  destroyed = false;

  constructor(options: WindowOptions) {
    super();
    this.options = options;
  }

  /** Why the next load fails. */
  loadError: Error | undefined;

  async loadURL(url: string): Promise<void> {
    this.did.push(`load ${url}`);
    if (this.loadError !== undefined) throw this.loadError;
  }

  bounds = { x: 10, y: 20, width: 900, height: 700 };
  maximized = false;

  getNormalBounds(): Rectangle {
    return this.bounds;
  }

  isMaximized(): boolean {
    return this.maximized;
  }

  hide(): void {
    this.did.push('hide');
  }

  kiosk = false;

  setKiosk(isKiosk: boolean): void {
    this.kiosk = isKiosk;
  }

  setMenuBarVisibility(): void {}

  hasMenu = true;

  setMenu(menu: unknown): void {
    this.hasMenu = menu !== null;
  }

  maximize(): void {
    this.did.push('maximize');
  }

  show(): void {
    this.did.push('show');
  }

  focus(): void {
    this.did.push('focus');
  }

  isDestroyed(): boolean {
    return this.destroyed;
  }

  destroy(): void {
    this.destroyed = true;
    this.did.push('destroy');
  }

  isMinimized(): boolean {
    return this.minimized;
  }

  restore(): void {
    this.minimized = false;
    this.did.push('restore');
  }
}

export class StandInSession extends Emitter implements Session {
  request: Parameters<Session['setPermissionRequestHandler']>[0] | undefined;
  check: Parameters<Session['setPermissionCheckHandler']>[0] | undefined;
  device: (() => boolean) | undefined;

  setPermissionRequestHandler(handler: Parameters<Session['setPermissionRequestHandler']>[0]): void {
    this.request = handler;
  }

  setPermissionCheckHandler(handler: Parameters<Session['setPermissionCheckHandler']>[0]): void {
    this.check = handler;
  }

  setDevicePermissionHandler(handler: () => boolean): void {
    this.device = handler;
  }
}

/** A dialog in which the person has already chosen; `response`: the button. */
export function standInDialog(filePaths: string[], response = 0): Dialog {
  return {
    showMessageBox: async () => ({ response }),
    showOpenDialog: async () => ({ canceled: filePaths.length === 0, filePaths }),
    showSaveDialog: async () => ({ canceled: filePaths.length === 0, filePath: filePaths[0] ?? '' }),
  };
}

export function preventable(url = ''): PreventableEvent & { url: string; prevented: boolean } {
  return {
    url,
    prevented: false,
    preventDefault() {
      this.prevented = true;
    },
  };
}

/**
 * A keyring. `secret`: its own key. `missing`: there is none, and Electron only obfuscates. `broken`: what it does with
 * values of another secret.
 */
export class StandInKeyring implements SafeStorage {
  secret = 'first';
  missing = false;
  broken: 'throws' | 'garbage' = 'throws';

  isEncryptionAvailable(): boolean {
    return true;
  }

  getSelectedStorageBackend(): string {
    return this.missing ? 'basic_text' : 'gnome_libsecret';
  }

  encryptString(text: string): Buffer {
    return Buffer.from(`${this.missing ? 'peanuts' : this.secret}:${Buffer.from(text).toString('hex')}`);
  }

  decryptString(encrypted: Buffer): string {
    const [secret, text = ''] = encrypted.toString().split(':');
    if (secret === (this.missing ? 'peanuts' : this.secret)) return Buffer.from(text, 'hex').toString();
    if (this.broken === 'throws') throw new Error('Error while decrypting the ciphertext');
    return Buffer.alloc(32, 7).toString('base64');
  }
}

export const ourPage: IpcEvent = { senderFrame: { url: 'benchbook://app/guides/1', parent: null } };

/** The parts of Electron that main.ts uses, with their calls recorded. */
export function standInElectron(userData: string) {
  const app = new (class extends Emitter {
    readonly did: string[] = [];
    readonly isPackaged = true;
    readonly commandLine = { hasSwitch: (): boolean => false };
    firstInstance = true;
    readonly ready = Promise.withResolvers<void>();
    requestSingleInstanceLock = (): boolean => this.firstInstance;
    isReady = (): boolean => windows.length > 0;
    quit = (): void => void this.did.push('quit');
    exit = (code: number): void => void this.did.push(`exit ${code}`);
    relaunch = (options?: { args: string[] }): void =>
      void this.did.push(`relaunch ${options?.args.join(' ') ?? ''}`);
    enableSandbox = (): void => void this.did.push('enableSandbox');
    getPath = (name: string): string => (name === 'userData' ? userData : '');
    getVersion = (): string => '1.2.3';
    /** The preferred one first. */
    systemLanguages = ['fr-FR', 'en-US'];
    getPreferredSystemLanguages = (): string[] => this.systemLanguages;
    whenReady = (): Promise<void> => this.ready.promise;
  })();
  const windows: StandInWindow[] = [];
  const handled = new Map<string, (event: IpcEvent, ...args: unknown[]) => Promise<unknown>>();
  const served = new Map<string, (request: Request) => Promise<Response>>();
  const opened: string[] = [];
  /** The menus that were set. */
  const menus: MenuItem[][] = [];
  const errors: string[] = [];
  return {
    app,
    windows,
    handled,
    served,
    opened,
    BrowserWindow: class extends StandInWindow {
      constructor(options: WindowOptions) {
        super(options);
        windows.push(this);
      }
    },
    dialog: {
      ...standInDialog([]),
      /** The titles of error boxes. */
      errors,
      showErrorBox: (title: string) => void errors.push(title),
    },
    ipcMain: {
      handle: (channel: string, listener: (event: IpcEvent, ...args: unknown[]) => Promise<unknown>) =>
        handled.set(channel, listener),
    },
    protocol: {
      registerSchemesAsPrivileged: (schemes: { scheme: string; privileges: object }[]) => {
        for (const { scheme, privileges } of schemes)
          app.did.push(`scheme ${scheme} ${JSON.stringify(privileges)}`);
      },
      handle: (scheme: string, handler: (request: Request) => Promise<Response>) =>
        served.set(scheme, handler),
    },
    safeStorage: new StandInKeyring(),
    powerMonitor: new Emitter(),
    powerSaveBlocker: { start: () => 1, stop: () => undefined },
    menus,
    Menu: {
      getApplicationMenu: () => menus.at(-1) ?? null,
      setApplicationMenu: (menu: MenuItem[]) => void menus.push(menu),
      buildFromTemplate: (template: MenuItem[]) => template,
    },
    screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1600, height: 1200 } }] },
    net: { fetch: (...args: Parameters<typeof fetch>) => fetch(...args) },
    session: { defaultSession: new StandInSession() },
    shell: {
      openExternal: async (url: string) => void opened.push(url),
    },
  };
}
