import type { Cipher } from '../platform/cipher.ts';
import { withBytes } from './bytes.ts';
import { keptFile, listStoredFiles, readStored, toJournalFile } from './files.ts';
import type { JournalHealth } from './journal.ts';
import type { JournalState } from './state.ts';
import type { JournalStore } from './store.ts';

/**
 * The journal as files, by path: `journal.json` (health, current values, index of files) and, under `store/`, every
 * file of the store in its stored form, damaged or not. Files that were encrypted as a whole are decrypted.
 */
export async function exportJournal(
  store: JournalStore,
  state: JournalState,
  health: JournalHealth,
  exportedAt: number,
  cipher?: Cipher,
): Promise<Record<string, Uint8Array>> {
  const values = (collection: 'outbox' | 'drafts' | 'meta'): Record<string, unknown> =>
    Object.fromEntries([...state.entries[collection]].map(([id, { value }]) => [id, value]));
  const files = [...listStoredFiles(state)].map(([id, file]) => ({
    ...toJournalFile(id, file),
    path: `store/${file.stored}`,
  }));
  const summary = {
    exportedAt: new Date(exportedAt).toISOString(),
    health,
    outbox: values('outbox'),
    drafts: values('drafts'),
    meta: values('meta'),
    files,
  };
  const text = JSON.stringify(summary, withBytes, 2);
  const all: Record<string, Uint8Array> = { 'journal.json': new TextEncoder().encode(text) };
  const named = new Map([...listStoredFiles(state).values()].map((file) => [file.stored, file]));
  for (const name of await store.list()) {
    const file = named.get(name) ?? keptFile(name);
    const opened = file === undefined ? undefined : readStored(store, file, cipher).catch(() => undefined);
    // A file that cannot be read is left out, so that the others are exported.
    const bytes = (await opened) ?? (await store.read(name).catch(() => undefined));
    if (bytes !== undefined) all[`store/${name}`] = bytes;
  }
  return all;
}
