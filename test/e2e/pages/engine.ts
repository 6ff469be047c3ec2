import { firstValueFrom } from 'rxjs';

import { createActions } from '#desktop/engine/actions/index.ts';
import type { Actions, Live, Views } from '#desktop/engine/engine.ts';
import { pagePlatform } from '#desktop/engine/browser-platform.ts';
import type { Core } from '#desktop/engine/account/core.ts';
import { openCore } from '#desktop/engine/open-core.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { servicesOf } from '#desktop/engine/features/services.ts';
import { createViews } from '#desktop/engine/views/index.ts';
import type { SyncState } from '#desktop/engine/api/sync-records.ts';

declare global {
  interface Window {
    core: Core;
    actions: Actions;
    views: Views;
    syncState: SyncState;
    calls(): Promise<readonly OutboxCall[]>;
    titles(): Promise<string[]>;
    leads(): Promise<boolean>;
    /** Resolves when everything that left has been removed. */
    left(): Promise<void>;
    present<T>(live: Live<T>): Promise<T>;
  }
}

const platform = pagePlatform({ defaultServer: location.origin });
/** A planted fault: data that left is never removed from the files. */
const keepsOldFiles: Partial<Platform> = {
  sit: async () => () => undefined,
  openJournal: async () => {
    const journal = await platform.openJournal();
    journal.purge = async () => undefined;
    return journal;
  },
};
const isFaulty = new URLSearchParams(location.search).get('fault') === 'old-files';
const { core } = await openCore(isFaulty ? { ...platform, ...keepsOldFiles } : platform);
window.core = core;
window.actions = createActions(core);
window.views = createViews(core);
core.sync.state.subscribe((state) => (window.syncState = state));
window.calls = () => firstValueFrom(core.outbox.calls);
window.titles = async () => {
  const rows = await firstValueFrom(core.mirror.guideRows());
  return rows.map(({ title }) => title).toSorted();
};
window.left = () => servicesOf(core).leaving.settled();
window.leads = () => firstValueFrom(core.sync.leads);
window.present = (live) => new Promise((resolve, reject) => live.subscribe(resolve, reject));
