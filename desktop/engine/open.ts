import { createActions } from './actions/index.ts';
import type { Engine } from './engine.ts';
import { openCore } from './open-core.ts';
import type { Platform } from './journal/platform.ts';
import { closeServices, saveServices } from './features/services.ts';
import { createViews } from './views/index.ts';

/** Opens the engine on this machine, and restores the last session. */
export async function openEngine(platform: Platform): Promise<Engine> {
  const { core, close } = await openCore(platform);
  const engine: Engine = {
    views: createViews(core),
    actions: createActions(core),
    save: () => saveServices(core),
    waitsForDisk: () => (platform.diskWaits?.value ?? 0) > 0,
    close: async () => {
      // The database is closed even if a full disk prevents the last writes.
      await closeServices(core).finally(close);
    },
  };
  return engine;
}
