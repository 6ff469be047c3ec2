import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { isLongRun } from '#test/support/long-run.ts';
import { screenAddresses, screenStates } from '#test/support/screen-addresses.ts';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

/** Every screen in the long run, otherwise a third of them. */
const screens = [
  ...Object.entries(screenAddresses).map(([name, [path, world = {}]]) => ({ name, path, world })),
  ...screenStates.map(([name, path, world]) => ({ name, path, world })),
].filter((_, at) => isLongRun || at % 3 === 0);

/** Stations have large screens. */
const widthsOf = (path: string): number[] => (path === '/station' ? [1440, 1280] : [1440, 390]);

describe('texts a third longer than English', { concurrent: true }, () => {
  test.for(screens)('TEXT-4 no text extends beyond the window: $name', async ({ path, world }) => {
    await using app = await bench.open(path, world, { language: 'en-XA' });
    const { page } = app;
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await page.locator('main [class*="loading"]').first().waitFor({ state: 'detached' });
    for (const width of widthsOf(path)) {
      await page.setViewportSize({ width, height: 900 });
      const [across, main] = await page.evaluate(() => {
        const over = (element: Element): number => element.scrollWidth - element.clientWidth;
        return [over(document.documentElement), over(document.querySelector('main') ?? document.body)];
      });
      expect({ width, across, main }).toEqual({ width, across: 0, main: 0 });
    }
  });
});
