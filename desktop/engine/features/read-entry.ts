import { notFound } from '#shared/api/problem.ts';

import type { ActionContext } from './action-context.ts';
import { type LocalEntry, overlayEntry } from './records/overlay/entry.ts';

/** A work order as this device shows it. Throws `Problem` not-found. */
export async function readEntry(context: ActionContext, entryid: string): Promise<LocalEntry> {
  const id = context.resolve(entryid);
  const record = id.startsWith('tmp:') ? null : await context.sources.core.mirror.get('workLog', id);
  const entry = overlayEntry(id, record, context.sources.core.outbox.about('workLog', id));
  if (entry === null) throw notFound('Work log entry', 'Work order');
  return entry;
}
