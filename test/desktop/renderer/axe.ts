import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

import { isLongRun } from '#test/support/long-run.ts';

import type { Look } from './app-page.ts';

declare global {
  interface Window {
    /** There once its script was run in the page. */
    axe?: { run: (options: RunOptions) => Promise<AxeResults> };
  }
}

/** The looks in which every screen is judged. */
export const looks: [name: string, look: Look][] = [
  ['light', {}],
  ['dark', { theme: 'dark' }],
  ['bright light', { theme: 'bright' }],
  ['kiosk, dark', { theme: 'dark', density: 'kiosk', width: 1280, height: 800 }],
  ['narrow, touch', { density: 'touch', width: 390, height: 844 }],
];

/** The rules that another theme or density can break; the others look at the document, which is the same in all of them. */
const rulesOfStyle = ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'];
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** What is found in a frame is told to the page, wherever the frame is from. */
const script = `${source};axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`;

/**
 * What axe finds, by its rule; in bright light contrast must be 7:1. In a dark or bright theme it asks the rules of style
 * only, in the long run every rule.
 */
export async function offences(page: Page, look: Look): Promise<string[]> {
  // What is shown while a screen loads is no screen yet.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await installAxe(page);
  const isBright = look.theme === 'bright';
  const isWhole = isLongRun || (look.theme ?? 'light') === 'light';
  const ofStyle = isBright ? [...rulesOfStyle, 'color-contrast-enhanced'] : rulesOfStyle;
  const options: RunOptions = {
    runOnly: isWhole ? tags : { type: 'rule', values: ofStyle },
    // Rules that are asked for by name run even where they are disabled.
    ...(isWhole ? { rules: { 'color-contrast-enhanced': { enabled: isBright } } } : {}),
    resultTypes: ['violations'],
  };
  return page.evaluate(async (asked) => {
    if (window.axe === undefined) throw new Error('The page went to another address meanwhile');
    const { violations } = await window.axe.run(asked);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }, options);
}

/** Once for each document: its script is large. A frame is looked into by the axe of its own. */
async function installAxe(page: Page): Promise<void> {
  for (const frame of page.frames())
    if (await frame.evaluate(() => window.axe === undefined)) await frame.evaluate(script);
}
