import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';

/** Name of the lock file in a data folder. Copies of the folder do not need it. */
export const lockFile = 'server.lock';

/**
 * Locks a data folder for this process, until disposal or the end of the process. The lock is SQLite's own on a file
 * next to the database, so the system releases it even if the process is killed. Returns null if another process has
 * it. `file`: another lock file, for processes that are not servers.
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
