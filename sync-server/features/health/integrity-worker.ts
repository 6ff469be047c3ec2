import { parentPort, workerData } from 'node:worker_threads';

import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';

import { isDamage } from '#server/storage/damage.ts';

/** Returns `ok`, or the first faults. */
function check(path: string): string {
  const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
  try {
    database.pragma('busy_timeout = 5000');
    const rows = database.pragma('quick_check(3)') as Record<string, unknown>[];
    return rows.map((row) => String(Object.values(row)[0])).join('; ');
  } catch (error) {
    if (isDamage(error)) return String(error);
    throw error;
  } finally {
    database.close();
  }
}

parentPort?.postMessage(check(z.string().parse(workerData)));
