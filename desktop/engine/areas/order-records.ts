import { combineLatest, from, map, of, switchMap, type Observable } from 'rxjs';

import type { RecordMeaning } from '#shared/model/record-signature.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import type { WorkRecord, WorkRecordFile } from '#shared/model/work-record.ts';
import type { Lead } from '#shared/rules/deviations.ts';
import { recordMeaningsOf } from '#shared/rules/record-signatures.ts';
import { foldEntry } from '#shared/rules/work-log.ts';
import { lateConfirmations, recordOf, recordText } from '#shared/rules/work-record.ts';

import { toLive } from '../features/live.ts';
import { leadOf } from '../features/records/lead.ts';
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
  /** With which meanings this person may still sign the record. */
  meanings: readonly RecordMeaning[];
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
        mirror.all('plannedOrders'),
        sources.names,
        sources.rows,
        combineLatest([sources.me, sources.people]),
      ]).pipe(
        map(([mirrored, calls, deviations, planned, people, guides, [me, { teams }]]) => {
          const entry = overlayEntry(id, mirrored, callsOf(calls, 'workLog', id, sources.resolve));
          if (entry === null) return null;
          const titles = new Map(guides.map((row) => [row.id, row.title]));
          const names = namesInRecord(entry, titles, people);
          const own = deviations.map(({ facts }) => facts).filter((one) => String(one.entryid) === id);
          const stored = mirrored?.facts ?? null;
          const { follows } =
            planned.find(({ facts }) => facts.planned_orderid === entry.facts.planned_orderid)?.facts ?? {};
          const lead = leadOf(me, teams);
          return { entry, stored, record: recordOf(entry.facts, names), own, follows, lead };
        }),
        switchMap((found) => {
          if (found === null) return of(null);
          const { entry, stored, record: made, own, follows, lead } = found;
          const deviations = own
            .toSorted((a, b) => a.deviationid - b.deviationid)
            .map(({ uid: _uid, key: _key, images: _images, ...rest }) => rest);
          const confirmations = lateConfirmations(entry.facts);
          const sha256Stored = entry.facts.record?.sha256 ?? null;
          return from(sealStateOf(stored, made)).pipe(
            map((seal): OrderRecordView => {
              const signatures = (entry.facts.signatures ?? []).map((one) => ({
                ...one,
                applies: seal === 'matches' && one.sha256 === sha256Stored,
              }));
              const file = {
                record: made,
                sha256: sha256Stored,
                confirmations,
                signatures,
                deviations,
                ...(follows === undefined ? {} : { follows }),
              };
              return { file, seal, meanings: meaningsLeft(lead, entry.facts) };
            }),
          );
        }),
      );
    }),
  );
}

/** The meanings with which a person has not signed yet (WORK-RECORD-4). */
function meaningsLeft(person: Lead, facts: EntryFacts): RecordMeaning[] {
  const own = (facts.signatures ?? []).filter(({ userid }) => userid === person.userid);
  return recordMeaningsOf(person, facts).filter((one) => !own.some(({ meaning }) => meaning === one));
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
