import type { EntryFacts } from '#shared/model/work-log.ts';
import type { Context } from '#server/core/context.ts';
import { findDocument, type Principal } from '#server/storage/feed.ts';

import { entryAudience } from './access.ts';

/** The audience of an entry with its present guide. */
export async function audienceOfEntry(ctx: Context, entry: EntryFacts): Promise<Principal[]> {
  const guide = await findDocument(ctx.db, 'guides', entry.guideid);
  return entryAudience({ entry, guide });
}
