import type { Engine, Live } from '#desktop/engine/engine.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { openEngine } from '#desktop/engine/open.ts';
import { oldEngine } from '#test/support/old-engine/load.ts';

/** The app that a device runs. */
export interface App {
  openEngine: typeof openEngine;
  openJournal: typeof openJournal;
}

export const presentApp: App = { openEngine, openJournal };

/** The app of protocol 5. Features that it does not have are empty. */
export async function oldApp(): Promise<App> {
  const old = await oldEngine();
  return {
    openJournal: old.openJournal,
    async openEngine(platform) {
      const engine: Engine = await old.openEngine(platform);
      const { actions, views } = engine;
      return {
        save: async () => undefined,
        close: () => engine.close(),
        actions: { ...actions, sendAllAgain: async () => 0 },
        views: {
          ...views,
          keptWords: () => always([]),
          session: () => changed(views.session(), (session) => ({ ...session, elsewhere: [] })),
          syncState: () =>
            changed(views.syncState(), (state) => ({ ...state, interference: null, tooOld: null })),
        },
      };
    },
  };
}

function always<T>(value: T): Live<T> {
  return {
    subscribe(next) {
      next(value);
      return () => undefined;
    },
  };
}

function changed<T>(live: Live<T>, change: (value: T) => T): Live<T> {
  return {
    subscribe: (next, failed) => live.subscribe((value) => next(change(value)), failed),
  };
}
