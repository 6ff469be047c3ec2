import { withBytes } from './bytes.ts';
import { listStoredFiles, toJournalFile } from './files.ts';
import type { JournalHealth } from './journal.ts';
import type { JournalState } from './state.ts';
import type { JournalStore } from './store.ts';

/**
 * The journal as files, by path: `journal.json` (health, current values, index of files) and, under `store/`, every
 * file of the store in its stored form, damaged or not.
 */
export async function exportJournal(
  store: JournalStore,
  state: JournalState,
  health: JournalHealth,
  exportedAt: number,
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
  for (const name of await store.list()) {
    // A file that cannot be read is left out, so that the others are exported.
    const bytes = await store.read(name).catch(() => undefined);
    if (bytes !== undefined) all[`store/${name}`] = bytes;
  }
  return all;
}
