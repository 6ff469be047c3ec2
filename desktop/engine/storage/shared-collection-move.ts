import { getAllCollectionDocuments, type RxCollection, type RxDatabase } from 'rxdb';

import { must } from '#shared/must.ts';

import { mirrorSchemas, plainSchema, sharedCollection } from './mirror-collections.ts';
import {
  MirrorRecords,
  type MirrorCollection,
  type StoredData,
  type StoredRecord,
} from './mirror-records.ts';

/** Kinds that had a collection of RxDB of their own in earlier versions of the app, under their name. */
const moved = ['people', 'viewer', 'training'] as const;

/**
 * Moves the records of these kinds into the shared collection and removes their own, so that an app that was updated
 * offline still has them. Each kind moves in one transaction, with its counter (MIRROR-20). A kind of which the shared
 * collection already has records was loaded there, and may since have lost records: only its old collection is removed.
 *
 * @param database Without open collections; no other tab may have it open.
 */
export async function moveIntoSharedCollection(database: RxDatabase): Promise<void> {
  const present = new Set(
    (await getAllCollectionDocuments(database.internalStore)).map(({ data }) => data.name),
  );
  const left = moved.filter((kind) => present.has(kind));
  if (left.length === 0) return;
  const shared = await opened(database, sharedCollection, mirrorSchemas[sharedCollection]);
  for (const kind of left) {
    const own = await opened(database, kind, plainSchema);
    const all: StoredData[] = [];
    for await (const record of new MirrorRecords(kind, own, false).everything()) all.push(record);
    const records = new MirrorRecords(kind, shared, true);
    if (all.length > 0 && (await records.isBlank())) await records.write(all, new Map());
    await own.remove();
  }
  await shared.close();
}

async function opened(
  database: RxDatabase,
  name: string,
  schema: typeof plainSchema | undefined,
): Promise<MirrorCollection> {
  const added = await database.addCollections({ [name]: { schema: must(schema, name) } });
  return must(added[name] as RxCollection<StoredRecord> | undefined, name);
}
