import { getHeightOfRevision, normalizeMangoQuery, prepareQuery, type RxDocumentData } from 'rxdb';
import { Observable } from 'rxjs';

import type { GuideRow } from '#desktop/engine/platform/ports.ts';
import type { MirrorCollection, StoredRecord } from '#desktop/engine/storage/mirror-collections.ts';

/** Guides read at a time; their bodies are let go at once. */
const pageSize = 1000;

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
export async function* allRecords({
  schema,
  storageInstance,
}: MirrorCollection): AsyncGenerator<StoredRecord> {
  for (let after = ''; ;) {
    const query = normalizeMangoQuery(schema.jsonSchema, {
      selector: { id: { $gt: after } },
      sort: [{ id: 'asc' }],
      limit: pageSize,
    });
    const { documents } = await storageInstance.query(prepareQuery(schema.jsonSchema, query));
    yield* documents.filter(({ _deleted }) => !_deleted);
    const last = documents.at(-1);
    if (last === undefined || documents.length < pageSize) return;
    after = last.id;
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
