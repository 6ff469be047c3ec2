import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Rectangle } from '#desktop/main/electron.ts';
import { followWindow, openingBounds, smallest, WindowPlaces } from '#desktop/main/window-places.ts';
import { soon } from '#test/support/soon.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { StandInWindow } from './electron-stand-in.ts';

const left: Rectangle = { x: 0, y: 0, width: 1600, height: 1000 };
const right: Rectangle = { x: 1600, y: 100, width: 1280, height: 800 };
const usual = { width: 1280, height: 860 };
const place = {
  bounds: { x: 10, y: 20, width: 900, height: 700 },
  isMaximized: false,
  address: 'benchbook://app/guides/7#s12',
};

function at(x: number, y: number, width: number, height: number): Rectangle {
  return { x, y, width, height };
}

describe('the bounds of a new window', () => {
  it.each([
    ['on the first display', at(10, 20, 900, 700), at(10, 20, 900, 700)],
    ['on the second display', at(1700, 150, 900, 700), at(1700, 150, 900, 700)],
    ['larger than its display', at(1650, 150, 3000, 3000), at(1600, 100, 1280, 800)],
    ['smaller than the minimum', at(50, 50, 100, 30), at(50, 50, 480, 480)],
    ['half outside on the right', at(2700, 200, 900, 700), at(1980, 200, 900, 700)],
    ['half outside below', at(100, 900, 900, 700), at(100, 300, 900, 700)],
    ['on a display that is gone', at(4000, 100, 900, 700), usual],
    ['above all displays', at(100, -500, 900, 700), usual],
    ['nowhere yet', null, usual],
  ])('ELECTRON-75 are the last ones, on a display: %s', (_where, last, bounds) => {
    expect(openingBounds(last, [left, right])).toEqual(bounds);
  });

  it('ELECTRON-75 keep the minimum size, and a person can always reach the title bar', () => {
    const number = fc.integer({ min: -5000, max: 5000 });
    const size = fc.integer({ min: 0, max: 5000 });
    const rectangle = fc.record({ x: number, y: number, width: size, height: size });
    const display = fc.record({
      x: number,
      y: number,
      width: fc.integer({ min: 480, max: 4000 }),
      height: fc.integer({ min: 480, max: 4000 }),
    });
    fc.assert(
      fc.property(rectangle, fc.array(display, { maxLength: 3 }), (last, displays) => {
        const { x, y, width, height } = openingBounds(last, displays);
        expect(width).toBeGreaterThanOrEqual(smallest.width);
        expect(height).toBeGreaterThanOrEqual(smallest.height);
        if (x === undefined || y === undefined) return;
        const isOn = ({ x: dx, y: dy, width: dw, height: dh }: Rectangle): boolean =>
          x >= dx && y >= dy && x + width <= dx + dw && y + height <= dy + dh;
        expect(displays.some(isOn)).toBe(true);
      }),
    );
  });
});

describe('the file of the window', () => {
  it('ELECTRON-75 is replaced completely', async () => {
    await using folder = await temporaryFolder('places');
    const places = new WindowPlaces(join(folder.path, 'data', 'window-places.json'));
    expect(places.read()).toBeNull();
    places.write(place);
    places.write({ ...place, isMaximized: true });
    expect(places.read()).toEqual({ ...place, isMaximized: true });
    expect(readdirSync(join(folder.path, 'data'))).toEqual(['window-places.json']);
  });

  it.each([
    ['empty', ''],
    ['cut off', JSON.stringify(place).slice(0, 40)],
    ['of another version', JSON.stringify({ ...place, version: 2 })],
    ['with a foreign address', JSON.stringify({ ...place, address: 'https://example.com/' })],
    ['with no numbers', JSON.stringify({ ...place, bounds: { ...place.bounds, x: null } })],
  ])('ELECTRON-75 is ignored when it is damaged: %s', async (_what, content) => {
    await using folder = await temporaryFolder('places');
    const path = join(folder.path, 'window-places.json');
    writeFileSync(path, content);
    expect(new WindowPlaces(path).read()).toBeNull();
  });

  it('ELECTRON-75 does not stop the program when it cannot be written', async () => {
    await using folder = await temporaryFolder('places');
    const path = join(folder.path, 'window-places.json');
    mkdirSync(join(path, 'folder'), { recursive: true });
    const places = new WindowPlaces(path);
    places.write(place);
    expect(places.read()).toBeNull();
    expect(readdirSync(folder.path)).toEqual(['window-places.json']);
  });

  it('ELECTRON-75 ELECTRON-76 follows the window and its page, and forgets the page when the window is closed', async () => {
    await using folder = await temporaryFolder('places');
    const path = join(folder.path, 'window-places.json');
    const places = new WindowPlaces(path);
    const window = new StandInWindow({} as never);
    followWindow(window, places);
    window.webContents.url = 'benchbook://app/guides/7?code=secret#s12';
    window.webContents.fire('did-navigate-in-page');
    await soon(() => places.read()).toEqual(place);
    expect(readFileSync(path, 'utf8')).not.toContain('secret');
    window.maximized = true;
    window.fire('maximize');
    await soon(() => places.read()?.isMaximized).toBe(true);
    window.bounds = { ...window.bounds, x: 99 };
    window.fire('close');
    window.fire('closed');
    const closed = { bounds: window.bounds, isMaximized: true, address: null };
    expect(places.read()).toEqual(closed);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(places.read()).toEqual(closed);
  });
});
