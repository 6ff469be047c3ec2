import type { JournalRecord } from '../journal/journal.ts';
import type { OutboxCall } from '../platform/ports.ts';
import { callRecord } from './about-call.ts';
import { isUnreadable, mayBeOf, readOrPark } from './at-rest.ts';

/** The lock under which all tabs change the outbox of a home. */
export function outboxLock(home: string): string {
  return `outbox/${home}`;
}

/** Prefix of records in the journal's `meta` that note calls which are gone while the database still holds copies. */
export function overPrefix(home: string): string {
  return `over-outbox/${home}/`;
}

/** Record in the journal's `meta`: the newest damaged segment whose calls were taken from the database. */
export function mendedRecord(home: string): string {
  return `mended/${home}`;
}

/** The journal entry that stores a call. A call that cannot be read keeps its record as it is. */
export function putRecord(call: OutboxCall, home: string): JournalRecord {
  return {
    op: 'put',
    collection: 'outbox',
    id: call.id,
    value: isUnreadable(call) ? call.context : callRecord(call, home),
  };
}

/** Calls of a home among values of the journal's `outbox`. What cannot be read becomes a call for a person (OUTBOX-47). */
export function callsIn(
  values: ReadonlyMap<string, unknown>,
  { home, userid }: { home: string; userid: number },
): OutboxCall[] {
  return [...values].flatMap(([id, record]) =>
    mayBeOf(home, record) ? [readOrPark(id, record, userid)] : [],
  );
}

/** A record of the database in the form that the journal stores. */
export function withHome(record: unknown, home: string): object {
  return { ...(Object(record) as object), home };
}
