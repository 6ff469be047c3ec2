import { z } from 'zod';

import type { Activity } from '../sync/mirror/replicator.ts';
import type { Interference, Session, SyncState } from '../api/sync-records.ts';
import type { Calls } from '../outbox/calls.ts';
import type { Trouble } from '../sync/trouble.ts';

/** What the leading tab tells the others, and the next start: kept as a local document of the database. */
export interface SharedActivity extends Activity {
  lastSyncedAt: number | null;
  /** What answers in the place of the server; null: nothing does. */
  interference: Interference | null;
  /** Which side must be updated before the two understand each other; null: neither. */
  tooOld: 'app' | 'server' | null;
  /** Until when the server asked to wait, ms since 1970; null: it did not. */
  waitUntil: number | null;
}

export const noActivity: SharedActivity = {
  phase: 'idle',
  progress: null,
  connected: false,
  lastSyncedAt: null,
  interference: null,
  tooOld: null,
  waitUntil: null,
};

const stored = z.object({
  phase: z.enum(['first-sync', 'syncing', 'idle']).catch('idle'),
  progress: z.object({ received: z.number(), total: z.number() }).nullable().catch(null),
  connected: z.boolean().catch(false),
  lastSyncedAt: z.number().nullable().catch(null),
  interference: z
    .object({
      at: z.number(),
      status: z.number(),
      contentType: z.string(),
      excerpt: z.string(),
      path: z.string(),
    })
    .nullable()
    .catch(null),
  tooOld: z.enum(['app', 'server']).nullable().catch(null),
  waitUntil: z.number().nullable().catch(null),
});

/** The same as another tab, or an earlier start, stored it: what cannot be read of it is not known. */
export function readActivity(value: unknown): SharedActivity {
  return stored.safeParse(value).data ?? noActivity;
}

/** Everything the state of sync follows from. */
export interface SyncInputs {
  isOnline: boolean;
  activity: SharedActivity;
  /** How many calls are in a state: the state of sync is asked for more often than all calls can be looked at. */
  calls: Pick<Calls, 'count'>;
  session: Session;
  /** Guides and pages that left with something unsent of the person's. */
  kept?: number;
  trouble: Trouble | null;
}

/** The truth of the status line. */
export function syncStateOf({
  isOnline,
  activity,
  calls,
  session,
  trouble,
  kept = 0,
}: SyncInputs): SyncState {
  const pending = pendingOf(calls);
  const isSending = calls.count('sending') > 0;
  const phase = activity.phase === 'idle' && isSending ? 'syncing' : activity.phase;
  return Object.freeze({
    connection: isOnline ? 'online' : 'offline',
    phase: isOnline || phase === 'first-sync' ? phase : 'idle',
    progress: activity.progress,
    lastSyncedAt: activity.lastSyncedAt,
    pending,
    parked: calls.count('parked') + kept,
    conflicts: calls.count('conflict'),
    needsSignIn: session.status === 'expired',
    interference: activity.interference,
    tooOld: activity.tooOld,
    waitUntil: activity.waitUntil,
    trouble: trouble?.words ?? null,
    troubleDetail: trouble?.detail ?? null,
  });
}

/** Whether device and server are equal: nothing waits, and nothing can move unseen. */
export function isEqual(activity: Activity, calls: Pick<Calls, 'count'>): boolean {
  return activity.connected && activity.phase === 'idle' && pendingOf(calls) === 0;
}

/** Calls that are not yet on the server and do not wait for a person. */
function pendingOf(calls: Pick<Calls, 'count'>): number {
  return calls.count('queued') + calls.count('sending');
}
