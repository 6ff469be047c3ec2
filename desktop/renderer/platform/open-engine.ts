import type { Engine } from '#desktop/engine/api.ts';
import { pagePlatform } from '#desktop/engine/browser-platform.ts';
import { openEngine } from '#desktop/engine/open.ts';

import { findBridge } from './bridge.ts';
import { openFileJournalStore } from './file-journal-store.ts';
import { defaultServer } from './origin.ts';

/** Opens the engine: with the journal's files of the main process, or in a browser with those of the origin. */
export function openPlatformEngine(): Promise<Engine> {
  const bridge = findBridge();
  const openStore =
    bridge === undefined ? {} : { openStore: (name: string) => openFileJournalStore(bridge, name) };
  return openEngine(pagePlatform({ defaultServer: defaultServer(), ...openStore }));
}
