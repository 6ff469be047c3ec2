import { IpcError } from '#desktop/ipc.ts';
import { JournalError, type JournalStore } from '#desktop/engine/journal/store.ts';

import type { Bridge } from './bridge.ts';

/** Opens a journal whose files the main process stores. A page that had it open before loses access. */
export async function openFileJournalStore(bridge: Bridge, name: string): Promise<JournalStore> {
  const lease = await withJournalErrors(bridge.journalOpen(name));
  return {
    durability: 'file',
    list: () => withJournalErrors(bridge.journalList(lease)),
    read: (file) => withJournalErrors(bridge.journalRead(lease, file)),
    append: (file, at, bytes) => withJournalErrors(bridge.journalAppend(lease, file, at, bytes)),
    write: (file, bytes) => withJournalErrors(bridge.journalWrite(lease, file, bytes)),
    remove: (file) => withJournalErrors(bridge.journalRemove(lease, file)),
    releaseBallast: () => withJournalErrors(bridge.journalReleaseBallast(lease)),
    reserveBallast: () => withJournalErrors(bridge.journalReserveBallast(lease)),
    close: () => withJournalErrors(bridge.journalClose(lease)),
  };
}

/** Turns errors of an IPC call into `JournalError`s. */
export async function withJournalErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    const kind = cause instanceof IpcError ? cause.kind : 'unavailable';
    const known = kind === 'no-space' || kind === 'sync-failed' ? kind : 'unavailable';
    throw new JournalError(known, cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
