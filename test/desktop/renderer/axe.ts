import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

import type { Look } from './app-page.ts';

/** The looks in which every screen is judged. */
export const looks: [name: string, look: Look][] = [
  ['light', {}],
  ['dark', { theme: 'dark' }],
  ['bright light', { theme: 'bright' }],
  ['kiosk, dark', { theme: 'dark', density: 'kiosk', width: 1280, height: 800 }],
  ['narrow, touch', { density: 'touch', width: 390, height: 844 }],
];

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds, by its rule; in bright light contrast must be 7:1. */
export async function offences(page: Page, look: Look): Promise<string[]> {
  const isBright = look.theme === 'bright';
  const { violations } = await new AxeBuilder({ page })
    // Without frames to look into, the second page in which axe gathers its findings is not needed.
    .setLegacyMode(true)
    .options({ runOnly: tags, rules: { 'color-contrast-enhanced': { enabled: isBright } } })
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
}
