import { IpcError } from '#desktop/ipc.ts';
import { JournalError, type JournalStore } from '#desktop/engine/journal/store.ts';

import type { Bridge } from './bridge.ts';

/** Opens a journal whose files the main process stores. A page that had it open before loses access. */
export async function openFileJournalStore(bridge: Bridge, name: string): Promise<JournalStore> {
  const lease = await translated(bridge.journalOpen(name));
  return {
    durability: 'file',
    list: () => translated(bridge.journalList(lease)),
    read: (file) => translated(bridge.journalRead(lease, file)),
    append: (file, at, bytes) => translated(bridge.journalAppend(lease, file, at, bytes)),
    write: (file, bytes) => translated(bridge.journalWrite(lease, file, bytes)),
    remove: (file) => translated(bridge.journalRemove(lease, file)),
    releaseBallast: () => translated(bridge.journalReleaseBallast(lease)),
    reserveBallast: () => translated(bridge.journalReserveBallast(lease)),
    close: () => translated(bridge.journalClose(lease)),
  };
}

export async function translated<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    const kind = cause instanceof IpcError ? cause.kind : 'unavailable';
    const known = kind === 'no-space' || kind === 'sync-failed' ? kind : 'unavailable';
    throw new JournalError(known, cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
