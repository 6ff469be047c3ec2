import { z } from 'zod';

import type { Activity } from '../sync/mirror/replicator.ts';
import type { Interference, Session, SyncState } from '../api/sync-records.ts';
import type { Calls } from '../outbox/calls.ts';
import type { Trouble } from '../sync/trouble.ts';

/** State of the leading tab for other tabs and the next start, stored as a local document of the database. */
export interface SharedActivity extends Activity {
  lastSyncedAt: number | null;
  /** The latest foreign answer; null: there is none. */
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

/** Reads the activity that another tab or an earlier start stored; unreadable parts get their defaults. */
export function readActivity(value: unknown): SharedActivity {
  return stored.safeParse(value).data ?? noActivity;
}

/** Everything that the state of sync is derived from. */
export interface SyncInputs {
  isOnline: boolean;
  activity: SharedActivity;
  /** Counts calls by state: looking at all calls would take too long, since the state of sync is computed often. */
  calls: Pick<Calls, 'count'>;
  session: Session;
  /** Number of guides and pages that the person can no longer see and for which they have unsent words. */
  kept?: number;
  trouble: Trouble | null;
}

/** The state of sync that the status line shows. */
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

/** Whether device and server are equal: no call waits, and the event stream would report any change. */
export function isEqual(activity: Activity, calls: Pick<Calls, 'count'>): boolean {
  return activity.connected && activity.phase === 'idle' && pendingOf(calls) === 0;
}

/** Calls that are not yet on the server and do not wait for a person. */
function pendingOf(calls: Pick<Calls, 'count'>): number {
  return calls.count('queued') + calls.count('sending');
}
