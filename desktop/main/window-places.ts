import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { z } from 'zod';

import type { Rectangle, Window } from './electron.ts';
import { addressOf, isAppUrl } from './origin.ts';

const pixels = z.int().min(-100_000).max(100_000);
const rectangle = z.strictObject({ x: pixels, y: pixels, width: pixels, height: pixels });

/**
 * `bounds`: of the window when it is neither maximized nor minimized. `address`: of the page while the program runs;
 * null when the window was closed.
 */
const windowPlace = z.strictObject({
  bounds: rectangle,
  isMaximized: z.boolean(),
  address: z.string().max(2000).refine(isAppUrl).nullable(),
});
export type WindowPlace = z.output<typeof windowPlace>;

export const smallest = { width: 480, height: 480 };
const usual = { width: 1280, height: 860 };
/** At least this much of the title bar must be on a display, pixels. */
const grip = { width: 100, height: 20 };

/**
 * The bounds at which the window opens: the last ones where a display still shows enough of them, reduced to its work
 * area; otherwise only a size, and the system chooses the position. `displays`: their work areas.
 */
export function openingBounds(
  last: Rectangle | null,
  displays: readonly Rectangle[],
): Partial<Rectangle> & { width: number; height: number } {
  if (last === null) return usual;
  const display = displays.find((one) => showsGrip(last, one));
  if (display === undefined) return usual;
  const width = Math.max(smallest.width, Math.min(last.width, display.width));
  const height = Math.max(smallest.height, Math.min(last.height, display.height));
  return {
    x: within(last.x, display.x, display.x + display.width - width),
    y: within(last.y, display.y, display.y + display.height - height),
    width,
    height,
  };
}

/** Whether enough of the upper edge of the window is on the display for a person to move it. */
function showsGrip(window: Rectangle, display: Rectangle): boolean {
  const left = Math.max(window.x, display.x);
  const right = Math.min(window.x + window.width, display.x + display.width);
  const isInHeight =
    window.y >= display.y - grip.height && window.y + grip.height <= display.y + display.height;
  return right - left >= grip.width && isInHeight;
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}

/**
 * The place of the window, in one small file. A file that cannot be read or written means the usual place, and is no
 * error.
 */
export class WindowPlaces {
  readonly #path: string;
  #isFrozen = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** From now on nothing is written, because the program ends in a way that nobody asked for. */
  freeze(): void {
    this.#isFrozen = true;
  }

  read(): WindowPlace | null {
    try {
      return windowPlace.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
    } catch {
      return null;
    }
  }

  /** Replaces the file completely or not at all. */
  write(place: WindowPlace): void {
    if (this.#isFrozen) return;
    const temporary = `${this.#path}.tmp`;
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      writeFileSync(temporary, JSON.stringify(place));
      renameSync(temporary, this.#path);
    } catch {
      rmSync(temporary, { force: true });
    }
  }
}

/** A place is written when the window has rested for this time, ms. */
const restMs = 500;

/**
 * Stores where the window is and which page it shows, whenever that changes. When the window is closed, the page is
 * forgotten.
 *
 * - ELECTRON-75 The window opens with its last size and position, maximized if it was, on a display that still
 *   exists. It is never smaller than its minimum. A damaged file means the usual size.
 * - ELECTRON-76 When the program did not end by itself, the next start shows the same page. After the window was
 *   closed, it shows the library.
 */
export function followWindow(window: Window, places: WindowPlaces): void {
  const { webContents } = window;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: WindowPlace | null = null;
  const write = (): void => {
    last = {
      bounds: window.getNormalBounds(),
      isMaximized: window.isMaximized(),
      address: addressOf(webContents.getURL()),
    };
    places.write(last);
  };
  const writeSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(write, restMs);
  };
  for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) window.on(event, writeSoon);
  for (const event of ['did-navigate', 'did-navigate-in-page'] as const) webContents.on(event, writeSoon);
  window.on('close', write);
  window.once('closed', () => {
    clearTimeout(timer);
    if (last !== null) places.write({ ...last, address: null });
  });
}
