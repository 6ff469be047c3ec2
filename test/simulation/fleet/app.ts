import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import type { Live } from '#desktop/engine/engine.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { openEngine } from '#desktop/engine/open.ts';
import { oldEngine } from '#test/support/old-engine/load.ts';

import type { DoingKind } from './plan.ts';

/** The app that a device runs. */
export interface App {
  openEngine: typeof openEngine;
  openJournal: typeof openJournal;
  /** Actions that it does not have. */
  lacks: ReadonlySet<DoingKind>;
}

export const presentApp: App = { openEngine, openJournal, lacks: new Set() };

/** The app of protocol 5. Features that it does not have are empty. */
export async function oldApp(): Promise<App> {
  const old = await oldEngine();
  return {
    openJournal: old.openJournal,
    lacks: new Set([
      'report',
      'decide-deviation',
      'plan-follow-up',
      'withdraw-follow-up',
      'own-follow-up',
      'finish-order',
      'suspend-order',
      'leave-station',
    ]),
    async openEngine(platform) {
      const engine = await old.openEngine(platform);
      const { actions, views } = engine;
      return {
        save: async () => undefined,
        waitsForDisk: () => false,
        close: () => engine.close(),
        actions: {
          ...actions,
          sendAllAgain: async () => 0,
          async resolveConflicts(guideid, decisions) {
            for (const { conflictid, choice } of decisions)
              await actions.resolveConflict(guideid, conflictid, choice);
          },
        },
        views: {
          ...views,
          activity: () => changed(views.activity(), withWaits),
          keptWords: () => always([]),
          deviations: () => always([]),
          followUps: () => always({ plans: false, of: {} }),
          session: () => changed(views.session(), (session) => ({ ...session, elsewhere: [] })),
          syncState: () =>
            changed(views.syncState(), (state) => ({ ...state, interference: null, tooOld: null })),
        },
      };
    },
  };
}

/** That app does not say which calls wait behind a refused call about the same thing. */
function withWaits(activity: readonly ActivityItem[]): ActivityItem[] {
  const about = ({ entryid, guideid, wikiid }: ActivityItem): string => [entryid, guideid, wikiid].join(' ');
  const stuck = new Map(
    activity
      .filter(({ state }) => state === 'parked' || state === 'needs-decision')
      .map((item) => [about(item), item.id]),
  );
  return activity.map((item) => ({ ...item, waitsFor: item.waitsFor ?? stuck.get(about(item)) ?? null }));
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
