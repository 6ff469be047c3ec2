import type { Page } from 'playwright-core';

/**
 * Keys and Enter, so many seconds apart by the clock of the keyboard, however slow or fast this machine is. `isCut`: without
 * Enter, as from a scanner that is cut in the middle. `later`: begins so many seconds from now.
 */
export async function typeKeys(
  { page }: { page: Page },
  code: string,
  apart: number,
  { isCut = false, later = 0 }: { isCut?: boolean; later?: number } = {},
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // Times before the page was opened all count as 0.
  let timestamp = Date.now() / 1000 + later;
  for (const key of [...code.split(''), ...(isCut ? [] : ['Enter'])]) {
    timestamp += apart;
    const text = key === 'Enter' ? '\r' : key;
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text, timestamp });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key, timestamp });
  }
  await session.detach();
}
