import type { Opened } from './coming-engine.ts';
import { Rest } from '../app.tsx';
import { askBeforeLoss } from '../hand-over.ts';
import { openBrowserEngine } from '../platform/open-engine.ts';
import { SignInNotices } from '../screens/sign-in/sign-in-notices.tsx';

export { findBridge } from '../platform/bridge.ts';
export { startDesktop } from '../start-desktop.tsx';

/** Opens the engine in a browser. */
export async function openInBrowser(): Promise<Opened> {
  const engine = await openBrowserEngine();
  askBeforeLoss(engine);
  return { engine, Rest, SignInNotices };
}
