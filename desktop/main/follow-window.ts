import type { Window } from './electron.ts';
import { addressOf } from './origin.ts';
import type { WindowPlace, WindowPlaces } from './window-places.ts';

/** A place is written when the window has rested for this time, ms. */
const restMs = 500;

/**
 * Stores where the window is and which page it shows, whenever that changes. When the window is closed, the page is
 * forgotten.
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
