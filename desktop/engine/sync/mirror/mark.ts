import { z } from 'zod';

import type { EngineDatabase } from '#desktop/engine/storage/database.ts';

/** How far a load of the whole mirror has come. Kept with what it stored, so that a load that was cut goes on (M8). */
const loadCursor = z.object({
  /** The place in the feed at which the load began: pulling goes on from there when it is complete. */
  place: z.string(),
  history: z.string(),
  /** Every record up to this seq is stored. */
  after: z.int(),
  /** How many records have been stored. */
  received: z.int(),
  /** The mirror was empty when the load began, so that nothing is there but what the load brought. */
  isFresh: z.boolean(),
  /** How many lists of seen ids are kept. */
  lists: z.int(),
});
export type LoadCursor = z.infer<typeof loadCursor>;

const mark = z.object({
  /** `loading`: not complete; the load goes on or begins (M2, M8). */
  state: z.enum(['loading', 'ready']),
  place: z.string(),
  history: z.string(),
  /** Set while the mirror is rebuilt after a change of history. */
  isRebuild: z.boolean(),
  /** How far the load has come; none before its first records are stored. */
  load: loadCursor.optional().catch(undefined),
});
/** What the database remembers of the mirror as a whole. */
export type Mark = z.infer<typeof mark>;

const markId = 'mirror';

/** Null: there is none, or none that can be read: the mirror is loaded anew. */
export async function readMark(database: EngineDatabase): Promise<Mark | null> {
  const stored = await database.getLocal<object>(markId);
  return mark.safeParse(stored?.toJSON().data).data ?? null;
}

export async function writeMark(database: EngineDatabase, next: Mark): Promise<void> {
  await database.upsertLocal<Mark>(markId, next);
}
