import type { AppPage } from './app-page.ts';

/** Keys and Enter, so many seconds apart by the clock of the keyboard, however slow or fast this machine is. */
export async function typeKeys(app: AppPage, code: string, apart: number): Promise<void> {
  const session = await app.page.context().newCDPSession(app.page);
  // Times before the page was opened all count as 0.
  let timestamp = Date.now() / 1000;
  for (const key of [...code.split(''), 'Enter']) {
    timestamp += apart;
    const text = key === 'Enter' ? {} : { text: key };
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', key, ...text, timestamp });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key, timestamp });
  }
  await session.detach();
}
