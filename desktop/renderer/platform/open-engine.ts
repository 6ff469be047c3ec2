import type { Engine } from '#desktop/engine/api/engine.ts';
import { pagePlatform } from '#desktop/engine/browser-platform.ts';
import { openEngine } from '#desktop/engine/open.ts';

import { findBridge, fetchThrough } from './bridge.ts';
import { openFileArchiveFiles } from './file-archive-files.ts';
import { openFileJournalStore } from './file-journal-store.ts';
import { defaultServer } from './server-address.ts';

/** Opens the engine on what this page runs in: the window of the desktop app, or a browser. */
export async function openPlatformEngine(): Promise<Engine> {
  const bridge = findBridge();
  if (bridge !== undefined) {
    const openStore = (name: string) => openFileJournalStore(bridge, name);
    const { server } = await bridge.appInfo();
    return openEngine(
      pagePlatform({
        defaultServer: defaultServer(),
        askedServer: server,
        hasTabs: false,
        openStore,
        openArchiveFiles: () => openFileArchiveFiles(bridge),
        fetchElsewhere: fetchThrough(bridge),
      }),
    );
  }
  return openEngine(pagePlatform({ defaultServer: defaultServer(), appKept: keepAppOffline() }));
}

/** How soon the app is downloaded again after a failure, ms. */
const againMs = 60_000;

/**
 * Has the service worker keep the app itself, so that the browser opens every screen without a network. Resolves when all
 * files of this version are kept and the worker answers for this page. A browser without service workers (a page that is
 * not secure) keeps nothing: there it resolves at once.
 */
async function keepAppOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const kept = Promise.withResolvers<void>();
  const look = async (): Promise<void> => {
    // The files of a version are kept all together or not at all; this is one of them.
    const isKept = (await caches.match(import.meta.url, { ignoreVary: true })) !== undefined;
    if (isKept && serviceWorker.controller !== null) kept.resolve();
  };
  const install = async (): Promise<void> => {
    const registration = await serviceWorker.register(new URL('/service-worker.js', location.href));
    const { active } = await serviceWorker.ready;
    // The worker claims the pages that are open when it begins: one that was loading at that moment has none.
    if (serviceWorker.controller === null) active?.postMessage('claim');
    await look();
    await registration.update();
  };
  const lookAgain = (): void => void look().catch(reportError);
  // Without a network it fails, and is tried again.
  const installAgain = (): void => void install().catch(() => undefined);
  serviceWorker.addEventListener('controllerchange', lookAgain);
  const timer = setInterval(installAgain, againMs);
  installAgain();
  await kept.promise;
  clearInterval(timer);
  serviceWorker.removeEventListener('controllerchange', lookAgain);
}
