import type { Actions } from '#desktop/engine/engine.ts';
import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';

import { Problem } from '#shared/api/problem.ts';

import type { World } from './fixture-world.ts';

type SyncActions = Pick<
  Actions,
  | 'exportKept'
  | 'discardKept'
  | 'resolveConflicts'
  | 'reopenConflicts'
  | 'retryCall'
  | 'sendAllAgain'
  | 'discardCall'
  | 'exportCall'
  | 'editCall'
  | 'checkDevice'
  | 'exportWaiting'
  | 'importWaiting'
>;

/** The engine's actions on conflicts and waiting calls, in the fixture's world. */
export function syncActions(change: (make: (now: World) => Partial<World>) => void): SyncActions {
  const changeItem = (id: string, make: (item: ActivityItem) => Partial<ActivityItem>) =>
    change((now) => ({
      activity: now.activity.map((item) => (item.id === id ? { ...item, ...make(item) } : item)),
    }));
  return {
    async resolveConflicts(guideid) {
      change((now) => ({
        decided: now.conflicts.filter((found) => found.guideid === guideid),
        conflicts: now.conflicts.filter((found) => found.guideid !== guideid),
      }));
    },
    async reopenConflicts() {
      change((now) => ({ decided: [], conflicts: [...now.conflicts, ...now.decided] }));
    },
    async checkDevice() {
      return {
        records: 10_044,
        differences: [
          {
            c: 'guides',
            id: '9001',
            kind: 'different' as const,
            title: 'Bench Grinder Drive Belt Replacement',
          },
        ],
      };
    },
    exportWaiting: async () => ({ calls: 4, drafts: 1, left: 0 }),
    async importWaiting(file) {
      if ((await file.text()) !== 'ours')
        throw new Problem(
          'forbidden',
          'This is the work of Ben Okafor at https://guides.example.org, and you are signed in as Ana Ruiz at http://bench.local:4020. Sign in there as Ben Okafor to import it.',
        );
      return { calls: 3, drafts: 1, known: 2, unreadable: 1, isCut: false };
    },
    async retryCall(callid) {
      changeItem(callid, () => ({ state: 'queued', refusal: null }));
    },
    async sendAllAgain() {
      change((now) => ({
        activity: now.activity.map((item) =>
          item.state === 'parked' ? { ...item, state: 'queued', refusal: null } : item,
        ),
      }));
      return 3;
    },
    async discardCall(callid) {
      change((now) => ({ activity: now.activity.filter(({ id }) => id !== callid) }));
    },
    async exportCall() {
      return { filename: 'call.json', json: '{}' };
    },
    async exportKept() {
      return { filename: 'guides-9004.json', json: '{}' };
    },
    async discardKept(id) {
      change((now) => ({ kept: now.kept.filter((one) => one.id !== id) }));
    },
    async editCall(callid, body) {
      changeItem(callid, ({ call }) => ({ state: 'queued', refusal: null, call: { ...call, body } }));
    },
  };
}
