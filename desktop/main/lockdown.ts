import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { z } from 'zod';

import type { Dialog, KeyInput, PowerSaveBlocker, Shell, Window } from './electron.ts';
import type { IpcHandlers } from './ipc.ts';

const stored = z.object({ isStation: z.boolean() });

interface LockdownOptions {
  /** Path of the file that keeps whether the device is a station. */
  file: string;
  /** Started with `--kiosk`. */
  isAsked: boolean;
  /** The menu of windows that are not locked. */
  menu: () => unknown;
  powerSaveBlocker: PowerSaveBlocker;
  /** Writes one line to the log. */
  report: (line: string) => void;
}

/**
 * Keeps people in the app while the device is a station. The page says that it is one, and says that it is none after an
 * administrator has proved who they are to the server.
 *
 * - LOCKDOWN-1 At a station the window fills the screen, without a menu, also after a restart. It stays when a
 *   person closes it, and comes back when the system makes it smaller. If it is closed all the same, as a page can do, it
 *   opens again at once. Quitting for an update or the end of the computer goes on.
 * - LOCKDOWN-2 Keys with Ctrl, Cmd or Alt do nothing, but those that edit text, and neither do function keys: so none
 *   reloads, zooms, prints, closes, opens windows or tools, shows a menu, or moves in the history. Touch does not zoom.
 * - LOCKDOWN-3 Nothing opens outside of the app: no addresses, and no dialogs for files. The page may use the camera
 *   for photos instead.
 * - LOCKDOWN-4 The screen stays on.
 * - LOCKDOWN-5 A start with files, also of a program that runs already, and the system's request to open one, open nothing.
 *   Nor does the page of a station open files that are dropped on it. With `--kiosk`, the starts open nothing before the
 *   device is a station, either.
 */
export class Lockdown {
  readonly #options: LockdownOptions;
  #isStation: boolean;
  #window: Window | null = null;
  #blocker: number | null = null;

  constructor(options: LockdownOptions) {
    this.#options = options;
    this.#isStation = readStored(options.file);
  }

  /** Whether people are kept in the app. */
  get isLocked(): boolean {
    return this.#isStation;
  }

  /** Whether files open that the program is started with. */
  get takesFiles(): boolean {
    return !this.#isKiosk;
  }

  readonly handlers: Pick<IpcHandlers, 'stationLock'> = {
    stationLock: async (isStation) => {
      if (isStation === this.#isStation) return;
      this.#isStation = isStation;
      try {
        writeStored(this.#options.file, isStation);
      } catch (error) {
        // The page says it again at the next start.
        this.#options.report(`station: ${String(error)}`);
      }
      this.#apply();
    },
  };

  /** Watches a window that was just opened. */
  keep(window: Window): void {
    this.#window = window;
    window.webContents.on('before-input-event', (event, input) => {
      if (this.#isKiosk && leaves(input)) event.preventDefault();
    });
    window.webContents.on('zoom-changed', () => {
      if (this.#isKiosk) window.webContents.setZoomLevel(0);
    });
    window.on('minimize', () => {
      if (this.#isKiosk) window.restore();
    });
    window.on('leave-full-screen', () => {
      if (this.#isKiosk) window.setKiosk(true);
    });
    window.once('closed', () => {
      this.#window = null;
    });
    this.#apply();
  }

  /** Shows the menu of windows that are not locked, after it has changed. */
  renewMenu(): void {
    this.#apply();
  }

  /** Addresses open in the system's browser only where people may leave the app. */
  shell(shell: Shell): Shell {
    return {
      openExternal: async (url) => {
        if (!this.#isKiosk) await shell.openExternal(url);
      },
    };
  }

  /** Dialogs for files count as cancelled at a station. Questions of the program are still asked. */
  dialogs(dialog: Dialog): Dialog {
    return {
      showOpenDialog: async (options) =>
        this.#isStation ? { canceled: true, filePaths: [] } : dialog.showOpenDialog(options),
      showSaveDialog: async (options) =>
        this.#isStation ? { canceled: true, filePath: '' } : dialog.showSaveDialog(options),
      showMessageBox: (options) => dialog.showMessageBox(options),
    };
  }

  get #isKiosk(): boolean {
    return this.#isStation || this.#options.isAsked;
  }

  #apply(): void {
    const window = this.#window;
    if (window !== null && !window.isDestroyed()) {
      window.setKiosk(this.#isKiosk);
      window.setMenuBarVisibility(!this.#isKiosk);
      // A hidden menu appears at the Alt key, and its keys work.
      window.setMenu(this.#isKiosk ? null : this.#options.menu());
    }
    const { powerSaveBlocker } = this.#options;
    if (this.#isKiosk) this.#blocker ??= powerSaveBlocker.start('prevent-display-sleep');
    else if (this.#blocker !== null) {
      powerSaveBlocker.stop(this.#blocker);
      this.#blocker = null;
    }
  }
}

/** With Ctrl or Cmd: select all, copy, cut, paste, undo, redo. Shift makes others of them, but of undo. */
const editing = new Set(['a', 'c', 'x', 'v', 'z', 'y']);
/** With Ctrl or Cmd these move in a text, and delete and send it. */
const moving = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End', 'Backspace', 'Delete', 'Enter', 'Insert']);
const modifiers = new Set(['Control', 'Shift', 'Meta', 'AltGraph']);

/** Whether a key may leave the app, reload or change its window, or open menus or tools. */
export function leaves({ key, control, meta, alt, shift }: KeyInput): boolean {
  // AltGr counts as Ctrl and Alt in some systems, where it types letters.
  const isTyped = key.length === 1 && control && alt;
  if (isTyped || modifiers.has(key)) return false;
  if (/^F\d+$/.test(key) || /^(Browser|Launch|Print)/.test(key) || key === 'Alt' || key === 'ContextMenu')
    return true;
  if (control || meta) {
    const name = key.toLowerCase();
    return !(editing.has(name) && (!shift || name === 'z')) && !(moving.has(key) && !alt);
  }
  // With Alt some systems type signs.
  return alt && (key.length > 1 || /[ -~]/.test(key));
}

function readStored(file: string): boolean {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8'))).isStation;
  } catch {
    return false;
  }
}

/** Replaces the file completely or not at all. */
function writeStored(file: string, isStation: boolean): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.tmp`, JSON.stringify({ isStation } satisfies z.output<typeof stored>));
  renameSync(`${file}.tmp`, file);
}
