import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';
import { walkLocked, walkSignedIn } from './station-walk.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const look = { width: 1280, height: 800, density: 'kiosk' } as const;

// For hands in gloves: every target is at least 48 px wide and high, the main action of a screen 64 px high.
describe('targets at a station', { concurrent: true }, () => {
  test.for([
    ['locked', walkLocked],
    ['signed in', walkSignedIn],
  ] as const)('%s', async ([, walk]) => {
    const measured: Record<string, number> = {};
    const found: string[] = [];
    await walk(bench, look, async (name, { page }: AppPage) => {
      const { count, small } = await smallTargets(page);
      measured[name] = count;
      found.push(...small.map((one) => `${name}: ${one}`));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (wide > 0) found.push(`${name}: ${wide} px wider than the screen`);
    });
    expect(found).toEqual([]);
    expect(Object.values(measured).every((count) => count > 1)).toBe(true);
  });
});

const least = { target: 48, primary: 64 };

/** How many targets are shown, and those that are too small. */
function smallTargets(page: Page): Promise<{ count: number; small: string[] }> {
  return page.evaluate(({ target, primary }) => {
    const selector =
      'button, a[href], input, textarea, select, summary, [role="menuitem"], [role="menuitemradio"], [role="radio"], [role="option"], [tabindex="0"]';
    const areas = new Map<Element, DOMRect>();
    for (const element of document.querySelectorAll(selector)) {
      // A field is pressed with its frame, a radio button and a checkbox with their label.
      const label = element instanceof HTMLInputElement ? element.closest('label') : null;
      const covers = getComputedStyle(element, '::after').position === 'absolute';
      const pressed =
        label ??
        (element.matches('input, textarea') ? element.parentElement : null) ??
        (covers ? element.closest('[class*="whole"]') : null) ??
        element;
      const area = pressed.getBoundingClientRect();
      const isInText = element.matches('a') && getComputedStyle(element).display === 'inline';
      // Only keyboards and screen readers reach these.
      const isHidden = element.matches('[href="#main"], [aria-label="Dismiss"]');
      // What a dialog makes unreachable is measured on its own screen.
      const isReachable = element.closest('[inert], [aria-hidden="true"]') === null;
      const isShown = element.checkVisibility({ visibilityProperty: true }) && area.width > 1;
      if (isShown && isReachable && !isInText && !isHidden) areas.set(pressed, area);
    }
    const small = [...areas].flatMap(([element, { width, height }]) => {
      const isMain = element.matches('[class*="primary"], [class*="_done"]');
      if (width >= target && height >= (isMain ? primary : target)) return [];
      return [`${Math.round(width)} × ${Math.round(height)}: ${element.outerHTML.slice(0, 120)}`];
    });
    return { count: areas.size, small };
  }, least);
}
