import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import type { Journal, JournalRecord } from '#desktop/engine/journal/journal.ts';
import type { JournalStore } from '#desktop/engine/journal/store.ts';

/** Opens a journal with a fixed clock and counted ids. */
export function open(store: JournalStore, session = 0): Promise<Journal> {
  let ids = 0;
  return openJournal(store, {
    now: () => Date.UTC(2026, 10, 21),
    uuid: () => {
      ids += 1;
      return `${String(session)}-${String(ids)}`;
    },
  });
}

export function put(
  id: string,
  value: unknown,
  collection: 'outbox' | 'drafts' | 'meta' = 'outbox',
): JournalRecord {
  return { op: 'put', collection, id, value };
}

/** The outbox as a plain object. */
export async function outboxOf(journal: Journal): Promise<Record<string, unknown>> {
  return Object.fromEntries((await journal.entries()).outbox);
}
