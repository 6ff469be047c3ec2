import type { StorageState, SyncState } from '#desktop/engine/views/sync-records.ts';
import { text } from '#desktop/renderer/text/en.ts';

export interface Safety {
  tone: 'ok' | 'neutral' | 'warn' | 'danger';
  /** The answer. */
  words: string;
  hint: string;
}

/** Is my work safe? What endangers it comes first, then what waits for the person, then what waits by itself. */
export function safetyOf(sync: SyncState, storage: StorageState): Safety {
  const { safety } = text.sync;
  if (storage.insecure) return { tone: 'danger', words: safety.insecure, hint: safety.insecureHint };
  if (storage.journal === 'none')
    return { tone: 'danger', words: safety.nothingKept, hint: sync.trouble ?? safety.nothingKeptHint };
  if (sync.trouble !== null) return { tone: 'danger', words: safety.trouble, hint: sync.trouble };
  if (sync.conflicts > 0)
    return { tone: 'danger', words: safety.decisions(sync.conflicts), hint: safety.decisionsHint };
  if (sync.parked > 0) return { tone: 'danger', words: safety.parked(sync.parked), hint: safety.parkedHint };
  if (sync.pending > 0) return { tone: 'warn', words: safety.onDevice, hint: waitHint(sync) };
  if (sync.phase === 'first-sync')
    return { tone: 'neutral', words: safety.firstSync, hint: safety.firstSyncHint };
  if (sync.lastSyncedAt === null) return { tone: 'neutral', words: safety.never, hint: safety.neverHint };
  const hint = sync.connection === 'offline' ? safety.offlineHint : safety.onServerHint;
  return { tone: 'ok', words: safety.onServer, hint };
}

function waitHint({ pending, needsSignIn, connection }: SyncState): string {
  const { safety } = text.sync;
  if (needsSignIn) return safety.waitsForSignIn(pending);
  return connection === 'offline' ? safety.waitsForNetwork(pending) : safety.onTheWay(pending);
}
