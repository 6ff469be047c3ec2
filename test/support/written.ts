import type { Origin } from '#server/storage/audit/origin.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { Tx } from '#server/storage/tables.ts';

/** The origin of direct database writes by a test. */
export const byTest: Origin = { userid: null, name: 'Test', action: 'test' };

/** Writes to the database without the API; the audit log records it. */
export function written<T>({ storage }: { storage: Storage }, work: (tx: Tx) => Promise<T>): Promise<T> {
  return storage.write(byTest, work);
}
