import { sameValue } from '#shared/rules/same-value.ts';

import { damagedSegment } from '../journal/damage.ts';
import type { Journal } from '../journal/journal.ts';
import type { OutboxCall } from '../platform/ports.ts';
import type { TroubleNotes } from '../sync/troubles.ts';
import { copyOf, isUnreadable, readOrPark } from './at-rest.ts';
import { isOfAccount } from './calls.ts';
import { callsIn, mendedRecord, overPrefix, putRecord, withHome } from './call-records.ts';
import { overIn } from './owed-copies.ts';
import { idsRecord, parseIds } from './recovered-ids.ts';
import type { CallStore } from './stored-calls.ts';

/** The two places where the calls of one person are stored. */
export interface CallStores extends TroubleNotes {
  journal: Journal;
  stored: CallStore;
  /** Names the person's database; calls of other people and servers are in the same journal. */
  home: string;
  userid: number;
}

/** What journal and database hold after they were brought together. */
export interface Found {
  calls: readonly OutboxCall[];
  /** Values of the journal's `meta`. */
  meta: ReadonlyMap<string, unknown>;
  /** Real ids that the journal notes apart from calls, by temporary id. */
  ids: Record<string, string>;
  /** The append up to which the journal was read. */
  seq: number;
  /** The journal had lost calls that the database gave back. */
  hasRecovered: boolean;
  /** Ids of copies that are noted as obsolete. */
  over: ReadonlySet<string>;
  /** Copies that the database still has to write and to drop. */
  owed: { put: OutboxCall[]; drop: string[] };
  /** Calls whose copies are to be compared after the start, with the journal's records; null: all were compared. */
  uncompared: { calls: readonly OutboxCall[]; records: ReadonlyMap<string, unknown> } | null;
}

/** With more calls than this, their copies are compared after the start (OUTBOX-40). */
const readAtStart = 1000;

/**
 * Brings journal and database together at start (OUTBOX-9): each gives the other what it lost. Where they differ, the
 * journal is right. After damage of the journal the copies are right, once (OUTBOX-41). Must run under `outboxLock`.
 */
export async function bringTogether(deps: CallStores): Promise<Found> {
  const { seq, values } = await deps.journal.changes('outbox', 0);
  const meta = await deps.journal.changes('meta', 0);
  const inJournal = callsIn(values, deps);
  const known = new Set(inJournal.map(({ id }) => id));
  // Nearly all copies equal their record in the journal: these are not parsed.
  const same = new Set<string>();
  const isKnown = (id: string, text: string): boolean => {
    const isSame = known.has(id) && copyOf(values.get(id)) === text;
    if (isSame) same.add(id);
    return isSame;
  };
  const isOwn = (call: OutboxCall): boolean => isOfAccount(call, deps.userid);
  const damaged = damagedSegment(deps.journal.health());
  const isMended = damaged <= Number(meta.values.get(mendedRecord(deps.home)) ?? 0);
  const copies = inJournal.filter((call) => isOwn(call) && !isUnreadable(call));
  const isLater = isMended && copies.length > readAtStart && (await hasCopiesOf(copies, deps.stored));
  const stored = isLater ? [] : await readCopies(deps, isKnown);
  const over = overIn(meta.values, overPrefix(deps.home));
  const lostByJournal = stored.filter(({ id }) => !known.has(id) && !over.has(id));
  const byId = new Map(stored.map((call) => [call.id, call]));
  // Damage may have taken the last version of a call of which the journal still has an earlier one.
  const latest = (call: OutboxCall): OutboxCall => {
    const copy = byId.get(call.id);
    return copy === undefined || isUnreadable(copy) || isUnreadable(call) ? call : copy;
  };
  const journalled = isMended ? inJournal : inJournal.map(latest);
  const records = [...lostByJournal, ...(isMended ? [] : journalled)].map((call) =>
    putRecord(call, deps.home),
  );
  if (!isMended) records.push({ op: 'put', collection: 'meta', id: mendedRecord(deps.home), value: damaged });
  if (records.length > 0) await deps.journal.append(records, { canWait: true });
  const unlike = journalled.filter(
    (call) => isOwn(call) && !same.has(call.id) && !sameValue(call, byId.get(call.id)),
  );
  return {
    calls: [...journalled, ...lostByJournal].filter(isOwn),
    meta: meta.values,
    ids: parseIds(meta.values.get(idsRecord(deps.home))),
    seq,
    hasRecovered: lostByJournal.length > 0,
    over,
    owed: { put: isLater ? [] : unlike, drop: [...over].filter((id) => !known.has(id)) },
    uncompared: isLater ? { calls: copies, records: values } : null,
  };
}

/** The copies that `isKnown` does not know. A database that cannot be read is noted as trouble and has none. */
async function readCopies(
  { stored, home, userid, noteTrouble }: CallStores,
  isKnown: (id: string, text: string) => boolean,
): Promise<OutboxCall[]> {
  const copied = await stored.read(isKnown).catch((error: unknown) => {
    noteTrouble(error);
    return [];
  });
  return copied.map((call) =>
    isUnreadable(call) ? readOrPark(call.id, withHome(call.context, home), userid) : call,
  );
}

/** Whether the database has as many calls as these. If it lost some and has others too many, the later comparison shows it. */
async function hasCopiesOf(calls: readonly OutboxCall[], stored: CallStore): Promise<boolean> {
  return (await stored.count().catch(() => -1)) === calls.length;
}
