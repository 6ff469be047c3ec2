import { createActions } from './actions/index.ts';
import type { Engine } from './api/engine.ts';
import { openCore } from './open-core.ts';
import type { Platform } from './journal/platform.ts';
import { closeServices } from './features/services.ts';
import { createViews } from './views/index.ts';

/** Opens the engine on this machine and takes up the last session. */
export async function openEngine(platform: Platform): Promise<Engine> {
  const { core, close } = await openCore(platform);
  const engine: Engine = {
    views: createViews(core),
    actions: createActions(core),
    close: async () => {
      // What a full disk does not take any more must not keep the database open.
      await closeServices(core).finally(close);
    },
  };
  return engine;
}
