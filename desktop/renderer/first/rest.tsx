import { WorkerMissing } from '#desktop/engine/journal/journal-error.ts';

import { CodeMissing } from './code-missing.ts';
import type { Opened } from './coming-engine.ts';
import { Rest } from '../app.tsx';
import { askBeforeLoss } from '../hand-over.ts';
import { openBrowserEngine } from '../platform/open-engine.ts';
import { SignInNotices } from '../screens/sign-in/sign-in-notices.tsx';

export { findBridge } from '../platform/bridge.ts';
export { startDesktop } from '../start-desktop.tsx';

/**
 * Opens the engine in a browser.
 * @throws CodeMissing when the code of its worker cannot be loaded; it may be tried again
 */
export async function openInBrowser(): Promise<Opened> {
  const engine = await openBrowserEngine().catch((cause: unknown) => {
    if (cause instanceof WorkerMissing) throw new CodeMissing(cause.message, { cause });
    throw cause;
  });
  askBeforeLoss(engine);
  return { engine, Rest, SignInNotices };
}
