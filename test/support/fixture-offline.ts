import type {
  OfflineChoice,
  OfflinePreview,
  OfflineState,
  StorageUse,
} from '#desktop/engine/api/offline-records.ts';
import type { Actions } from '#desktop/engine/engine.ts';

import type { World } from './fixture-world.ts';

/** What the device of the fixture keeps, and what takes how much there. */
export interface OfflineWorld {
  state: OfflineState;
  use: StorageUse;
  /** Null: it is still being added up. */
  preview: OfflinePreview | null;
  /** How many files a removal leaves because others need them. */
  left: number;
}

const MB = 1_000_000;
const sum = (count: number, bytes: number, isEstimate = false) => ({ count, bytes, isEstimate });

export function demoOffline(): OfflineWorld {
  const choice = { everything: false, favorites: true, categories: ['Grinder'], tags: [], teams: [] };
  return {
    state: {
      choice,
      isUnread: false,
      isPaused: false,
      singles: 2,
      have: 118,
      of: 340,
      gone: 0,
      bytes: { have: 24 * MB, of: 71 * MB, isEstimate: true },
      state: 'loading',
      remainingMs: 150_000,
    },
    use: {
      guides: 1284,
      pages: 212,
      recordBytes: 48 * MB,
      pictures: sum(118, 22 * MB),
      documents: sum(6, 12 * MB),
      videos: sum(2, 84 * MB),
      unneeded: sum(14, 3 * MB),
      archives: sum(2, 310 * MB),
      waiting: { changes: 4, drafts: 1, files: sum(2, 5 * MB) },
      workOrders: 96,
      space: { used: 481 * MB, free: 58_000 * MB, isPersistent: false, records: 48 * MB },
    },
    preview: {
      guides: 42,
      prerequisites: 5,
      others: 3,
      pictures: sum(402, 61 * MB, true),
      documents: sum(6, 12 * MB),
      videos: sum(2, 84 * MB),
      toLoad: sum(222, 47 * MB, true),
      toRemove: sum(14, 3 * MB),
      isComplete: true,
      free: 58_000 * MB,
    },
    left: 0,
  };
}

type OfflineActions = Pick<
  Actions,
  'keepOffline' | 'pauseOffline' | 'removeUnneeded' | 'removeSingles' | 'askToPersist'
>;

/** The engine's actions on what is kept, in the fixture's world. */
export function offlineActions(change: (make: (now: World) => Partial<World>) => void): OfflineActions {
  const edit = (make: (now: OfflineWorld) => Partial<OfflineWorld>) =>
    change(({ offline }) => ({ offline: { ...offline, ...make(offline) } }));
  return {
    keepOffline: async (choice: OfflineChoice) => edit(({ state }) => ({ state: { ...state, choice } })),
    pauseOffline: async (isPaused) =>
      edit(({ state }) => ({
        state: { ...state, isPaused, state: isPaused ? 'paused' : 'loading', remainingMs: null },
      })),
    removeUnneeded: async () => {
      const removed = Promise.withResolvers<number>();
      edit(({ use, left }) => {
        removed.resolve(left);
        return { use: { ...use, unneeded: sum(left, left * MB) } };
      });
      return removed.promise;
    },
    removeSingles: async () => edit(({ state }) => ({ state: { ...state, singles: 0 } })),
    askToPersist: async () => true,
  };
}
