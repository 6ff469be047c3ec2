import type { StorageState, SyncState, WaitingElsewhere } from '#desktop/engine/api/sync-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatNumber, formatSince, formatTime } from '#desktop/renderer/text/format.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';

export interface StatusWords {
  tone: 'ok' | 'neutral' | 'warn' | 'danger';
  words: string;
  href: '/sync' | '/sign-in';
}

/** What comes before all else: new work cannot be stored. Null: it can. */
export function storageStatus({ journal, readsWait, insecure }: StorageState): StatusWords | null {
  const { safety } = text.sync;
  // A page of its own explains this.
  if (insecure) return null;
  if (journal === 'full') return { tone: 'danger', words: safety.diskFull, href: '/sync' };
  if (journal === 'none') return { tone: 'danger', words: safety.nothingKept, href: '/sync' };
  return readsWait ? { tone: 'danger', words: safety.readsWait, href: '/sync' } : null;
}

/**
 * The words of the sync status, by priority: what needs the person, what waits for the network, then the age of the
 * data. Work that waits for other servers or accounts is added if nothing else waits.
 */
export function statusOf(sync: SyncState, elsewhere: readonly WaitingElsewhere[], now: number): StatusWords {
  const status = ownStatus(sync, now);
  const isFree = sync.conflicts === 0 && sync.parked === 0 && sync.pending === 0 && !sync.needsSignIn;
  if (elsewhere.length === 0 || !isFree || sync.trouble !== null) return status;
  const changes = elsewhere.reduce((sum, waiting) => sum + waiting.changes, 0);
  const [only] = elsewhere;
  const server = elsewhere.length === 1 ? (only?.server ?? null) : null;
  return { tone: 'warn', words: text.status.elsewhere(status.words, changes, server), href: '/sync' };
}

function ownStatus(sync: SyncState, now: number): StatusWords {
  const { tone, words, href = '/sync' } = online(sync, now);
  const isTold = sync.trouble !== null || sync.interference !== null;
  const offline = sync.connection === 'offline' && !isTold;
  if (!offline) return { tone, words, href };
  if (sync.conflicts > 0 || sync.parked > 0) return { tone, words: text.status.offline(words), href };
  return { tone: 'warn', words: text.status.offline(offlineWords(sync, now)), href };
}

function online(sync: SyncState, now: number): Omit<StatusWords, 'href'> & { href?: StatusWords['href'] } {
  if (sync.trouble !== null) return { tone: 'danger', words: refusedWords(sync.trouble) };
  if (sync.tooOld !== null) return { tone: 'warn', words: text.status.tooOld[sync.tooOld] };
  if (sync.conflicts > 0) return { tone: 'danger', words: text.status.decisions(sync.conflicts) };
  if (sync.parked > 0) return { tone: 'danger', words: text.status.parked(sync.parked) };
  if (sync.needsSignIn) {
    const words = sync.pending > 0 ? text.status.signInToSend(sync.pending) : text.status.signIn;
    return { tone: 'warn', words, href: '/sign-in' };
  }
  if (sync.interference !== null) return { tone: 'warn', words: blockedWords(sync) };
  if (sync.waitUntil !== null) return { tone: 'warn', words: waitWords(formatTime(sync.waitUntil), sync) };
  if (sync.phase === 'first-sync') return { tone: 'neutral', words: firstSyncWords(sync) };
  if (sync.phase === 'syncing') {
    return {
      tone: 'neutral',
      words: sync.pending > 0 ? text.status.sending(sync.pending) : text.status.syncing,
    };
  }
  if (sync.pending > 0) return { tone: 'warn', words: text.status.waiting(sync.pending) };
  if (sync.lastSyncedAt === null) return { tone: 'neutral', words: text.status.neverSynced };
  return { tone: 'ok', words: text.status.synced(formatSince(sync.lastSyncedAt, now)) };
}

function blockedWords({ pending }: SyncState): string {
  return pending > 0 ? text.status.blockedWith(pending) : text.status.blocked;
}

function waitWords(time: string, { pending }: SyncState): string {
  return pending > 0 ? text.status.askedWith(time, pending) : text.status.asked(time);
}

function offlineWords({ pending, lastSyncedAt }: SyncState, now: number): string {
  if (pending > 0) return text.status.savedHere(pending);
  return lastSyncedAt === null
    ? text.status.nothingSynced
    : text.status.lastSynced(formatSince(lastSyncedAt, now));
}

function firstSyncWords({ progress }: SyncState): string {
  if (progress === null) return text.status.firstSync;
  return text.status.firstSyncOf(formatNumber(progress.received), formatNumber(progress.total));
}
