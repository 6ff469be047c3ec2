import { z } from 'zod';

import { collectionName } from '#shared/sync/wire.ts';

import { mirrorOf, type EngineDatabase } from '#desktop/engine/storage/database.ts';
import { haveAll } from './mirror-writer.ts';

/** How far a load of the whole mirror has come. Kept with what it stored, so that a load that was cut goes on (MIRROR-8). */
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
  /** `loading`: not complete; the load goes on or begins (MIRROR-2, MIRROR-8). */
  state: z.enum(['loading', 'ready']),
  place: z.string(),
  history: z.string(),
  /** Set while the mirror is rebuilt after a change of history. */
  isRebuild: z.boolean(),
  /** How often each collection had been written; earlier versions of the app did not count. */
  writes: z
    .object({ loadId: z.string(), counts: z.partialRecord(collectionName, z.int()) })
    .default({ loadId: '', counts: {} }),
  /** How far the load has come; none before its first records are stored. */
  load: loadCursor.optional().catch(undefined),
});
/** What the database remembers of the mirror as a whole. */
export type Mark = z.infer<typeof mark>;

const markId = 'mirror';

/**
 * Null: there is none, or none that can be read: the mirror is loaded anew. So is one whose collections do not have what
 * the mark counts: it says `loading`, and names no load to go on with (MIRROR-20).
 */
export async function readMark(database: EngineDatabase): Promise<Mark | null> {
  const stored = await database.getLocal<object>(markId);
  const { data } = mark.safeParse(stored?.toJSON().data);
  if (data === undefined) return null;
  return (await haveAll(mirrorOf(database), data.writes))
    ? data
    : { ...data, state: 'loading', load: undefined };
}

/** Everything that `next` counts must be stored. */
export async function writeMark(database: EngineDatabase, next: Mark): Promise<void> {
  await database.upsertLocal<Mark>(markId, next);
}
