import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { WorldOptions } from '#test/support/fixture-world.ts';

import { openWorkbench, type Look, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const screens: [name: string, path: string, world: WorldOptions][] = [
  ['library', '/', {}],
  ['search', '/?q=frame', {}],
  ['empty library', '/favorites', { empty: true }],
  ['overview', '/guides/9001', { running: true }],
  ['step', '/guides/9001#s90004', { running: true }],
  ['forms', '/guides/9001#s90010', { running: true }],
  ['conclusion', '/guides/9001#end', {}],
  ['work orders', '/work-orders', { running: true }],
  ['work order', '/work-orders/504', {}],
  ['settings', '/settings', {}],
  ['sign-in', '/', { signedOut: true, servers: ['https://guides.example.org'] }],
];

const looks: [name: string, look: Look][] = [
  ['light', {}],
  ['dark', { theme: 'dark' }],
  ['bright light', { theme: 'bright' }],
  ['kiosk, dark', { theme: 'dark', density: 'kiosk', width: 1280, height: 800 }],
  ['narrow, touch', { density: 'touch', width: 390, height: 844 }],
];

describe.for(screens)('%s', ([, path, world]) => {
  test.for(looks)('U13: axe finds nothing in %s', async ([, look]) => {
    await using app = await bench.open(path, world, look);
    const { violations } = await new AxeBuilder({ page: app.page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html.slice(0, 160))])).toEqual([]);
    expect(app.errors).toEqual([]);
  });

  test('U14: bright light reaches 7:1', async () => {
    await using app = await bench.open(path, world, { theme: 'bright' });
    const { violations } = await new AxeBuilder({ page: app.page })
      .withRules(['color-contrast-enhanced'])
      .analyze();
    expect(violations.flatMap(({ nodes }) => nodes.map((node) => node.html.slice(0, 160)))).toEqual([]);
  });

  test.for<[Look['density'], number]>([
    ['desktop', 24],
    ['touch', 48],
    ['kiosk', 64],
  ])('U10: every target in %s density is at least %d px high', async ([density = 'desktop', least]) => {
    await using app = await bench.open(path, world, { density, width: 1280, height: 800 });
    const small = await app.page
      .locator(
        'button, input:not([type="file"], [type="radio"], [type="checkbox"]), textarea, label:has(input), header a, nav a',
      )
      .evaluateAll(
        (list, min) =>
          list.flatMap((element) => {
            // What is inside a taller target is part of it.
            const target = element.closest('[data-rac][class*="search"], [class*="box"]') ?? element;
            const box = target.getBoundingClientRect();
            const isShown = element.checkVisibility() && box.width > 1;
            const isSkip = element.matches('[href="#main"]');
            return isShown && !isSkip && box.height < min - 6
              ? [`${box.height} ${element.outerHTML.slice(0, 120)}`]
              : [];
          }),
        least,
      );
    expect(small).toEqual([]);
  });

  test.for([320, 1280])('U15: %d px wide, nothing reaches beyond the window', async (width) => {
    await using app = await bench.open(path, world, {
      width,
      height: width === 320 ? 256 : 800,
      density: width === 320 ? 'desktop' : 'kiosk',
    });
    const overflow = await app.page.evaluate(() => {
      const limit = document.documentElement.clientWidth;
      const main = document.querySelector('main');
      return {
        page: document.documentElement.scrollWidth - limit,
        main: main ? main.scrollWidth - main.clientWidth : 0,
      };
    });
    expect(overflow).toEqual({ page: 0, main: 0 });
  });
});
