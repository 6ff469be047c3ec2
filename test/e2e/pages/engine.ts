import { firstValueFrom } from 'rxjs';

import { pagePlatform } from '#desktop/engine/browser-platform.ts';
import type { Core } from '#desktop/engine/core.ts';
import { openCore } from '#desktop/engine/open-core.ts';
import type { OutboxCall } from '#desktop/engine/ports.ts';
import type { SyncState } from '#desktop/engine/views/records.ts';

declare global {
  interface Window {
    core: Core;
    syncState: SyncState;
    calls(): Promise<readonly OutboxCall[]>;
    titles(): Promise<string[]>;
  }
}

const { core } = await openCore(pagePlatform({ defaultServer: location.origin }));
window.core = core;
core.sync.state.subscribe((state) => (window.syncState = state));
window.calls = () => firstValueFrom(core.outbox.calls);
window.titles = async () => {
  const rows = await firstValueFrom(core.mirror.guideRows());
  return rows.map(({ title }) => title).toSorted();
};
