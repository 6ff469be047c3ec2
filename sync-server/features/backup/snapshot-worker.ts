import { parentPort, workerData } from 'node:worker_threads';

import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';

import { must } from '#shared/must.ts';
import { oldestCodeFor } from '#server/storage/migrations/index.ts';

import { factsOf } from './database-facts.ts';

const { from, to } = z.strictObject({ from: z.string(), to: z.string() }).parse(workerData);
const port = must(parentPort, 'the port of the worker');

/** More pages than any database has, so that all are copied in one step. */
const allPages = 2 ** 31 - 1;

async function copy(): Promise<void> {
  const source = new BetterSqlite3(from, { readonly: true, fileMustExist: true });
  try {
    source.pragma('busy_timeout = 5000');
    // An open read transaction fixes the moment of the copy. Without it, SQLite starts over after each write of others.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_master').get();
    await source.backup(to, { progress: () => allPages });
    source.exec('COMMIT');
  } finally {
    source.close();
  }
}

try {
  await copy();
  const database = new BetterSqlite3(to);
  try {
    // Without a write-ahead log, so that the copy is one file.
    database.pragma('journal_mode = DELETE');
    const { version, oldest } = oldestCodeFor(database);
    port.postMessage({ facts: { schema: version, oldestSchema: oldest, ...factsOf(database) } });
  } finally {
    database.close();
  }
} catch (error) {
  port.postMessage({ error: error instanceof Error ? error.message : String(error) });
}
