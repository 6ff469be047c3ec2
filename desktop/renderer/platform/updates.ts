import type { UpdateHold, UpdateState } from '#shared/model/update-state.ts';

import type { Bridge } from './bridge.ts';

/** The calls of the main process that are about updates. */
export type UpdateBridge = Pick<Bridge, Extract<keyof Bridge, `update${string}`>>;

const retryMs = 5000;

/** Calls `show` with the state of updates and every change of it. Returns a function that stops it. */
export function followUpdates(bridge: UpdateBridge, show: (state: UpdateState) => void): () => void {
  let isStopped = false;
  const follow = async (): Promise<void> => {
    let known = 0;
    while (!isStopped) {
      try {
        const state = await bridge.updateState(known);
        if (isStopped) return;
        // The main process also answers without a change when it closes.
        if (state.number === known) await pause();
        else show(state);
        known = state.number;
      } catch {
        await pause();
      }
    }
  };
  void follow();
  return () => {
    isStopped = true;
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, retryMs));
}

/** What keeps the app from being closed for an update; null: nothing. */
export function holdOf(facts: {
  isOrderRunning: boolean;
  isStored: boolean;
  isAway: boolean;
}): UpdateHold | null {
  if (facts.isOrderRunning) return 'order';
  if (!facts.isStored) return 'unsaved';
  return facts.isAway ? 'away' : null;
}
