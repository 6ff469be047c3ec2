import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';

/** Name of the lock in a data folder; it means nothing in a copy. */
export const lockFile = 'server.lock';

/**
 * Makes this process the only server of a data folder, until it is disposed of or the process ends, however it ends:
 * the lock is SQLite's own on a file beside the database, which the system takes back. null: another one has it.
 * `file`: another file, for what is no server.
 */
export function lockFolder(dir: string, file = lockFile): Disposable | null {
  const lock = new BetterSqlite3(join(dir, file), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
  return { [Symbol.dispose]: () => lock.close() };
}
