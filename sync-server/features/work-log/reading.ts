import type { GuideFacts } from '#shared/model/guide.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import type { Context } from '#server/core/context.ts';
import { findDocument } from '#server/storage/feed.ts';

/** What one call has read: its gate, its effect and its answer ask for the same entry and the same guide. */
interface Read {
  entries: Map<number, EntryFacts>;
  guides: Map<number, GuideFacts>;
}

const reads = new WeakMap<Context, Read>();

function readBy(ctx: Context): Read {
  const read = reads.get(ctx) ?? { entries: new Map(), guides: new Map() };
  reads.set(ctx, read);
  return read;
}

/** The entry, whoever may see it. */
export async function readEntry(ctx: Context, entryid: number): Promise<EntryFacts | undefined> {
  const { entries } = readBy(ctx);
  const known = entries.get(entryid) ?? (await findDocument(ctx.db, 'workLog', entryid));
  if (known !== undefined) entries.set(entryid, known);
  return known;
}

/** The guide of an entry, whoever may see it. No call of the work log changes a guide. */
export async function readGuide(ctx: Context, guideid: number): Promise<GuideFacts | undefined> {
  const { guides } = readBy(ctx);
  const known = guides.get(guideid) ?? (await findDocument(ctx.db, 'guides', guideid));
  if (known !== undefined) guides.set(guideid, known);
  return known;
}

/** The call changes the entry: it is read anew from now on. */
export function forgetEntry(ctx: Context, entryid: number): void {
  readBy(ctx).entries.delete(entryid);
}
