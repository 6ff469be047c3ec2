import { getHeightOfRevision } from 'rxdb';
import { Observable } from 'rxjs';

import type { GuideRow } from '#desktop/engine/platform/ports.ts';
import type { MirrorRecords, StoredData, StoredRecord } from '#desktop/engine/storage/mirror-records.ts';

/**
 * Emits the shallow rows of all guides, now and after each change in any tab. They are read past RxDB's document cache,
 * which would hold every body, and then updated from the changes of the mirror.
 */
export function guideRowsOf(guides: MirrorRecords): Observable<GuideRow[]> {
  return new Observable((subscriber) => {
    const rows = new Map<string, GuideRow>();
    const removed = new Set<string>();
    let isLoaded = false;
    // Not by seq: a restored server starts again at a lower one.
    const heights = new Map<string, number>();
    const apply = (record: StoredData, isRemoved: boolean): void => {
      const height = getHeightOfRevision(record._rev);
      if ((heights.get(record.id) ?? 0) > height) return;
      heights.set(record.id, height);
      if (isRemoved) {
        rows.delete(record.id);
        heights.delete(record.id);
        if (!isLoaded) removed.add(record.id);
      } else rows.set(record.id, toGuideRow(record));
    };
    const events = guides.changes.subscribe((changes) => {
      for (const { record, isRemoved } of changes) apply(record, isRemoved);
      if (isLoaded) subscriber.next([...rows.values()]);
    });
    const load = async (): Promise<void> => {
      for await (const record of guides.all()) {
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
