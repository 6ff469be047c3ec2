import type { Engine } from '#desktop/engine/engine.ts';

import type { Bridge } from './bridge.ts';

const retryMs = 5000;
/** Actions that wait for the network do not delay the end, ms. */
const longestActions = 1000;

/**
 * Follows what the main process tells: after a wake-up the engine syncs at once; before the window is closed,
 * `endScreens` hands over what was typed, and the engine saves it.
 */
export function followNotices(
  bridge: Pick<Bridge, 'notice' | 'readyToClose'>,
  { engine, settled }: TrackedEngine,
  endScreens: () => void,
): void {
  const close = async (): Promise<void> => {
    endScreens();
    const late = new Promise<void>((resolve) => setTimeout(resolve, longestActions));
    await Promise.race([settled(), late]);
    await engine.close().finally(() => bridge.readyToClose());
  };
  const follow = async (): Promise<void> => {
    for (;;) {
      const notice = await bridge.notice().catch(() => 'failed' as const);
      if (notice === 'close') return close();
      if (notice === 'wake') engine.actions.syncNow();
      if (notice === 'failed') await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  };
  void follow().catch(reportError);
}

export interface TrackedEngine {
  engine: Engine;
  /** Resolves when no action is running any more. */
  settled: () => Promise<void>;
}

/** The engine, and when its actions have ended. */
export function trackActions(engine: Engine): TrackedEngine {
  const running = new Set<Promise<unknown>>();
  const actions = new Proxy(engine.actions, {
    get(target, name) {
      const action: unknown = Reflect.get(target, name);
      if (typeof action !== 'function') return action;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(action, target, args);
        if (result instanceof Promise) {
          running.add(result);
          const forget = (): void => void running.delete(result);
          result.then(forget, forget);
        }
        return result;
      };
    },
  });
  return {
    engine: { ...engine, actions },
    settled: async () => {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
