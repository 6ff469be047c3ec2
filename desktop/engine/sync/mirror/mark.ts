import { type Observable, distinctUntilChanged, map, switchMap } from 'rxjs';
import { z } from 'zod';

import {
  collectionName,
  collectionNames,
  collectionsOfFive,
  type SyncedCollection,
} from '#shared/sync/wire.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import { mirrorOf, type EngineDatabase } from '#desktop/engine/storage/database.ts';
import { localDocument } from '#desktop/engine/storage/local-document.ts';
import { haveAll } from './mirror-writer.ts';

/** How far a load of the whole mirror is. Stored with each batch, so that a load that was cut can continue (MIRROR-8). */
const loadCursor = z.object({
  /** The checkpoint at which the load began; pulling continues there when the load is complete. */
  place: z.string(),
  history: z.string(),
  /** Every record up to this seq is stored. */
  after: z.int(),
  /** How many records have been stored. */
  received: z.int(),
  /** The mirror was empty when the load began, so that every record in it is one that the load brought. */
  isFresh: z.boolean(),
  /** How many lists of seen ids are stored. */
  lists: z.int(),
  /**
   * Set while a load uses packs. `after` is 0 then, so that an earlier version of the app, which knows no packs, loads
   * everything again.
   */
  packs: z
    .object({
      /** The selection of the head, and the seq of the last record of its stream that is stored. */
      selection: z.string(),
      after: z.int(),
      /** Hashes of the packs whose records are stored. */
      done: z.array(z.string()),
    })
    .optional(),
});
export type LoadCursor = z.infer<typeof loadCursor>;

const mark = z.object({
  /** `loading`: not complete; the load must begin or continue (MIRROR-2, MIRROR-8). */
  state: z.enum(['loading', 'ready']),
  /** The checkpoint up to which the mirror is complete; '' while it is loading. */
  place: z.string(),
  history: z.string(),
  /** Set while the mirror is rebuilt after a change of history. */
  isRebuild: z.boolean(),
  /** How often each kind had been written; earlier versions of the app did not count. */
  writes: z
    .object({ loadId: z.string(), counts: z.partialRecord(collectionName, z.int()) })
    .default({ loadId: '', counts: {} }),
  /** The kinds of records of which the mirror has every row up to the checkpoint (MIRROR-23). */
  kinds: z.array(z.string()).default([...collectionsOfFive]),
  /** How far the load is; absent before its first records are stored. */
  load: loadCursor.optional().catch(undefined),
});
/** What the database stores about the mirror as a whole. */
export type Mark = z.infer<typeof mark>;

const markId = 'mirror';

/**
 * Reads the mark; null where there is none, or none that can be read. If the records do not have all writes that the mark
 * counts, the result says `loading` and has no load to continue (MIRROR-20).
 */
export async function readMark(database: EngineDatabase): Promise<Mark | null> {
  const stored = await database.getLocal<object>(markId);
  const { data } = mark.safeParse(stored?.toJSON().data);
  if (data === undefined) return null;
  return (await haveAll(mirrorOf(database), data.writes))
    ? data
    : { ...data, state: 'loading', load: undefined };
}

/** The kinds that the app got by an update since the mirror was loaded: their earlier rows were ignored (MIRROR-23). */
export function newKinds({ kinds }: Mark): SyncedCollection[] {
  return collectionNames.filter((name) => !kinds.includes(name));
}

/**
 * Whether the mirror has every record of every kind, now and after each change in any tab. A mirror that cannot be read
 * counts as incomplete.
 */
export function completeness(database: EngineDatabase): Observable<boolean> {
  return localDocument(database, markId).pipe(
    map((stored) => {
      const { data } = mark.safeParse(stored);
      return data === undefined ? null : { state: data.state, isRebuild: data.isRebuild, kinds: data.kinds };
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
    switchMap(() => readMark(database).catch(() => null)),
    map((read) => read?.state === 'ready' && !read.isRebuild && newKinds(read).length === 0),
    distinctUntilChanged(),
  );
}

/** What writing a mark needs of a database. */
export interface MarkStore {
  upsertLocal(id: string, data: Mark): Promise<unknown>;
}

/** Stores the mark. All writes that `next` counts must be stored before. */
export async function writeMark(database: MarkStore, next: Mark): Promise<void> {
  await database.upsertLocal(markId, next);
}
