import { combineLatest, from, map, of, switchMap, type Observable } from 'rxjs';

import type { EntryFacts } from '#shared/model/work-log.ts';
import type { WorkRecord, WorkRecordFile } from '#shared/model/work-record.ts';
import { foldEntry } from '#shared/rules/work-log.ts';
import { recordOf, recordText } from '#shared/rules/work-record.ts';

import { toLive } from '../features/live.ts';
import { callsOf } from '../features/records/overlay/applies.ts';
import { overlayEntry } from '../features/records/overlay/entry.ts';
import { namesInRecord } from '../features/records/record-names.ts';
import { realIdOf, type Sources } from '../features/records/sources.ts';
import type { Services } from '../features/services.ts';
import { sha256 } from '../journal/bytes.ts';

/**
 * Whether the record of an order agrees with the hash that the server stored at its end. `waiting`: the order is open, or its
 * end waits on this device. `unsealed`: it ended before records were sealed.
 */
export type SealState = 'waiting' | 'unsealed' | 'matches' | 'differs';

export interface OrderRecordView {
  file: WorkRecordFile;
  seal: SealState;
}

/** Live reads of records of orders, from what is on this device. */
export function orderRecordViews({ sources }: Services) {
  return {
    /** The record of an order; null if the order is not on this device. */
    orderRecord: (entryid: string) => toLive(orderRecord(sources, entryid)),
  };
}

function orderRecord(sources: Sources, entryid: string): Observable<OrderRecordView | null> {
  const { mirror } = sources.core;
  return realIdOf(sources, entryid).pipe(
    switchMap((id) => {
      const record = id.startsWith('tmp:') ? of(null) : mirror.one('workLog', id);
      return combineLatest([
        record,
        sources.calls,
        mirror.all('deviations'),
        sources.names,
        sources.rows,
      ]).pipe(
        map(([mirrored, calls, deviations, people, guides]) => {
          const entry = overlayEntry(id, mirrored, callsOf(calls, 'workLog', id, sources.resolve));
          if (entry === null) return null;
          const titles = new Map(guides.map((row) => [row.id, row.title]));
          const names = namesInRecord(entry, titles, people);
          const own = deviations.map(({ facts }) => facts).filter((one) => String(one.entryid) === id);
          const stored = mirrored?.facts ?? null;
          return { entry, stored, record: recordOf(entry.facts, names), own };
        }),
        switchMap((found) => {
          if (found === null) return of(null);
          const { entry, stored, record: made, own } = found;
          const deviations = own
            .toSorted((a, b) => a.deviationid - b.deviationid)
            .map(({ uid: _uid, key: _key, images: _images, ...rest }) => rest);
          const file = { record: made, sha256: entry.facts.record?.sha256 ?? null, deviations };
          return from(sealStateOf(stored, made)).pipe(map((seal): OrderRecordView => ({ file, seal })));
        }),
      );
    }),
  );
}

/**
 * `stored`: the order as the server has it; null: not yet.
 *
 * - WORK-RECORD-3 A device computes the hash of the record again and says whether it agrees with the one that the server
 *   stored. Offline, and while the end of an order waits, it says that there is no hash yet.
 */
async function sealStateOf(stored: EntryFacts | null, record: WorkRecord): Promise<SealState> {
  if (stored === null || foldEntry(stored).endtime === null) return 'waiting';
  if (stored.record === undefined) return 'unsealed';
  return (await sha256(new TextEncoder().encode(recordText(record)))) === stored.record.sha256
    ? 'matches'
    : 'differs';
}
