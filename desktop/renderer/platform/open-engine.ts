import type { Engine } from '#desktop/engine/api/engine.ts';
import { pagePlatform } from '#desktop/engine/browser-platform.ts';
import { openEngine } from '#desktop/engine/open.ts';

import { findBridge } from './bridge.ts';
import { openFileArchiveFiles } from './file-archive-files.ts';
import { openFileJournalStore } from './file-journal-store.ts';
import { keepAppOffline } from './offline-app.ts';
import { defaultServer } from './origin.ts';
import { fetchThrough } from './remote-files.ts';

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
