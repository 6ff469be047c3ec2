import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';
import { walkLocked, walkSignedIn } from './station-walk.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const screens = { small: { width: 1280, height: 800 }, large: { width: 1920, height: 1080 } };

// For hands in gloves: every target is at least 48 px wide and high, the main action of a screen 64 px high.
describe('targets at a station', { concurrent: true }, () => {
  test.for([
    ['locked', 'small', walkLocked],
    ['signed in', 'small', walkSignedIn],
    ['locked', 'large', walkLocked],
    ['signed in', 'large', walkSignedIn],
  ] as const)('%s, %s screen', async ([, size, walk]) => {
    const look = { ...screens[size], density: 'kiosk' } as const;
    const measured: Record<string, number> = {};
    const found: string[] = [];
    await walk(bench, look, async (name, { page }: AppPage) => {
      const { count, small, near } = await smallTargets(page);
      measured[name] = count;
      found.push(...[...small, ...near].map((one) => `${name}: ${one}`));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (wide > 0) found.push(`${name}: ${wide} px wider than the screen`);
    });
    expect(found).toEqual([]);
    expect(Object.values(measured).every((count) => count > 1)).toBe(true);
  });
});

const least = { target: 48, primary: 64, gap: 8 };

/** How many targets are shown, and those that are too small or too near to another one, px. */
function smallTargets(page: Page): Promise<{ count: number; small: string[]; near: string[] }> {
  return page.evaluate(({ target, primary, gap }) => {
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
    // What a bar or a dialog covers is out of reach until it is scrolled into view.
    const isOnTop = ([element, area]: [Element, DOMRect]): boolean => {
      const hit = document.elementFromPoint(area.x + area.width / 2, area.y + area.height / 2);
      return hit !== null && (element.contains(hit) || hit.contains(element));
    };
    // Rows of a menu or list touch: each is as high as a main action.
    const isRow = (element: Element): boolean => element.matches('[role^="menuitem"], [role="option"]');
    const isWithin = (inner: Element, outer: Element): boolean => outer !== inner && outer.contains(inner);
    const all = [...areas].filter(isOnTop);
    const near = all.flatMap(([one, a], at) =>
      all.slice(at + 1).flatMap(([other, b]) => {
        if (isWithin(one, other) || isWithin(other, one)) return [];
        if (isRow(one) && isRow(other) && Math.min(a.height, b.height) >= primary) return [];
        const across = Math.max(a.left - b.right, b.left - a.right);
        const down = Math.max(a.top - b.bottom, b.top - a.bottom);
        const apart = Math.round(Math.max(across, down));
        if (apart >= gap) return [];
        return [`${apart} px between ${one.outerHTML.slice(0, 90)} and ${other.outerHTML.slice(0, 90)}`];
      }),
    );
    return { count: areas.size, small, near };
  }, least);
}
