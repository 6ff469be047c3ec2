import type { Engine } from '#desktop/engine/engine.ts';
import { JournalError } from '#desktop/engine/journal/store.ts';
import { isFullDisk } from '#desktop/engine/platform/full-disk.ts';

import type { Bridge } from './bridge.ts';

const retryMs = 5000;
/** Actions that wait for the network delay the end by this much, ms. What waits for space on the disk then is not stored. */
const longestWait = 5000;

const late = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, longestWait));

/** The screens of the page. */
export interface Screens {
  /** Passes what was typed to the engine. */
  handOver(): void;
  /** Passes what was typed to the engine, and removes the screens. */
  end(): void;
  /** Shows them again, if they were removed. */
  show(): void;
}

/**
 * Follows what the main process tells: after a wake-up the engine syncs at once; before the window is closed, the screens
 * hand over what was typed, and the engine saves it. If it cannot, and the person keeps the window open, the page goes on.
 */
export function followNotices(
  bridge: Pick<Bridge, 'notice' | 'readyToClose'>,
  { engine, settled }: TrackedEngine,
  screens: Screens,
): void {
  const isStored = async (handOver: () => void): Promise<boolean> => {
    handOver();
    const isLate = late();
    const isHandedOver = await Promise.race([settled(), isLate.then(() => !engine.waitsForDisk())]);
    const isSaved = engine.save().then(
      () => isHandedOver,
      () => false,
    );
    return Promise.race([isSaved, isLate.then(() => !engine.waitsForDisk() && isSaved)]);
  };
  /** Whether the window closes. */
  const close = async (): Promise<boolean> => {
    // The screens stay until everything is stored: their fields hold what was refused.
    if ((await isStored(() => screens.handOver())) && (await isStored(() => screens.end()))) {
      // What was typed is stored, so nothing else keeps the window open.
      await engine.close().catch((error: unknown) => reportError(error));
      await bridge.readyToClose(true);
      return true;
    }
    // Without a decision the window is still there.
    if ((await bridge.readyToClose(false).catch(() => 'stay')) === 'close') return true;
    screens.show();
    return false;
  };
  const follow = async (): Promise<void> => {
    for (;;) {
      const notice = await bridge.notice().catch(() => 'failed' as const);
      if (notice === 'close' && (await close())) return;
      if (notice === 'wake') engine.actions.syncNow();
      if (notice === 'failed') await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  };
  void follow().catch((error: unknown) => reportError(error));
}

export interface TrackedEngine {
  engine: Engine;
  /** Resolves when no action is running any more. False: since the call, one failed because the disk took nothing. */
  settled: () => Promise<boolean>;
}

/** Whether an action failed because the disk did not take what it stores. */
function isRefused(error: unknown): boolean {
  return error instanceof JournalError || isFullDisk(error);
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
      let isStored = true;
      while (running.size > 0)
        for (const result of await Promise.allSettled(running))
          if (result.status === 'rejected' && isRefused(result.reason)) isStored = false;
      return isStored;
    },
  };
}
