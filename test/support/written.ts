import type { Origin } from '#server/storage/audit/origin.ts';
import type { Storage } from '#server/storage/sqlite.ts';
import type { Tx } from '#server/storage/tables.ts';

/** Who writes where a test puts something into the database itself. */
export const byTest: Origin = { userid: null, name: 'Test', action: 'test' };

/** Writes past the API, as the audit log then tells. */
export function written<T>({ storage }: { storage: Storage }, work: (tx: Tx) => Promise<T>): Promise<T> {
  return storage.write(byTest, work);
}
