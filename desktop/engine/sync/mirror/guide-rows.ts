import { getHeightOfRevision, normalizeMangoQuery, prepareQuery, type RxDocumentData } from 'rxdb';
import { Observable } from 'rxjs';

import type { GuideRow } from '#desktop/engine/platform/ports.ts';
import {
  isCounter,
  type MirrorCollection,
  type StoredRecord,
} from '#desktop/engine/storage/mirror-collections.ts';

/**
 * The shallow rows of all guides. Read past RxDB's document cache, which would hold every body; afterwards kept up to
 * date from the collection's events, those of other tabs included.
 */
export function guideRowsOf(collection: MirrorCollection): Observable<GuideRow[]> {
  return new Observable((subscriber) => {
    const rows = new Map<string, GuideRow>();
    const removed = new Set<string>();
    let isLoaded = false;
    // Not by seq: a restored server begins again at a lower one.
    const heights = new Map<string, number>();
    const apply = (record: RxDocumentData<StoredRecord>, isRemoved: boolean): void => {
      const height = getHeightOfRevision(record._rev);
      if ((heights.get(record.id) ?? 0) > height) return;
      heights.set(record.id, height);
      if (isRemoved) {
        rows.delete(record.id);
        heights.delete(record.id);
        if (!isLoaded) removed.add(record.id);
      } else rows.set(record.id, toGuideRow(record));
    };
    const events = collection.eventBulks$.subscribe((bulk) => {
      for (const { documentData, operation } of bulk.events)
        if (!isCounter(documentData))
          apply(documentData as RxDocumentData<StoredRecord>, operation === 'DELETE');
      if (isLoaded) subscriber.next([...rows.values()]);
    });
    const load = async (): Promise<void> => {
      for await (const record of allRecords(collection)) {
        if (subscriber.closed) return;
        if (!removed.has(record.id) && !rows.has(record.id)) rows.set(record.id, toGuideRow(record));
      }
      isLoaded = true;
      subscriber.next([...rows.values()]);
    };
    load().catch((error: unknown) => subscriber.error(error));
    return () => events.unsubscribe();
  });
}

/** All records of a collection, past every cache. */
export async function* allRecords(collection: MirrorCollection): AsyncGenerator<StoredRecord> {
  for await (const record of everything(collection)) if (!record._deleted && !isCounter(record)) yield record;
}

/** Whether nothing is in a collection, not even what removed records leave. */
export async function isBlank(collection: MirrorCollection): Promise<boolean> {
  return (await everything(collection, '', 1).next()).done === true;
}

/** All records of a collection with an id after `after`, those that were removed and that count its writes included. */
export async function* everything(
  { schema, storageInstance }: MirrorCollection,
  after = '',
  pageSize = 1000,
): AsyncGenerator<RxDocumentData<StoredRecord>> {
  for (let last = after; ;) {
    const query = normalizeMangoQuery(schema.jsonSchema, {
      selector: { id: { $gt: last } },
      sort: [{ id: 'asc' }],
      limit: pageSize,
    });
    const { documents } = await storageInstance.query(prepareQuery(schema.jsonSchema, query));
    yield* documents;
    if (documents.length < pageSize) return;
    last = documents.at(-1)?.id ?? last;
  }
}

function toGuideRow(record: StoredRecord): GuideRow {
  return {
    id: record.id,
    seq: record.seq,
    title: record.title ?? '',
    category: record.category ?? '',
    type: record.type ?? '',
    summary: record.summary ?? '',
    difficulty: record.difficulty ?? '',
    timeRequired: record.timeRequired ?? 0,
    steps: record.steps ?? 0,
    imageGuid: record.imageGuid ?? '',
    public: record.public ?? false,
    userid: record.userid ?? 0,
    modifiedAt: record.modifiedAt ?? 0,
  };
}
