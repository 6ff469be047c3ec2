import type { Activity } from './mirror/replicator.ts';
import type { Interference } from './own-answer.ts';
import type { OutboxCall } from './ports.ts';
import type { Trouble } from './trouble.ts';
import type { Session, SyncState } from './views/sync-records.ts';

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

/** Everything the state of sync follows from. */
export interface SyncInputs {
  isOnline: boolean;
  activity: SharedActivity;
  calls: readonly OutboxCall[];
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
  const pending = calls.filter(isPending).length;
  const isSending = calls.some(({ state }) => state === 'sending');
  const phase = activity.phase === 'idle' && isSending ? 'syncing' : activity.phase;
  return Object.freeze({
    connection: isOnline ? 'online' : 'offline',
    phase: isOnline || phase === 'first-sync' ? phase : 'idle',
    progress: activity.progress,
    lastSyncedAt: activity.lastSyncedAt,
    pending,
    parked: calls.filter(({ state }) => state === 'parked').length + kept,
    conflicts: calls.filter(({ state }) => state === 'conflict').length,
    needsSignIn: session.status === 'expired',
    interference: activity.interference,
    tooOld: activity.tooOld,
    waitUntil: activity.waitUntil,
    trouble: trouble?.words ?? null,
    troubleDetail: trouble?.detail ?? null,
  });
}

/** Whether device and server are equal: nothing waits, and nothing can move unseen. */
export function isEqual(activity: Activity, calls: readonly OutboxCall[]): boolean {
  return activity.connected && activity.phase === 'idle' && !calls.some(isPending);
}

/** Not yet on the server and not waiting for a person. */
export function isPending({ state }: OutboxCall): boolean {
  return state === 'queued' || state === 'sending';
}
