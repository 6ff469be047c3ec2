import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { isLongRun } from '#test/support/long-run.ts';
import { screenAddresses, screenStates } from '#test/support/screen-addresses.ts';

import { openWorkbench, type Look, type Workbench } from './app-page.ts';
import { everyLook, offences } from './axe.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const screens = [
  ...Object.entries(screenAddresses).map(([name, [path, world = {}]]) => [name, path, world] as const),
  ...screenStates,
].map(([name, path, world], at) => ({ name, path, world, at }));

const looks: [name: string, look: Look][] = [
  ...everyLook,
  ['320 px wide, as at 400 % zoom', { width: 320, height: 256 }],
];

/** The looks of a screen: every one in the long run, otherwise two, so that each look is checked on a third of the screens. */
const looksOf = (at: number): [name: string, look: Look][] =>
  looks.filter((_, index) => isLongRun || index % 3 === at % 3);

/** Minimum height of a target in px: `--tap` of the density. */
const tap = { desktop: 36, touch: 48, kiosk: 64 };

// They mostly wait for the browser, which draws two at a time.
describe('accessible in every look', { concurrent: true }, () => {
  test.for(screens)('$name', async ({ path, world, at }) => {
    await using app = await bench.open(path, world);
    for (const [name, look] of looksOf(at)) {
      await app.wear(look);
      expect({
        look: name,
        offences: await offences(app.page, look),
        smallTargets: await smallTargets(app.page, tap[look.density ?? 'desktop']),
        overflow: await overflow(app.page),
        errors: app.errors,
      }).toEqual({ look: name, offences: [], smallTargets: [], overflow: { page: 0, main: 0 }, errors: [] });
    }
  });
});

/** Targets lower than the token. Links within a text are as high as their line. */
function smallTargets(page: Page, least: number): Promise<string[]> {
  return page
    .locator(
      'button, textarea, input[type="text"], input[type="email"], input[type="password"], input[type="search"], label:has(input), header a, nav a, main a',
    )
    .evaluateAll(
      (list, min) =>
        list.flatMap((element) => {
          // A link in a text, and a link that covers its row or card.
          if (element.matches('main a') && getComputedStyle(element).display === 'inline') return [];
          const covers = getComputedStyle(element, '::after').position === 'absolute';
          // The field around an input, and the tolerance of a pill that is not a button.
          const target = element.matches('input, textarea, [class*="choice"], [class*="open"]')
            ? (element.parentElement ?? element)
            : ((covers ? element.closest('[class*="whole"]') : null) ?? element);
          const { height, width } = target.getBoundingClientRect();
          const isShown = element.checkVisibility() && width > 1 && !element.matches('[href="#main"]');
          const isPill = element.closest('[aria-label="Sync status"]') !== null;
          return isShown && height < (isPill ? min - 8 : min)
            ? [`${height} px: ${element.outerHTML.slice(0, 160)}`]
            : [];
        }),
      least,
    );
}

/** How far something extends beyond the window, in px. */
function overflow(page: Page): Promise<{ page: number; main: number }> {
  return page.evaluate(() => {
    const main = document.querySelector('main');
    return {
      page: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      main: main ? main.scrollWidth - main.clientWidth : 0,
    };
  });
}
