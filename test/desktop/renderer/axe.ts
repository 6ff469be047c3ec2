import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

import { isLongRun } from '#test/support/long-run.ts';

import type { Look } from './app-page.ts';

declare global {
  interface Window {
    /** Defined once the script was run in the page. */
    axe?: { run: (options: RunOptions) => Promise<AxeResults> };
  }
}

type NamedLook = [name: string, look: Look];

export const everyLook: readonly NamedLook[] = [
  ['light', {}],
  ['dark', { theme: 'dark' }],
  ['bright light', { theme: 'bright' }],
  ['kiosk, dark', { theme: 'dark', density: 'kiosk', width: 1280, height: 800 }],
  ['narrow, touch', { density: 'touch', width: 390, height: 844 }],
];

/** The looks in which a state of a screen is checked: every one in the long run, otherwise a light and a dark one. */
export const looks: readonly NamedLook[] = isLongRun
  ? everyLook
  : everyLook.filter(([name]) => name === 'light' || name === 'kiosk, dark');

/** Rules that another theme or density can break; the others check the document, which is the same in all looks. */
const rulesOfStyle = ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'];
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Frames of any origin report their findings to the page. */
const script = `${source};axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`;

/**
 * The findings of axe, by rule; in bright light contrast must be 7:1. In a dark or bright theme only the rules of
 * style run, in the long run every rule.
 */
export async function offences(page: Page, look: Look): Promise<string[]> {
  // A loading indicator is not the screen yet.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.locator('main [class*="loading"]').first().waitFor({ state: 'detached' });
  await installAxe(page);
  const isBright = look.theme === 'bright';
  const isWhole = isLongRun || (look.theme ?? 'light') === 'light';
  const ofStyle = isBright ? [...rulesOfStyle, 'color-contrast-enhanced'] : rulesOfStyle;
  const options: RunOptions = {
    runOnly: isWhole ? tags : { type: 'rule', values: ofStyle },
    // Rules requested by name run even if they are disabled.
    ...(isWhole ? { rules: { 'color-contrast-enhanced': { enabled: isBright } } } : {}),
    resultTypes: ['violations'],
  };
  return page.evaluate(async (asked) => {
    if (window.axe === undefined) throw new Error('The page went to another address meanwhile');
    const { violations } = await window.axe.run(asked);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }, options);
}

/** Once per document, because the script is large. A frame is checked by its own axe. */
async function installAxe(page: Page): Promise<void> {
  for (const frame of page.frames())
    if (await frame.evaluate(() => window.axe === undefined)) await frame.evaluate(script);
}
