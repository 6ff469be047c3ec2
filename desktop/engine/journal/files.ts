import { z } from 'zod';

import { sha256 } from './bytes.ts';
import type { JournalFile } from './journal.ts';
import type { JournalState } from './replay.ts';
import { JournalError, type JournalStore } from './store.ts';

const storedFile = z.strictObject({
  /** The store's name of the file. */
  stored: z.string(),
  type: z.string(),
  name: z.string(),
  size: z.int().nonnegative(),
  sha256: z.string(),
});

/** What the journal's `files` collection says of a file beside it. */
export type StoredFile = z.infer<typeof storedFile>;

export function findFile(state: JournalState, id: string): StoredFile | undefined {
  const entry = state.entries.files.get(id);
  return entry === undefined ? undefined : storedFile.parse(entry.value);
}

export function listStoredFiles(state: JournalState): Map<string, StoredFile> {
  return new Map([...state.entries.files].map(([id, { value }]) => [id, storedFile.parse(value)]));
}

export function toJournalFile(id: string, file: StoredFile): JournalFile {
  return { id, type: file.type, name: file.name, size: file.size, sha256: file.sha256 };
}

export async function readStoredFile(
  store: JournalStore,
  state: JournalState,
  id: string,
): Promise<JournalFile & { bytes: Uint8Array }> {
  const file = findFile(state, id);
  const bytes = file === undefined ? undefined : await store.read(file.stored);
  if (file === undefined || bytes === undefined)
    throw new JournalError('missing', `No file ${id} in the journal`);
  if ((await sha256(bytes)) !== file.sha256) {
    throw new JournalError('damaged', `The file ${id} no longer has the bytes that were saved`);
  }
  return { ...toJournalFile(id, file), bytes };
}
