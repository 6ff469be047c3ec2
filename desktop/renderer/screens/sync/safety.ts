import type { Interference, StorageState, SyncState } from '#desktop/engine/api/sync-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatTime } from '#desktop/renderer/text/format.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';

export interface Safety {
  tone: 'ok' | 'neutral' | 'warn' | 'danger';
  /** The answer. */
  words: string;
  hint: string;
  /** Technical details for support. */
  detail?: string;
}

/**
 * Whether the person's work is safe. Priority: dangers, then what needs the person, then what waits by itself.
 * `elsewhere`: number of changes on this device that wait for other servers or accounts.
 */
export function safetyOf(sync: SyncState, storage: StorageState, elsewhere: number): Safety {
  const { safety } = text.sync;
  if (storage.insecure) return { tone: 'danger', words: safety.insecure, hint: safety.insecureHint };
  if (storage.journal === 'none')
    return {
      tone: 'danger',
      words: safety.nothingKept,
      hint: sync.trouble === null ? safety.nothingKeptHint : refusedWords(sync.trouble),
    };
  if (storage.journal === 'full')
    return { tone: 'danger', words: safety.diskFull, hint: safety.diskFullHint };
  if (storage.readsWait) return { tone: 'danger', words: safety.readsWait, hint: safety.readsWaitHint };
  if (sync.trouble !== null)
    return {
      tone: 'danger',
      words: safety.trouble,
      hint: refusedWords(sync.trouble),
      ...detailOf(sync.troubleDetail),
    };
  if (sync.tooOld !== null)
    return { tone: 'warn', words: safety.tooOld[sync.tooOld], hint: safety.tooOldHint[sync.tooOld] };
  if (sync.conflicts > 0)
    return { tone: 'danger', words: safety.decisions(sync.conflicts), hint: safety.decisionsHint };
  if (sync.parked > 0) return { tone: 'danger', words: safety.parked(sync.parked), hint: safety.parkedHint };
  if (sync.interference !== null) return blocked(sync, sync.interference);
  if (sync.pending > 0) return { tone: 'warn', words: safety.onDevice, hint: waitHint(sync) };
  if (sync.phase === 'first-sync')
    return { tone: 'neutral', words: safety.firstSync, hint: safety.firstSyncHint };
  if (sync.lastSyncedAt === null) return { tone: 'neutral', words: safety.never, hint: safety.neverHint };
  if (elsewhere > 0) return { tone: 'warn', words: safety.elsewhere(elsewhere), hint: safety.elsewhereHint };
  const hint = sync.connection === 'offline' ? safety.offlineHint : safety.onServerHint;
  return { tone: 'ok', words: safety.onServer, hint };
}

function blocked({ pending }: SyncState, { status, path, excerpt }: Interference): Safety {
  const { safety } = text.sync;
  return {
    tone: 'warn',
    words: pending > 0 ? safety.onDevice : safety.blocked,
    hint: safety.blockedHint,
    ...detailOf(`${status} ${path} ${excerpt}`.trim()),
  };
}

function detailOf(detail: string | null): { detail?: string } {
  return detail === null ? {} : { detail };
}

function waitHint({ pending, needsSignIn, connection, waitUntil }: SyncState): string {
  const { safety } = text.sync;
  if (needsSignIn) return safety.waitsForSignIn(pending);
  if (waitUntil !== null) return safety.askedToWait(formatTime(waitUntil));
  return connection === 'offline' ? safety.waitsForNetwork(pending) : safety.onTheWay(pending);
}
