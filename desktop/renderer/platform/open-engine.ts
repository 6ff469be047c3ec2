import type { Engine } from '#desktop/engine/engine.ts';
import { pagePlatform, volatilePlatform } from '#desktop/engine/browser-platform.ts';
import { openEngine } from '#desktop/engine/open.ts';
import { deviceCipher } from '#desktop/engine/platform/cipher.ts';

import { type Bridge, fetchThrough } from './bridge.ts';
import { openFileArchiveFiles } from './file-archive-files.ts';
import { openFileJournalStore } from './file-journal-store.ts';
import { defaultServer } from './server-address.ts';

declare global {
  /** The version of the app, which the build inserts. */
  var builtVersion: string | undefined;
}

/** Opens the engine for the desktop app. `key`: the key under which it encrypts what only this device has. */
export async function openDesktopEngine(bridge: Bridge, key: Uint8Array): Promise<Engine> {
  const openStore = (name: string) => openFileJournalStore(bridge, name);
  const { server, version } = await bridge.appInfo();
  return openEngine(
    pagePlatform({
      defaultServer: defaultServer(),
      askedServer: server,
      appVersion: version,
      hasTabs: false,
      openStore,
      openArchiveFiles: () => openFileArchiveFiles(bridge),
      fetchElsewhere: fetchThrough(bridge),
      allowElsewhere: (url) => bridge.remoteAllow(url),
      cipher: deviceCipher(key, (size) => crypto.getRandomValues(new Uint8Array(size))),
    }),
  );
}

/** Opens an engine that stores nothing, for a sign-in while the device is locked. */
export async function openVolatileEngine(): Promise<Engine> {
  return openEngine(await volatilePlatform(defaultServer()));
}

/** Opens the engine for a browser. */
export function openBrowserEngine(): Promise<Engine> {
  const appVersion = globalThis.builtVersion ?? '';
  return openEngine(pagePlatform({ defaultServer: defaultServer(), appVersion, appKept: keepAppOffline() }));
}

/** Delay before the app is downloaded again after a failure, ms. */
const againMs = 60_000;

/**
 * Lets the service worker store the app's files, so that every screen opens without a network. Resolves when all
 * files of this version are stored and the worker controls this page. Without service worker support (an insecure
 * origin) nothing is stored, and it resolves immediately.
 */
async function keepAppOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const kept = Promise.withResolvers<void>();
  const look = async (): Promise<void> => {
    // The files of a version are stored all together or not at all; this module is one of them.
    const isKept = (await caches.match(import.meta.url, { ignoreVary: true })) !== undefined;
    if (isKept && serviceWorker.controller !== null) kept.resolve();
  };
  const install = async (): Promise<void> => {
    const registration = await serviceWorker.register(new URL('/service-worker.js', location.href));
    const { active } = await serviceWorker.ready;
    // When the worker starts, it claims the open pages. A page that was loading at that moment has no controller yet.
    if (serviceWorker.controller === null) active?.postMessage('claim');
    await look();
    await registration.update();
  };
  const lookAgain = (): void => void look().catch(reportError);
  // Fails without a network; the timer tries again.
  const installAgain = (): void => void install().catch(() => undefined);
  serviceWorker.addEventListener('controllerchange', lookAgain);
  const timer = setInterval(installAgain, againMs);
  installAgain();
  await kept.promise;
  clearInterval(timer);
  serviceWorker.removeEventListener('controllerchange', lookAgain);
}
